// SPDX-License-Identifier: Apache-2.0
// Hookless call tracing: finds enters and exits of functions without hooks from the retired instructions alone. See
// docs/internals/profile.md.
//
// One instruction can make several events (a tail call two, a longjmp many), and finding them takes time. So a queue
// holds all events of the hart and the bus in front of the capture. The output keeps their order and times. An item of
// the queue has only the low bits of its time, because it leaves soon, and has either a call or a message. cycle_o is
// the time up to which all events are known: it may stand still or jump, and is never ahead of cycle_i.
`default_nettype none
`include "gnomon_obs.vh"

module gnomon_watch #(
  parameter TABLE_LOG2  = 12, // log2 of the places for functions
  parameter FRAMES_LOG2 = 9,  // log2 of the open calls of each thread
  parameter QUEUE_LOG2  = 9,
  parameter BUS_BITS    = 34, // of lock_data_i
  parameter NUMBER_BITS = 16,
  parameter VALUES      = 0,  // 1: reports arguments and results of the functions that the table marks
  parameter [31:0] MEMORY_BASE = 32'h1000_0000,
  parameter MEMORY_LOG2 = 25  // log2 of main memory's bytes
) (
  input  wire        clk_i, rst_i, hart_rst_i,

  input  wire        watch_i,    // CONTROL.WATCH and CONTROL.FUNCTIONS are set
  input  wire        enable_i,   // the trace is on
  input  wire        running_i,  // the capture runs

  input  wire [`GNOMON_OBS_PROFILED] obs_i,

  // Events of this cycle.
  input  wire [63:0] cycle_i,
  input  wire        event_i, enter_i, leave_i, exit_i,
  input  wire [3:0]  type_i,
  input  wire [NUMBER_BITS-1:0] number_i,
  input  wire [31:0] data_i,
  input  wire        lock_i,
  input  wire [BUS_BITS-1:0] lock_data_i,

  // Events for the capture, with calls of watched functions added.
  output wire [63:0] cycle_o,
  output wire [63:0] before_o,  // cycle_o of the previous cycle
  output wire        enable_o, event_o, enter_o, leave_o, exit_o,
  output wire [3:0]  type_o,
  output wire [NUMBER_BITS-1:0] number_o,
  output wire [31:0] data_o,
  output wire        lock_o,
  output wire [BUS_BITS-1:0] lock_data_o,
  output wire        closed_o,  // the run's last event has entered

  input  wire        flush_i,  // pulse: flushes all earlier events
  output reg         flush_o,  // pulse: all events before flush_i have left

  input  wire        reg_sel_i, reg_write_i,
  input  wire [11:0] reg_addr_i,
  input  wire [31:0] reg_wdata_i,
  output wire [31:0] reg_rdata_o  // one cycle after reg_sel_i, else 0
);
`include "gnomon_trace_types.vh"
  wire obs_trap_enter = obs_i[`GNOMON_OBS_TRAP_ENTER], obs_trap_leave = obs_i[`GNOMON_OBS_TRAP_LEAVE];
  localparam M = MEMORY_LOG2;
  wire call, jump, indirect, handler, moves;
  wire [31:1] target;
  wire [M:2] sp;
  wire [M-1:1] back;
  gnomon_watch_decode #(
    .MEMORY_LOG2(M)
  ) u_decode (
    .clk_i(clk_i), .hart_rst_i(hart_rst_i), .obs_i(obs_i), .call_o(call), .jump_o(jump), .indirect_o(indirect),
    .handler_o(handler), .target_o(target), .moves_o(moves), .sp_o(sp), .back_o(back)
  );

  // Inputs wait two cycles for the table. The end of the run is the last one that enters. An item leaves the queue in
  // less than 2^LOW cycles: each of 2^QUEUE_LOG2 items takes at most 8 cycles, and each frame that ends meanwhile, in 8
  // threads, one more.
  localparam LOW = (QUEUE_LOG2 > FRAMES_LOG2 ? QUEUE_LOG2 : FRAMES_LOG2) + 4;
  reg was_running, closed;
  wire in = was_running && !closed;
  wire ending = exit_i || !enable_i;
  localparam REST_BITS = 3 + BUS_BITS + (M - 1);
  localparam OWN_BITS = LOW + 4 + 4 + REST_BITS;
  wire [REST_BITS-1:0] rest_in = {enter_i, leave_i, !enable_i && !exit_i, lock_data_i, sp};
  wire [OWN_BITS-1:0] own_in = {
    cycle_i[LOW-1:0], ending, event_i && !ending, lock_i && !ending, obs_trap_enter, type_i, rest_in
  };
  reg [OWN_BITS-1:0] own_1, own_2;
  reg in_1, in_2, call_1, call_2, jump_1, jump_2, indirect_1, indirect_2, handler_1, handler_2, moves_1, moves_2,
      mret_1, mret_2;
  reg hidden_1, hidden_2; // a message is a handler's first instruction, and has its item
  reg [31:1] target_1;
  reg [M-1:1] target_2;
  // Behind the table, the top bit of a number is the function's mark.
  localparam N = NUMBER_BITS + (VALUES != 0 ? 1 : 0);
  reg [NUMBER_BITS-1:0] number_1, number_2;
  reg [31:0] data_1, data_2; // data of a message or of the end, else the return address
  wire mind = in && watch_i && !ending;
  always @(posedge clk_i) begin
    was_running <= running_i && !hart_rst_i;
    closed <= !hart_rst_i && (closed || (in && ending));
    in_1 <= in && !hart_rst_i;
    {own_1, target_1, number_1} <= {own_in, target, number_i};
    data_1 <= event_i || exit_i ? data_i : {{(32 - M) {1'b0}}, back, 1'b0};
    {call_1, jump_1, indirect_1, moves_1} <= {call && mind, jump && mind, indirect, moves};
    handler_1 <= handler && mind && !event_i;
    hidden_1 <= handler && mind && event_i;
    mret_1 <= obs_trap_leave;
    in_2 <= in_1 && !hart_rst_i;
    {own_2, target_2, number_2, data_2} <= {own_1, target_1[M-1:1], number_1, data_1};
    {call_2, jump_2, indirect_2, handler_2, hidden_2, moves_2, mret_2} <= {call_1, jump_1, indirect_1, handler_1,
        hidden_1, moves_1, mret_1};
    if (hart_rst_i) {own_1, own_2} <= {(2 * OWN_BITS) {1'b0}};
  end
  assign closed_o = closed;

  wire found, clear, clearing, write_entry, entry_marked;
  wire [N-1:0] found_number, message_number, entry_number;
  wire [TABLE_LOG2-1:0] entry_place;
  wire [31:1] entry_address;
  gnomon_watch_table #(
    .LOG2(TABLE_LOG2), .NUMBER_BITS(N), .MEMORY_BASE(MEMORY_BASE), .MEMORY_LOG2(M)
  ) u_table (
    .clk_i(clk_i), .rst_i(rst_i), .clear_i(clear), .clearing_o(clearing), .write_i(write_entry), .place_i(entry_place),
    .address_i(entry_address), .number_i(entry_number), .find_i(target_1), .found_o(found),
    .number_o(found_number)
  );

  // After a new value of sp, the next return is a landing of longjmp. After the message THREAD it belongs to another
  // stack: then the last entered function, which changed the stack, ends, whatever sp is. Traps save this state, four
  // deep.
  wire [LOW-1:0] time_2;
  wire ending_2, event_2, lock_2, trap_2;
  wire [3:0] type_2;
  wire [REST_BITS-1:0] rest_2;
  assign {time_2, ending_2, event_2, lock_2, trap_2, type_2, rest_2} = own_2;
  wire unused_rest = &{1'b0, rest_2};
  wire enters_2 = (call_2 || jump_2 || handler_2) && found;
  wire return_2 = jump_2 && indirect_2 && !found;
  wire switch_2 = event_2 && type_2 == TYPE_CHANNEL && number_2 == CHANNEL_THREAD;
  reg fresh, moved, turned;
  reg [11:0] trap_saved;
  always @(posedge clk_i) begin
    if (enters_2) fresh <= 1'b1;
    else if (call_2 || return_2 || switch_2) fresh <= 1'b0;
    moved <= moves_2 || (moved && !enters_2 && !call_2 && !return_2);
    turned <= switch_2 || (turned && !return_2 && !(enters_2 && jump_2));
    if (trap_2) {trap_saved, fresh, moved, turned} <= {trap_saved[8:0], fresh, moved, turned, 3'd0};
    if (mret_2) {fresh, moved, turned, trap_saved} <= {trap_saved[2:0], 3'd0, trap_saved[11:3]};
    if (hart_rst_i) {fresh, moved, turned} <= 3'd0;
  end

  // The queue. It reserves one slot for the end of the run.
  localparam Q = QUEUE_LOG2;
  localparam CORE_BITS = OWN_BITS + 7 + N + 32;
  localparam ITEM_BITS = CORE_BITS + (VALUES != 0 ? 64 : 0);
  // A return has its target; a jump to a function has that function's return address in ra.
  wire [31:0] data_now = return_2 ? {{(32 - M) {1'b0}}, target_2, 1'b0} : data_2;
  (* no_rw_check *) reg [ITEM_BITS-1:0] queue[0:(1<<Q)-1];
  reg [ITEM_BITS-1:0] read_item, item;
  reg [Q-1:0] head, tail;
  reg read_valid, valid;
  reg [31:0] overrun;
  wire [Q-1:0] used = head - tail;
  wire full = &used || (&used[Q-1:1] && !ending_2);
  wire something = in_2 && (event_2 || trap_2 || mret_2 || ending_2 || lock_2 || enters_2 || return_2);
  wire put = something && !full;
  wire missed_2 = in_2 && hidden_2 && found;
  wire taken;
  wire next = !valid || taken;
  wire read = !read_valid || next;
  wire any = head != tail;
  wire [ITEM_BITS-1:0] new_item;
  assign new_item[CORE_BITS-1:0] = {own_2, enters_2 && !jump_2, enters_2 && jump_2, indirect_2, return_2,
      fresh && moved && turned, moved && !turned, mret_2, enters_2 ? found_number : message_number, data_now};
  always @(posedge clk_i) begin
    if (put) queue[head] <= new_item;
    if (read) read_item <= queue[tail];
    if (next) item <= read_item;
    head <= head + {{(Q - 1) {1'b0}}, put};
    tail <= tail + {{(Q - 1) {1'b0}}, read && any};
    if (read) read_valid <= any;
    if (next) valid <= read_valid;
    if ((something && full) || missed_2) overrun <= overrun + 32'd1;
    if (hart_rst_i) begin
      {head, tail} <= {(2 * Q) {1'b0}};
      {read_valid, valid} <= 2'b00;
      overrun <= 32'd0;
    end
  end

  // The item that leaves the queue.
  wire q_ending, q_event, q_enter, q_leave, q_stop, q_trap, q_lock, q_call, q_jump, q_indirect, q_return, q_leaves,
      q_lands, q_mret;
  wire [3:0] q_type;
  wire [N-1:0] q_number;
  wire [31:0] q_data;
  wire [M:2] q_sp;
  wire [BUS_BITS-1:0] q_lock_data;
  wire [LOW-1:0] q_time;
  assign {q_time, q_ending, q_event, q_lock, q_trap, q_type, q_enter, q_leave, q_stop, q_lock_data, q_sp, q_call,
      q_jump, q_indirect, q_return, q_leaves, q_lands, q_mret, q_number, q_data} = item[CORE_BITS-1:0];
  wire unused_time = &{1'b0, q_time};

  // The registers a0 and a1 when the item's instruction retired.
  wire [31:0] first_value, second_value;
  generate
    if (VALUES != 0) begin : g_values
      wire [31:0] a0, a1;
      gnomon_watch_values u_values (
        .clk_i(clk_i), .hart_rst_i(hart_rst_i), .obs_i(obs_i), .a0_o(a0), .a1_o(a1)
      );
      assign new_item[ITEM_BITS-1-:64] = {a0, a1};
      assign {first_value, second_value} = item[ITEM_BITS-1-:64];
      assign message_number = {1'b0, number_2};
      assign entry_number = {entry_marked, reg_wdata_i[NUMBER_BITS-1:0]};
    end else begin : g_no_values
      assign {first_value, second_value} = 64'd0;
      assign message_number = number_2;
      assign entry_number = reg_wdata_i[NUMBER_BITS-1:0];
      wire unused_mark = &{1'b0, entry_marked};
    end
  endgenerate

  // Time: that of the item, or while there is none, of the inputs. Where its lower bits begin again, its upper bits are
  // those of the inputs, because less than 2^LOW cycles have passed since. The capture counts the cycles between its
  // inputs, so the end comes in a cycle in which cycle_o stands still.
  reg [63:0] now, last_time;
  reg settled;
  wire [LOW-1:0] next_low = read_valid ? read_item[CORE_BITS-1-:LOW] : time_2;
  assign cycle_o = now;
  assign before_o = last_time;
  always @(posedge clk_i) begin
    if (next && (read_valid || !any)) begin
      now[LOW-1:0] <= next_low;
      if (next_low < now[LOW-1:0]) now[63:LOW] <= cycle_i[63:LOW];
    end
    last_time <= now;
    settled <= valid && !taken;
    if (hart_rst_i) {now, last_time, settled} <= 129'd0;
  end

  wire frames_enter, frames_exit, frames_event;
  wire [1:0] frames_value;
  wire [N-1:0] frames_number;
  wire [31:0] missed;
  gnomon_watch_frames #(
    .FRAMES_LOG2(FRAMES_LOG2), .NUMBER_BITS(N), .VALUES(VALUES), .MEMORY_LOG2(M)
  ) u_frames (
    .clk_i(clk_i), .hart_rst_i(hart_rst_i), .valid_i(valid && (settled || !q_ending)), .call_i(q_call), .jump_i(q_jump),
    .indirect_i(q_indirect), .return_i(q_return), .leaves_i(q_leaves), .lands_i(q_lands), .number_i(q_number),
    .sp_i(q_sp), .back_i(q_data[M-1:1]), .trap_enter_i(q_trap), .trap_leave_i(q_mret),
    .switch_i(q_type == TYPE_CHANNEL && q_number == {{(N - NUMBER_BITS) {1'b0}}, CHANNEL_THREAD}), .thread_i(q_data),
    .event_i(q_event),
    .taken_o(taken), .enter_o(frames_enter), .exit_o(frames_exit), .event_o(frames_event), .value_o(frames_value),
    .number_o(frames_number), .missed_o(missed)
  );
  wire watched = frames_enter || frames_exit, tells = |frames_value;
  wire unused_number = &{1'b0, frames_number};
  assign enable_o = was_running ? !(taken && q_ending && q_stop) : enable_i;
  assign exit_o = taken && q_ending && !q_stop;
  assign event_o = watched || frames_event || tells;
  assign enter_o = watched ? frames_enter : q_enter && !tells;
  assign leave_o = watched ? frames_exit : q_leave && !tells;
  assign type_o = tells ? TYPE_CHANNEL : !watched ? q_type : frames_exit ? TYPE_EXIT : TYPE_ENTER;
  assign number_o = tells ? CHANNEL_REGISTER : frames_number[NUMBER_BITS-1:0];
  assign data_o = !tells ? q_data : frames_value == 2'd1 ? first_value : frames_value == 2'd2 ? second_value :
      {MEMORY_BASE[31:M], q_data[M-1:0]};
  assign lock_o = taken && q_lock;
  assign lock_data_o = q_lock_data;

  // A flush waits two cycles for the inputs, then until the queue has been read up to its current end, then for two
  // items more.
  reg [1:0] flush_way, flush_left;
  reg flushing;
  reg [Q-1:0] flush_at;
  wire flush_now = flushing && tail == flush_at;
  always @(posedge clk_i) begin
    flush_way <= {flush_way[0], flush_i};
    if (flush_way[1]) flush_at <= head;
    flushing <= !hart_rst_i && (flush_way[1] || (flushing && !flush_now));
    flush_left <= flush_now ? 2'd2 : flush_left - {1'b0, |flush_left && next};
    flush_o <= flush_left == 2'd1 && next;
    if (rst_i) {flush_way, flush_left} <= 4'd0;
  end

  gnomon_watch_regs #(
    .TABLE_LOG2(TABLE_LOG2), .VALUES(VALUES)
  ) u_regs (
    .clk_i(clk_i), .reg_sel_i(reg_sel_i), .reg_write_i(reg_write_i), .reg_addr_i(reg_addr_i), .reg_wdata_i(reg_wdata_i),
    .reg_rdata_o(reg_rdata_o), .clear_o(clear), .clearing_i(clearing), .write_o(write_entry), .place_o(entry_place),
    .address_o(entry_address), .marked_o(entry_marked), .missed_i(missed), .overrun_i(overrun)
  );
  wire unused = &{1'b0, obs_i};
endmodule

`default_nettype wire
