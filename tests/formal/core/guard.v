// SPDX-License-Identifier: Apache-2.0
// Physical memory protection and triggers, from the manuals and docs/internals/core.md: their CSRs, which follow the
// program's writes, and their results for the leaving instruction and its access.
`default_nettype none

module formal_guard #(
    parameter USER = 0,
    parameter PMP = 0,
    parameter GRAIN = 2,
    parameter TRIGGERS = 0,
    parameter ENTRIES = PMP != 0 ? PMP : 1,
    parameter COUNT = TRIGGERS != 0 ? TRIGGERS : 1
) (
    input  wire        clk_i,
    input  wire        load_i,           // starts with configs_i and addresses_i
    input  wire [8*ENTRIES-1:0] configs_i,
    input  wire [30*ENTRIES-1:0] addresses_i,
    input  wire [32*COUNT-1:0] controls_i, places_i,
    input  wire        select_i,

    input  wire        write_i,
    input  wire [11:0] number_i,
    input  wire [31:0] wdata_i,
    output reg         exists_o,
    output reg  [31:0] rdata_o,

    input  wire        user_i,           // the mode,
    input  wire        data_user_i,      // mode of loads and stores
    input  wire        mie_i,
    input  wire [31:0] pc_i, addr_i,
    input  wire [3:0]  mask_i,           // accessed bytes; 0: no access
    input  wire        store_i,
    output wire        first_o,          // PMP denies the word in which the instruction begins
    output wire        second_o,         // PMP denies the next word
    output wire        data_o,           // PMP denies the access
    output wire        fetch_trap_o, fetch_debug_o, data_trap_o, data_debug_o,
    output reg         sane_o            // the start values are legal
);
    integer n, k;

    // ---- PMP ----
    // pmpaddr holds bits 33:2 of an address; bits 31:2 exist, and the grain removes the lowest. The mode decides how
    // the removed bits read.
    localparam G = GRAIN - 2;
    localparam [31:0] FINE = (32'd1 << G) - 32'd1;                       // below the grain
    localparam [31:0] DROPPED = G > 0 ? (32'd1 << (G - 1)) - 32'd1 : 32'd0;
    reg  [8*ENTRIES-1:0] configs;
    reg  [30*ENTRIES-1:0] addresses;

    function [31:0] shown;               // read value of pmpaddr
        input [29:0] value;
        input [7:0]  setting;
        shown = setting[4] ? {2'd0, value} | DROPPED : {2'd0, value} & ~FINE;
    endfunction

    function [7:0] legal;                // legal value of a byte of pmpcfg
        input [7:0] value;
        begin
            legal = value & 8'h9f;
            if (value[1] & ~value[0])
                legal[1] = 1'b0;
            if (G > 0 && value[4:3] == 2'd2)
                legal[4:3] = 2'd0;
        end
    endfunction

    function denied;
        input [31:2] word;
        input        user;
        input [1:0]  right;              // 0 read, 1 write, 2 execute
        reg   [31:0] at, size, before;
        reg   [7:0]  setting;
        reg          in, found;
        integer      e;
        begin
            denied = user;
            found = 1'b0;
            before = 32'd0;
            for (e = 0; e < ENTRIES; e = e + 1) begin
                setting = configs[8 * e +: 8];
                at = shown(addresses[30 * e +: 30], setting);
                // Trailing ones and the zero above them: bits that are not compared. NA4 compares all bits.
                size = setting[3] ? at ^ (at + 32'd1) : 32'd0;
                case (setting[4:3])
                    2'd0: in = 1'b0;
                    2'd1: in = {2'd0, word} >= (before & ~FINE) & {2'd0, word} < (at & ~FINE);
                    default: in = (({2'd0, word} ^ at) & ~(size | FINE)) == 32'd0;
                endcase
                if (in & ~found) begin
                    found = 1'b1;
                    denied = (user | setting[7]) & ~setting[right];
                end
                before = at;
            end
            if (PMP == 0)
                denied = 1'b0;
        end
    endfunction
    assign first_o = denied(pc_i[31:2], user_i, 2'd2);
    assign second_o = denied(pc_i[31:2] + 30'd1, user_i, 2'd2);
    wire window = &addr_i[31:20];
    assign data_o = mask_i != 4'd0 & ~(store_i & window) & denied(addr_i[31:2], data_user_i, store_i ? 2'd1 : 2'd0);

    always @(posedge clk_i)
        if (load_i) begin
            configs <= configs_i;
            addresses <= addresses_i;
        end else if (write_i)
            for (n = 0; n < ENTRIES; n = n + 1) begin
                if (number_i == 12'h3a0 + n / 4 & ~configs[8 * n + 7])
                    configs[8 * n +: 8] <= legal(wdata_i[8 * (n % 4) +: 8]);
                if (number_i == 12'h3b0 + n & ~configs[8 * n + 7]
                    & ~(n + 1 < ENTRIES && configs[8 * ((n + 1) % ENTRIES) + 7] && configs[8 * ((n + 1) % ENTRIES) + 3 +: 2] == 2'd1))
                    addresses[30 * n +: 30] <= wdata_i[29:0] & ~DROPPED[29:0];
            end

    // ---- Triggers ----
    // {dmode, enters debug mode, range, m, u, execute, store, load}
    reg  [8*COUNT-1:0] kinds;
    reg  [32*COUNT-1:0] places;
    reg         select;
    function [31:0] control;             // tdata1 of type 2
        input [7:0] kind;
        control = {4'd2, kind[7], 6'd32, 5'd0, 3'd0, kind[6], 1'b0, 3'd0, kind[5], kind[4], 2'd0, kind[3:0]};
    endfunction

    function at;                         // a trigger matches this byte
        input [31:0] where, place;
        input        range;
        at = ((where ^ place) & ~(range ? place ^ (place + 32'd1) : 32'd0)) == 32'd0;
    endfunction

    reg  [COUNT-1:0] on, f_hit, x_hit, enters;
    always @* begin
        for (n = 0; n < COUNT; n = n + 1) begin
            enters[n] = kinds[8 * n + 6];
            on[n] = TRIGGERS != 0 & (user_i ? kinds[8 * n + 3] : kinds[8 * n + 4] & (enters[n] | mie_i));
            f_hit[n] = on[n] & kinds[8 * n + 2] & at(pc_i, places[32 * n +: 32], kinds[8 * n + 5]);
            x_hit[n] = 1'b0;
            for (k = 0; k < 4; k = k + 1)
                if (mask_i[k])
                    x_hit[n] = x_hit[n] | on[n] & kinds[8 * n + (store_i ? 1 : 0)] & at(addr_i + k, places[32 * n +: 32], kinds[8 * n + 5]);
        end
    end
    assign fetch_debug_o = |(f_hit & enters);
    assign fetch_trap_o = |f_hit & ~fetch_debug_o;
    assign data_debug_o = |(x_hit & enters);
    assign data_trap_o = |x_hit & ~data_debug_o;

    always @(posedge clk_i)
        if (load_i) begin
            for (n = 0; n < COUNT; n = n + 1)
                kinds[8 * n +: 8] <= {controls_i[32 * n + 27], controls_i[32 * n + 12], controls_i[32 * n + 7], controls_i[32 * n + 6],
                                      controls_i[32 * n +: 4]};
            places <= places_i;
            select <= select_i;
        end else if (write_i) begin
            if (number_i == 12'h7a0)
                select <= wdata_i[0];
            for (n = 0; n < COUNT; n = n + 1)
                if (select == n & ~kinds[8 * n + 7]) begin
                    // The program is not the debugger: it can set neither dmode nor the action that needs dmode.
                    if (number_i == 12'h7a1)
                        kinds[8 * n +: 8] <= {2'b00, wdata_i[10:7] == 4'd1, wdata_i[6], wdata_i[3] & USER != 0, wdata_i[2:0]};
                    if (number_i == 12'h7a2)
                        places[32 * n +: 32] <= wdata_i;
                end
        end

    // ---- CSRs ----
    always @* begin
        exists_o = 1'b0;
        rdata_o = 32'd0;
        if (PMP != 0 && (number_i[11:2] == 10'h0e8 || number_i[11:4] == 8'h3b))
            exists_o = 1'b1;
        if (TRIGGERS != 0 && (number_i == 12'h7a0 || number_i == 12'h7a1 || number_i == 12'h7a2 || number_i == 12'h7a4))
            exists_o = 1'b1;
        if (PMP != 0)
            for (n = 0; n < ENTRIES; n = n + 1) begin
                if (number_i == 12'h3a0 + n / 4)
                    rdata_o[8 * (n % 4) +: 8] = configs[8 * n +: 8];
                if (number_i == 12'h3b0 + n)
                    rdata_o = shown(addresses[30 * n +: 30], configs[8 * n +: 8]);
            end
        if (TRIGGERS != 0)
            case (number_i)
                12'h7a0: rdata_o = {31'd0, select};
                12'h7a1: rdata_o = control(kinds[8 * (select % COUNT) +: 8]);
                12'h7a2: rdata_o = places[32 * (select % COUNT) +: 32];
                12'h7a4: rdata_o = 32'd4;
                default: ;
            endcase
    end

    always @* begin
        sane_o = 1'b1;
        if (PMP != 0)
            for (n = 0; n < ENTRIES; n = n + 1)
                if (legal(configs_i[8 * n +: 8]) != configs_i[8 * n +: 8] | (addresses_i[30 * n +: 30] & DROPPED[29:0]) != 30'd0)
                    sane_o = 1'b0;
        if (TRIGGERS != 0)
            for (n = 0; n < COUNT; n = n + 1)
                if (controls_i[32 * n + 12] & ~controls_i[32 * n + 27] | controls_i[32 * n + 3] & USER == 0)
                    sane_o = 1'b0;
    end
endmodule
`default_nettype wire
