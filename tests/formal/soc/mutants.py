#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows that the proofs find defects: each mutant is a copy of rtl/cache, rtl/bus and rtl/core with one defect, and the named
check must refute it.

usage: mutants.py [--select N,N] [--out DIR]

Exit status 1 if a defect is not found. The results are in OUT/mutants.json.
"""
import sys

sys.dont_write_bytecode = True
import prove                             # also adds the folder of the core's proofs to the path
import defects

ICACHE, COMPACT = "cache/gnomon_icache.v", "cache/gnomon_icache_compact.v"
BUS, DELAY, RAM = "bus/gnomon_interconnect.v", "bus/gnomon_bus_delay.v", "bus/gnomon_ram.v"
HARTS, LSU = "bus/gnomon_hart_arbiter.v", "core/gnomon_core_lsu.v"

# (check, what, file, text, replacement); the file must have the text exactly once.
MUTANTS = [
    ("icache2.word", "the tag is not compared", ICACHE, "tag_q == {1'b1, l_addr[S-1-:T]}", "tag_q[T]"),
    ("icache2.word", "a line that is not valid hits", ICACHE, "tag_q == {1'b1, l_addr[S-1-:T]}", "tag_q[T-1:0] == l_addr[S-1-:T]"),
    ("icache2.word", "a flush leaves the last line", ICACHE, "clear_line == {L{1'b1}}", "clear_line == {{(L - 1) {1'b1}}, 1'b0}"),
    ("icache2.word", "the look-up reads what is being written", ICACHE, "ready && !(state == FILL && collision)", "ready"),
    ("icache2.word", "a line with a word that failed stays", ICACHE, "state <= fill_bad ? DROP : END", "state <= END"),
    ("icache4.word", "the failure of an earlier word is forgotten", ICACHE, "f_bad <= fill_bad;", "f_bad <= b_rsp_error_i;"),
    ("icache2.word", "a word of another line streams", ICACHE, "&& p_inside == l_inside && p_addr[S-1:W+2] == l_addr[S-1:W+2] ", ""),
    ("icache2.word", "another word of the line streams", ICACHE, " && p_addr[W+1:2] == f_rsp_word", ""),
    ("icache2.word", "a word is written beside its place", ICACHE, "data[{l_line, f_rsp_word}] <= b_rsp_rdata_i", "data[{l_line, f_req_word}] <= b_rsp_rdata_i"),
    ("icache2.word-32", "two bytes of a word change places", ICACHE, "state == RUN ? data_q :", "state == RUN ? {data_q[31:24], data_q[15:8], data_q[23:16], data_q[7:0]} :"),
    ("icache2.answers", "an error is lost", ICACHE, "state != RUN && b_rsp_error_i", "state != RUN && !f_first && b_rsp_error_i"),
    ("icache2.answers", "a fetch from outside is answered like one from inside", ICACHE, "wire l_inside = l_addr[31:S] == BASE[31:S]", "wire l_inside = l_addr[31:S+1] == BASE[31:S+1]"),
    ("icache2.answers", "the pending request is answered and kept", ICACHE, "if (p_stream) p_valid <= 1'b0;", ""),
    ("icache2.answers", "a flush is done before it begins", ICACHE, "flush_done_o = state == CLEAR && clear_line == {L{1'b1}}", "flush_done_o = state == CLEAR ? clear_line == {L{1'b1}} : flush_i && state == RUN"),
    ("icache2.answers", "a request is accepted in a flush", ICACHE, "c_req_ready_o = !flush_i && (state == RUN", "c_req_ready_o = (!flush_i || !l_valid) && (state == RUN"),
    ("icache2.bus", "a request is withdrawn", ICACHE, "b_req_valid_o = state == FILL && f_req_left", "b_req_valid_o = state == FILL && !(b_rsp_valid_i && f_first) && f_req_left"),
    ("icache2.bus", "a request changes", ICACHE, "if (b_req_valid_o && b_req_ready_i) begin", "if (b_req_valid_o) begin"),
    ("icache2.bus", "a fetch from outside reads main memory", ICACHE, "{BASE[31:S] & {(32 - S) {l_inside}},", "{BASE[31:S],"),
    ("icache2.bus", "the next line is asked for, too", ICACHE, "l_addr[S-1:W+2], f_req_word, 2'b00", "l_addr[S-1:W+3], l_addr[W+2] ^ (f_req_left == 1), f_req_word, 2'b00"),
    ("icache2.miss", "a hit says miss", ICACHE, "miss_o = state == RUN ? miss :", "miss_o = state == RUN ? l_valid :"),
    ("icache2.miss", "the look-up behind a fill is not the line's", ICACHE, "state == RUN ? miss : state != CLEAR", "state == RUN ? miss : state == FILL"),
    ("icache2.miss", "a line that was filled is not valid", ICACHE, "tag_valid = state == RUN && l_inside", "tag_valid = state == RUN && l_inside && l_addr[W+2]"),
    ("icache2.live", "a line too long is waited for", ICACHE, "f_rsp_left <= LINE_WORDS[W:0];", "f_rsp_left <= LINE_WORDS[W:0] + 1'b1;"),
    ("icache2.live", "a flush waits for a request", ICACHE, "if (flush_i && !l_valid) state <= CLEAR;", "if (flush_i && l_valid) state <= CLEAR;"),
    ("icache2.live", "the pending request is lost", ICACHE, "l_valid <= p_waits || accept;", "l_valid <= accept;"),
    ("compact4.word", "the tag is not compared", COMPACT, "tag_q == {1'b1, l_tag}", "tag_q[T]"),
    ("compact4.word", "a flush begins with the second line", COMPACT, "state <= CLEAR;\n          l_line <= {L{1'b0}};", "state <= CLEAR;\n          l_line <= 1;"),
    ("compact4.word", "the look-up reads what is being written", COMPACT, " && !(same_line && c_word == f_rsp_word)", ""),
    ("compact4.word", "a line with a word that failed stays", COMPACT, "|| (fill_end && fill_bad)", "|| (fill_end && b_rsp_error_i)"),
    ("compact4.word", "a word of another line streams", COMPACT, "asked && same_line &&", "asked &&"),
    ("compact4.word", "another word of the line streams", COMPACT, " && c_word == f_req_word &&", " &&"),
    ("compact4.word-32", "the word's upper half comes from the bus", COMPACT, "c_rsp_rdata_o = state == RUN ? data_q : b_rsp_rdata_i", "c_rsp_rdata_o = {state == RUN && l_word[0] ? data_q[31:16] : b_rsp_rdata_i[31:16], state == RUN ? data_q[15:0] : b_rsp_rdata_i[15:0]}"),
    ("compact4.answers", "an error is lost", COMPACT, "state != RUN && b_rsp_error_i", "state != RUN && !f_asking && b_rsp_error_i"),
    ("compact4.answers", "a word that no access waits for is an answer", COMPACT, "comes && f_wanted", "comes"),
    ("compact4.answers", "a second word is accepted before the first came", COMPACT, " && (!f_wanted || answers)", ""),
    ("compact4.bus", "a request changes", COMPACT, "if (asked) begin", "if (b_req_valid_o) begin"),
    ("compact4.bus", "a fetch from outside reads main memory", COMPACT, "{BASE[31:S] & {(32 - S) {l_inside}},", "{BASE[31:S],"),
    ("compact4.miss", "the cycles of a fill are not the line's", COMPACT, "state == RUN ? miss : state == FILL", "state == RUN && miss"),
    ("compact4.miss", "a line that was filled is not valid", COMPACT, "tag_valid = state == RUN && l_inside", "tag_valid = 1'b0"),
    ("compact4.live", "a word that was accepted is not wanted", COMPACT, "f_wanted <= (stream && accept) ||", "f_wanted <="),
    ("compact4.live", "a flush waits for a request", COMPACT, "else if (flush_i && !l_valid)", "else if (flush_i && l_valid)"),
    ("64k.interconnect", "two are accepted", BUS, "i_req_ready_o = !d_req_valid_i", "i_req_ready_o = 1'b1"),
    ("64k.interconnect", "the host goes before fetches", BUS, "!d_req_valid_i && !i_req_valid_i && h_grant_i", "!d_req_valid_i && h_grant_i"),
    ("64k.interconnect", "the host writes between locked load and store", BUS, " && !(d_req_lock_i && h_req_write_i)", ""),
    ("64k.interconnect", "main memory has a second place", BUS, "d_req_addr_i[31:RAM_LOG2] == RAM_BASE[31:RAM_LOG2]", "d_req_addr_i[30:RAM_LOG2] == RAM_BASE[30:RAM_LOG2]"),
    ("64k.interconnect", "a fetch reads registers", BUS, "!i_req_valid_i && h_page", "h_page"),
    ("64k.interconnect", "a byte is written to a register", BUS, "d_req_strb_i != 4'b1111", "d_req_strb_i == 4'b0000"),
    ("64k.interconnect", "the second lock segment is missing", BUS, "d_req_addr_i[31:25] == 7'b1110_000", "d_req_addr_i[31:24] == 8'hE0"),
    ("64k.interconnect", "the host reaches the lock segments", BUS, "is_lock = d_req_valid_i && d_req_addr_i[31:25]", "is_lock = x_addr[31:25]"),
    ("8m.interconnect", "a register block too many", BUS, "reg_sel_o = is_reg &", "reg_sel_o = {BLOCKS{is_page && x_addr[15:12] == 4'd3}} | is_reg &"),
    ("64k.interconnect", "no error where nothing is", BUS, "is_bytes || is_lock || (is_reg != {BLOCKS{1'b0}}));", "is_bytes || is_lock || is_page);"),
    ("64k.interconnect", "a fetch never fails", BUS, "i_rsp_error_o = !r_ram", "i_rsp_error_o = 1'b0"),
    ("64k.interconnect", "the host's answer goes to the data port", BUS, "d_rsp_valid_o = r_d", "d_rsp_valid_o = r_d || r_h"),
    ("late.interconnect", "a late answer comes early", BUS, "{d_due, h_due} = {d_age[2], h_age[2]}", "{d_due, h_due} = {d_age[1], h_age[2]}"),
    ("late.interconnect", "a late answer's word is the next cycle's", BUS, "assign late_rdata = word;", "assign late_rdata = late_word;"),
    ("late.interconnect", "a late answer takes another block's word", BUS, "assign d_rsp_rdata_o = d_due ? late_rdata : rdata", "assign d_rsp_rdata_o = rdata"),
    ("late.interconnect", "a late answer fails for another master", BUS, "r_error && !h_due", "r_error"),
    ("64k.interconnect", "memory's word beside a register's", BUS, "memory_rdata & {32{r_ram}}", "memory_rdata"),
    ("64k.interconnect", "a fetch writes to memory", BUS, "mem_write_o = write;", "mem_write_o = write || i_go;"),
    ("64k.interconnect", "the host writes one lane", BUS, "d_req_valid_i ? d_req_strb_i : 4'b1111;", "d_req_valid_i ? d_req_strb_i : 4'b0001;"),
    ("64k.interconnect", "the monitor shows what is refused", BUS, "mon_valid_o = valid", "mon_valid_o = valid || h_req_valid_i"),
    ("64k.interconnect", "the monitor names the wrong master", BUS, "i_req_valid_i ? MASTER_I : MASTER_H", "i_req_valid_i ? MASTER_H : MASTER_I"),
    ("64k.interconnect", "the cache does not hear of a write", BUS, "d_snoop_valid_o = h_go && h_req_write_i", "d_snoop_valid_o = h_go && h_req_write_i && !d_req_lock_i && h_ram"),
    ("two.order", "both harts go at once", HARTS, "{!(wants[0] && !turn), !(wants[1] && turn)} & {2{xd_req_ready_i", "2'b11 & {2{xd_req_ready_i"),
    ("two.order", "an answer goes to the hart whose turn it is", HARTS, "d_rsp_valid_o = {owner, !owner}", "d_rsp_valid_o = {turn, !turn}"),
    ("two.order", "an access comes between a register's and its answer", HARTS, "wire closed = slot || |register || i_late", "wire closed = slot || i_late"),
    ("two.order", "an access comes in the cycle before a register's answer", HARTS, "wire closed = slot || |register || i_late", "wire closed = slot || register[0] || i_late"),
    ("two.order", "a fetch's answer goes to both harts", HARTS, "i_rsp_valid_o = {i_owner, !i_owner}", "i_rsp_valid_o = 2'b11"),
    ("two.order", "a register is accessed while they are held", HARTS, "({2{hold_i}} & is_register)", "2'b00"),
    ("two.order", "the monitor names the wrong hart", HARTS, "hart_o = xd_req_valid_o ? d_sel : i_sel", "hart_o = d_sel"),
    ("two.atomic", "the other hart writes between load and store", HARTS, "& ~holds & (d_req_write_i | d_req_lock_i)", "& ~holds & d_req_lock_i"),
    ("two.atomic", "the other hart loads under the lock", HARTS, "& ~holds & (d_req_write_i | d_req_lock_i)", "& ~holds & d_req_write_i"),
    ("two.atomic", "the host writes between load and store", HARTS, "xd_lock_o = locked", "xd_lock_o = locked && d_req_lock_i[0]"),
    ("two.atomic", "a reservation does not hear of the other hart", HARTS, "{writes[0], writes[1]} | {2{xh_write_i}}", "{1'b0, writes[1]} | {2{xh_write_i}}"),
    ("two.atomic", "a reservation does not hear of the host", HARTS, "{writes[0], writes[1]} | {2{xh_write_i}}", "{writes[0], writes[1]}"),
    ("two.atomic", "an sc checks out of turn", HARTS, "d_grant_o = {turn, !turn}", "d_grant_o = 2'b11"),
    ("two.atomic", "an sc checks while nothing is accepted", HARTS, "{2{!closed && !soon}}", "{2{!soon}}"),
    ("two.atomic", "an sc does not wait for its turn", LSU, "m_check = m_open && check && d_grant_i", "m_check = m_open && check"),
    ("two.waits", "a fetch waits while there is data", HARTS, "wire i_late = &i_waits;", "wire i_late = 1'b0;"),
    ("two.waits", "hart 0 keeps its turn", HARTS, "if (!closed && !waits) turn <= !turn;", "if (!closed && !waits && !d_go[0]) turn <= !turn;"),
    ("3.delay", "a request changes while it waits", DELAY, "if (req_ready_o) begin", "if (req_ready_o || CYCLES == 3) begin"),
    ("3.delay", "a stage too many", DELAY, "req_valid_o = valid[CYCLES-1];", "req_valid_o = valid[CYCLES-2];"),
    ("block.ram", "a lane is written with another", RAM, "if (we_i[2]) mem", "if (we_i[3]) mem"),
    ("block.ram", "a write changes what was read", RAM, "if (we_i == 4'b0000) rdata", "rdata"),
]


if __name__ == "__main__":
    defects.main(__doc__, MUTANTS, prove.all_checks(), {"cache": "cache", "bus": "bus", "core": "core"}, "build/formal-soc/mutants", prove.refute)
