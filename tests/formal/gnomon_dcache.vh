// SPDX-License-Identifier: Apache-2.0
// Part of gnomon_dcache for its proof, with any core, bus and second master that keep the ports' rules. It follows bit
// 0 of one word of main memory, chosen by the solver:
//   - an answer belongs to an open access;
//   - a load returns the bit as the hart sees it, in some cycle from the one after its acceptance to that of the
//     answer: its own youngest store that has not reached the bus, else memory, as its stores and the other master's
//     writes reached it on the bus;
//   - each store reaches the bus once, unchanged, in the order of the stores to the word; there are no other writes;
//   - accesses outside of main memory and locked accesses reach the bus only as the open access, once, after all
//     stores;
//   - a bus request stays until it is accepted; `empty_o` and `miss_o` keep their definitions;
//   - a word that was read while it was written is never used (`no_rw_check`).
// The assertions in the last part make these properties inductive.
            localparam integer Q = 4;                  // the bus owes at most that many answers
            (* anyconst *) wire [S-1:2] g_word;
            (* anyconst *) wire g_value;
            wire [T-1:0] g_tag = g_word[S-1-:T];
            wire [L-1:0] g_line = g_word[W+2+:L];
            wire [W-1:0] g_in_line = g_word[W+1:2];

            // ---- The environment ----
            reg g_started = 1'b0;
            always @(posedge clk_i) g_started <= 1'b1;
            wire run = g_started && !rst_i;
            wire c_go = c_req_valid_i && c_req_ready_o;
            wire b_go = b_req_valid_o && b_req_ready_i;
            wire c_chosen = c_req_addr_i[31:2] == {BASE[31:S], g_word};
            wire b_chosen = b_req_addr_o[31:2] == {BASE[31:S], g_word};
            wire s_chosen = snoop_addr_i[31:2] == {BASE[31:S], g_word};

            // Answers that the bus owes: their number, the reads of the word among them and their results; the oldest
            // is 0.
            reg [2:0] q_count;
            reg [Q-1:0] q_chosen, q_bit;
            wire [2:0] q_at = q_count - {2'd0, b_rsp_valid_i};
            (* anyseq *) wire g_snoop_bit, g_snoop_we;
            reg g_open, g_write, g_direct, g_chosen, g_sent, g_lock;
            reg [31:2] g_addr;
            always @* begin
                assume (rst_i == !g_started);
                if (b_rsp_valid_i) assume (q_count != 3'd0);
                if (b_rsp_valid_i && q_chosen[0]) assume (b_rsp_rdata_i[0] == q_bit[0]);
                if (b_req_ready_i) assume (q_count != Q);
                if (c_req_valid_i) assume (run && c_req_addr_i[1:0] == 2'b00 && (!g_open || c_rsp_valid_o));
                if (snoop_valid_i) assume (run && !b_go);
            end

            // ---- Expected state ----
            reg g_mem;
            reg [1:0] own_count;  // stores to the bit that have not reached the bus, the youngest is 0
            reg [2:0] own_bit;
            reg [2:0] stores;                          // all stores that have not reached the bus
            wire own_new = c_go && c_chosen && c_req_write_i && c_req_strb_i[0];
            wire own_done = b_go && b_chosen && b_req_write_o && b_req_strb_o[0];
            wire own_oldest = own_bit[own_count-2'd1];
            wire view = own_count != 2'd0 ? own_bit[0] : g_mem;
            reg may;                                   // the hart has seen the value since the access was accepted
            reg h_held, h_write;
            reg [31:0] h_addr, h_wdata;
            reg [3:0] h_strb;
            reg h_tag, h_data;                         // read while it was written
            always @(posedge clk_i) begin
                h_tag <= (clearing || snoop || f_untagged || take_back) && tag_line == c_req_addr_i[W+2+:L];
                h_data <= y_we[0] && y_index == c_index;
                if (c_rsp_valid_o) g_open <= 1'b0;
                if (b_go && (b_req_addr_o[31:S] != BASE[31:S] || b_req_lock_o)) g_sent <= 1'b1;
                may <= may || view == g_value;
                if (c_go) begin
                    g_open <= 1'b1;
                    {g_write, g_chosen, g_lock, g_addr} <= {c_req_write_i, c_chosen, c_req_lock_i, c_req_addr_i[31:2]};
                    g_direct <= c_req_addr_i[31:S] != BASE[31:S] || c_req_lock_i;
                    g_sent <= 1'b0;
                    may <= 1'b0;
                end
                own_count <= own_count + {1'b0, own_new} - {1'b0, own_done};
                if (own_new) own_bit <= {own_bit[1:0], c_req_wdata_i[0]};
                stores <= stores + {2'd0, c_go && c_req_write_i} - {2'd0, b_go && b_req_write_o};
                if (own_done) g_mem <= b_req_wdata_o[0];
                else if (snoop_valid_i && s_chosen && g_snoop_we) g_mem <= g_snoop_bit;
                if (b_rsp_valid_i) {q_chosen, q_bit} <= {1'b0, q_chosen[Q-1:1], 1'b0, q_bit[Q-1:1]};
                if (b_go) begin
                    q_chosen[q_at] <= b_chosen && !b_req_write_o;
                    q_bit[q_at] <= g_mem;
                end
                q_count <= q_at + {2'd0, b_go};
                h_held <= b_req_valid_o && !b_req_ready_i;
                {h_write, h_addr, h_wdata, h_strb} <= {b_req_write_o, b_req_addr_o, b_req_wdata_o, b_req_strb_o};
                if (rst_i) begin
                    {g_open, own_count, stores, q_count, h_held} <= 10'd0;
                    q_chosen <= {Q{1'b0}};
                end
            end

            always @* if (run) begin
                if (c_rsp_valid_o) assert (g_open);
                if (c_rsp_valid_o && g_direct)
                    assert (g_sent && b_rsp_valid_i && q_count == 3'd1 && c_rsp_error_o == b_rsp_error_i && c_rsp_rdata_o == b_rsp_rdata_i);
                if (c_rsp_valid_o && !g_direct) assert (!c_rsp_error_o);
                if (c_rsp_valid_o && g_chosen && !g_write && c_rsp_rdata_o[0] == g_value) assert (may || view == g_value);
                if (own_done) assert (own_count != 2'd0 && b_req_wdata_o[0] == own_oldest);
                if (b_go && b_req_write_o) assert (stores != 3'd0);
                if (b_go && (b_req_addr_o[31:S] != BASE[31:S] || b_req_lock_o))
                    assert (g_open && g_direct && !g_sent && b_req_write_o == g_write && b_req_addr_o == {g_addr, 2'b00}
                            && b_req_lock_o == g_lock && stores == {2'd0, g_write});
                if (h_held) assert (b_req_valid_o && b_req_write_o == h_write && b_req_addr_o == h_addr);
                if (h_held && h_write) assert (b_req_wdata_o == h_wdata && b_req_strb_o == h_strb);
                if (empty_o) assert (stores == 3'd0 && w_left == 4'd0);
                if (miss_o) assert (g_open && !c_rsp_valid_o && !g_direct);
                if (h_tag && l_valid && l_first && !l_direct) assert (l_stale);
                if (h_data) assert (y_same[0]);
            end

            // ---- Assertions for the induction ----
            localparam integer E = S - 2 + 36;
            wire f_head, f_tail;
            wire [1:0] f_used;
            wire [2*E-1:0] f_entries;
            wire [2*L-1:0] f_lines;
            // The entries of the buffer, 0 the oldest.
            wire [E-1:0] e0_entry = f_head ? f_entries[E+:E] : f_entries[0+:E];
            wire [E-1:0] e1_entry = f_head ? f_entries[0+:E] : f_entries[E+:E];
            wire [L-1:0] e0_line = f_head ? f_lines[L+:L] : f_lines[0+:L];
            wire [L-1:0] e1_line = f_head ? f_lines[0+:L] : f_lines[L+:L];
            wire e0_used = f_used[f_head], e1_used = f_used[!f_head];
            wire [S-1:2] e0_addr = e0_entry[E-1:36], e1_addr = e1_entry[E-1:36];
            wire e0_bit = e0_entry[4], e1_bit = e1_entry[4];
            wire e0 = e0_used && e0_entry[0] && e0_addr == g_word;
            wire e1 = e1_used && e1_entry[0] && e1_addr == g_word;
            wire l_chosen = l_addr == {BASE[31:S], g_word};
            wire l_way = l_valid && l_write && !l_asked;
            wire l_own = l_way && l_chosen && l_strb[0];
            wire view_bus = e1 ? e1_bit : e0 ? e0_bit : g_mem;
            wire [W:0] f_under_way = f_active ? f_rsp_left - f_req_left : {(W + 1) {1'b0}};
            wire [W-1:0] g_ahead = g_in_line - f_rsp_word;      // of the word in the order of the fill
            wire [2:0] g_place = w_left[2:0] + {1'b0, g_ahead};
            wire tagged = tags[g_line] == {1'b1, g_tag};
            wire filling = f_active && f_line == g_line && f_tag == g_tag;
            wire to_fill = filling && !f_have[g_in_line];
            wire l_is_f = l_valid && !l_direct && !l_write && !l_first && l_found && l_tag == f_tag && l_line == f_line;
            integer k;
            always @* if (run) begin
                // Reset.
                if (clearing) assert (!l_valid && !f_active && !e0_used && w_left == 4'd0 && q_count == 3'd0);
                if (clearing && g_line < clear_line) assert (!tags[g_line][T]);
                // The open access.
                assert (g_open == l_valid);
                if (l_valid) assert (g_write == l_write && g_lock == l_lock && g_addr == l_addr && g_direct == l_direct && g_sent == l_asked);
                if (l_valid) assert (g_chosen == l_chosen && g_direct == (g_lock || g_addr[31:S] != BASE[31:S]));
                if (l_asked) assert (l_valid && l_direct && !l_first && !f_active && !e0_used);
                if (l_valid && l_first && !l_stale) assert (tag_q == tags[l_line]);
                if (l_valid && l_first) assert (data_q[0] == g_lane[0].data[{l_line, l_word}][0]);
                if (l_valid && !l_direct && !l_first && !l_write && l_found) assert (l_is_f && f_active && !f_have[l_word]);
                if (l_valid && !l_direct && l_write && l_chosen && !l_first && !l_found) assert (!tagged);
                if (l_valid && !l_direct && l_write && l_chosen && l_first && l_stale) assert (!tagged);
                if (l_valid && !l_direct && l_write && !l_first && l_found) assert (!tags[l_line][T] || tags[l_line][T-1:0] == l_tag);
                // The buffer.
                assert (f_tail == f_head ^ (f_used[0] ^ f_used[1]));
                if (e1_used) assert (e0_used);
                if (e0_used) assert (e0_line == e0_addr[W+2+:L]);
                if (e1_used) assert (e1_line == e1_addr[W+2+:L]);
                assert (stores == {2'd0, e0_used} + {2'd0, e1_used} + {2'd0, l_way});
                assert (own_count == {1'b0, e0} + {1'b0, e1} + {1'b0, l_own});
                if (own_count != 2'd0) assert (own_bit[0] == (l_own ? l_wdata[0] : view_bus));
                if (own_count != 2'd0 && (e0 || e1)) assert (own_oldest == (e0 ? e0_bit : e1_bit));
                if (own_count == 2'd3) assert (own_bit[1] == e1_bit);
                // The answers that the bus owes.
                assert (w_left <= Q && q_count <= Q && q_count == w_left[2:0] + f_under_way + {2'd0, l_asked});
                for (k = 0; k < Q; k = k + 1) begin
                    if (k >= q_count || k < w_left) assert (!q_chosen[k]);
                end
                // The fill.
                assert (!f_untagged || f_active);
                if (f_untagged) assert (l_is_f && f_req_left == LINE_WORDS && f_rsp_left == LINE_WORDS && f_have == 0);
                if (f_untagged) assert (!(e0_used && e0_line == f_line) && !(e1_used && e1_line == f_line));
                if (f_active) begin
                    assert (f_rsp_left != 0 && f_rsp_left <= LINE_WORDS && f_req_left <= f_rsp_left);
                    assert (f_req_word == f_rsp_word + f_under_way[W-1:0]);
                    for (k = 0; k < LINE_WORDS; k = k + 1)
                        assert (f_have[k] == ((k - f_rsp_word & LINE_WORDS - 1) >= f_rsp_left));
                    if (!f_untagged && tags[f_line][T]) assert (tags[f_line][T-1:0] == f_tag);
                    for (k = 0; k < Q; k = k + 1)
                        if (k >= w_left && k < q_count) assert (q_chosen[k] == (filling && k == g_place));
                    if (to_fill && tagged && !f_untagged) assert (!e0 && !e1);
                    if (to_fill && tagged && !f_untagged && g_place < q_count) assert (q_bit[g_place] == g_mem);
                    if (to_fill && l_is_f && l_chosen && g_place < q_count && q_bit[g_place] == g_value) assert (may || view == g_value);
                    if (to_fill && l_is_f && l_chosen && !l_first) assert (g_place < q_count || !e0 && !e1);
                end
                if (l_asked && l_chosen && !l_write) assert (q_chosen[q_count-3'd1] && (q_bit[q_count-3'd1] != g_value || may || view == g_value));
                // The cache holds the hart's view.
                if (tagged && !clearing && !(f_active && f_line == g_line && (f_untagged || !f_have[g_in_line])))
                    assert (g_lane[0].data[{g_line, g_in_line}][0] == view_bus);
            end
