// SPDX-License-Identifier: Apache-2.0
// Endpoint 0: decodes the setup packet while it arrives, and answers the requests of chapter 9, Microsoft's descriptor
// request, DFU requests, and the requests of a serial line (in CONFIG 2). It sends items of gnomon_usb_store in packets
// of 64 bytes; a shorter packet ends an item.
`default_nettype none

module gnomon_usb_control #(
  parameter integer CONFIG = 0,
  parameter integer DFU = 0
) (
  input  wire       clk_i,
  input  wire       rst_i,          // reset or bus reset
  input  wire       setup_begin_i,  // setup token for this device
  input  wire       byte_valid_i,   // byte byte_index_i of the setup packet
  input  wire [2:0] byte_index_i,
  input  wire [7:0] byte_data_i,
  input  wire       setup_done_i,   // the setup packet is complete and good
  input  wire       in_acked_i,     // the host has acknowledged a packet of endpoint 0
  input  wire       out_done_i,     // good data packet from the host, other than setup
  input  wire       out_toggle_i,   // with out_done_i: DATA1
  input  wire       out_empty_i,    // with out_done_i: no bytes
  input  wire       out_coding_i,   // with out_done_i: the length of a line coding

  output wire       stall_o,      // endpoint 0 answers STALL until the next setup
  output wire       in_ready_o,   // a packet (perhaps an empty one) is ready
  output wire       in_toggle_o,  // with in_ready_o: DATA1
  output wire       out_stall_o,  // with out_done_i: the packet is not acceptable
  output reg  [3:0] item_o,       // item to send
  input  wire [8:0] item_length_i,
  output wire [8:0] offset_o,     // of the byte in the item
  input  wire [6:0] in_count_i,   // bytes already sent in this packet
  output wire       in_end_o,     // the packet has no more bytes

  output reg  [6:0] address_o,
  output reg        configured_o,
  // Endpoints 0x01, 0x81, 0x82, and of the console 0x03, 0x83, 0x84
  output reg  [5:0] halt_o,
  output wire [5:0] toggle_clear_o,  // pulse: the next packet is DATA0
  output wire       coding_taken_o,  // pulse: the received line coding is valid
  output reg        terminal_o,      // a terminal program has the console port open
  output wire       boot_o           // pulse: the host requests the boot loader
);
`include "gnomon_usb_layout.vh"
  localparam [5:0] ENDPOINTS = ACM != 0 ? 6'h3F : 6'h07;
  localparam [2:0] IDLE = 3'd0, DATA_IN = 3'd1, STATUS_IN = 3'd2, STALL = 3'd3, DATA_OUT = 3'd4,
      STATUS_AFTER_OUT = 3'd6;   // STATUS_IN after a data stage, which the host may repeat
  reg [2:0] state;

  // ---- The relevant fields of the setup packet ----
  reg        q_bad;         // a bit that is 0 in every known request is 1
  reg        q_in;
  reg [1:0]  q_type;        // 0 standard, 1 class, 2 vendor
  reg [1:0]  q_recipient;   // 0 device, 1 interface, 2 endpoint
  reg [4:0]  q_request;     // bit 4: request is 0x20 to 0x2F
  reg        q_value_bad;   // a bit of wValue that must be 0 is 1, except for DFU_DETACH's time limit
  reg [6:0]  q_value;
  reg [3:0]  q_value_high;
  reg [3:0]  q_index;       // direction, number
  reg        q_index_high;  // another bit of wIndex is 1
  reg [LENGTH_LOG2-1:0] q_length;      // saturated

  wire [8:0] length_low = {1'b0, byte_data_i};
  wire is_second = ACM != 0 && byte_data_i[7:4] == 4'd2;

  always @(posedge clk_i) begin
    if (byte_valid_i) begin
      case (byte_index_i)
        3'd0: begin
          q_bad <= byte_data_i[4:2] != 3'd0;
          q_in <= byte_data_i[7];
          q_type <= byte_data_i[6:5];
          q_recipient <= byte_data_i[1:0];
        end
        3'd1: begin
          q_request <= {is_second, byte_data_i[3:0]};
          if (byte_data_i[7:4] != 4'd0 && !is_second) q_bad <= 1'b1;
        end
        3'd2: begin
          q_value <= byte_data_i[6:0];
          q_value_bad <= byte_data_i[7];
        end
        3'd3: begin
          q_value_high <= byte_data_i[3:0];
          if (byte_data_i[7:4] != 4'd0) q_value_bad <= 1'b1;
        end
        3'd4: begin
          q_index <= {byte_data_i[7], byte_data_i[2:0]};
          q_index_high <= byte_data_i[6:3] != 4'd0;
        end
        3'd5: if (byte_data_i != 8'd0) q_index_high <= 1'b1;
        3'd6: q_length <= length_low[LENGTH_LOG2-1:0];
        default:
        if (COMPOSITE == 0 ? byte_data_i != 8'd0 : byte_data_i[7:1] != 7'd0) q_length <= {LENGTH_LOG2{1'b1}};
        else if (COMPOSITE != 0) q_length[LENGTH_LOG2-1] <= byte_data_i[0];
      endcase
    end
  end

  // ---- The decoded request ----
  localparam [9:0] GET_STATUS_DEVICE = {1'b1, 2'd0, 2'd0, 5'd0}, GET_STATUS_INTERFACE = {1'b1, 2'd0, 2'd1, 5'd0},
      GET_STATUS_ENDPOINT = {1'b1, 2'd0, 2'd2, 5'd0}, CLEAR_FEATURE_ENDPOINT = {1'b0, 2'd0, 2'd2, 5'd1},
      SET_FEATURE_ENDPOINT = {1'b0, 2'd0, 2'd2, 5'd3}, SET_ADDRESS = {1'b0, 2'd0, 2'd0, 5'd5},
      GET_DESCRIPTOR = {1'b1, 2'd0, 2'd0, 5'd6}, GET_CONFIGURATION = {1'b1, 2'd0, 2'd0, 5'd8},
      SET_CONFIGURATION = {1'b0, 2'd0, 2'd0, 5'd9}, GET_INTERFACE = {1'b1, 2'd0, 2'd1, 5'd10},
      SET_INTERFACE = {1'b0, 2'd0, 2'd1, 5'd11},
      GET_MICROSOFT = {1'b1, 2'd2, 2'd0, 1'b0, REQUEST_MICROSOFT}, BOOT = {1'b0, 2'd2, 2'd0, 1'b0, REQUEST_BOOT},
      DFU_DETACH = {1'b0, 2'd1, 2'd1, 5'd0}, DFU_GETSTATUS = {1'b1, 2'd1, 2'd1, 5'd3},
      DFU_GETSTATE = {1'b1, 2'd1, 2'd1, 5'd5},
      SET_LINE_CODING = {1'b0, 2'd1, 2'd1, 5'h10}, GET_LINE_CODING = {1'b1, 2'd1, 2'd1, 5'h11},
      SET_CONTROL_LINES = {1'b0, 2'd1, 2'd1, 5'h12};

  wire [9:0] ask = {q_in, q_type, q_recipient, q_request};

  // Decoding takes three cycles: comparisons, decision, action.
  reg value_0;
  reg value_01;
  reg index_0;
  reg index_interface;
  reg index_acm;
  reg index_dfu;
  reg index_microsoft;
  reg [5:0] index_bulk;
  reg index_control;
  reg length_0;
  reg length_coding;
  wire index_endpoint = index_control || (configured_o && index_bulk != 6'd0);

  always @(posedge clk_i) begin
    if (setup_done_i) begin
      value_0 <= q_value == 7'd0 && q_value_high == 4'd0;
      value_01 <= q_value[6:1] == 6'd0 && q_value_high == 4'd0;
      index_0 <= q_index == 4'd0 && !q_index_high;
      index_interface <= q_index < INTERFACES[3:0] && !q_index_high;
      index_acm <= ACM != 0 && q_index == {2'd0, ACM_CONTROL} && !q_index_high;
      index_dfu <= DFU_INTERFACE != 0 && q_index == {2'd0, DFU_NUMBER} && !q_index_high;
      index_microsoft <= q_index == MICROSOFT_INDEX && !q_index_high;
      index_control <= q_index[2:0] == 3'd0 && !q_index_high;
      index_bulk <= {q_index == 4'b1100, q_index == 4'b1011, q_index == 4'b0011, q_index == 4'b1010, q_index == 4'b1001,
          q_index == 4'b0001} & {6{!q_index_high}} & ENDPOINTS;
      length_0 <= q_length == {LENGTH_LOG2{1'b0}};
      length_coding <= ACM != 0 && q_length == LENGTH_CODING[LENGTH_LOG2-1:0];
    end
  end

  reg decide;
  reg act;                   // the cycle after `decide`, from which the following registers are valid
  reg known;
  reg is_address;
  reg is_configuration;
  reg is_boot;
  reg is_lines;
  reg [5:0] clear;           // endpoints whose toggle and halt are cleared
  reg [5:0] halt;            // endpoints to halt

  always @(posedge clk_i) begin
    if (decide) begin
      known <= 1'b0;
      item_o <= ITEM_ZERO_2;
      case (ask)
        GET_STATUS_DEVICE: known <= value_0 && index_0;
        GET_STATUS_INTERFACE: known <= value_0 && index_interface && configured_o;
        GET_STATUS_ENDPOINT: begin
          known <= value_0 && index_endpoint;
          if ((halt_o & index_bulk) != 6'd0) item_o <= ITEM_ONE_2;
        end
        CLEAR_FEATURE_ENDPOINT, SET_FEATURE_ENDPOINT: known <= value_0 && index_endpoint && length_0;
        SET_ADDRESS: known <= q_value_high == 4'd0 && index_0 && length_0;
        GET_CONFIGURATION: begin
          known <= value_0 && index_0;
          item_o <= configured_o ? ITEM_ONE : ITEM_ZERO;
        end
        SET_CONFIGURATION: known <= value_01 && index_0 && length_0;
        GET_INTERFACE: begin
          known <= value_0 && index_interface && configured_o;
          item_o <= ITEM_ZERO;
        end
        SET_INTERFACE: known <= value_0 && index_interface && length_0 && configured_o;
        GET_DESCRIPTOR:
        case (q_value_high)
          4'd1: begin
            known <= q_value == 7'd0 && index_0;
            item_o <= ITEM_DEVICE;
          end
          4'd2: begin
            known <= q_value == 7'd0 && index_0;
            item_o <= ITEM_CONFIGURATION;
          end
          4'd3: begin  // the same string for all languages
            known <= q_value[6:2] == 5'd0;
            item_o <= {ITEM_LANGUAGE[3:2], q_value[1:0]};
          end
          4'd15: begin
            known <= q_value == 7'd0 && index_0;
            item_o <= ITEM_BOS;
          end
          default: ;
        endcase
        GET_MICROSOFT: begin
          known <= value_0 && index_microsoft;
          item_o <= ITEM_MICROSOFT;
        end
        BOOT: known <= DFU != 0 && value_0 && index_0 && length_0;
        DFU_DETACH: known <= index_dfu && length_0 && configured_o;   // with any time limit
        DFU_GETSTATUS: begin
          known <= value_0 && index_dfu && configured_o;
          item_o <= ITEM_DFU_STATUS;
        end
        DFU_GETSTATE: begin
          known <= value_0 && index_dfu && configured_o;
          item_o <= ITEM_ZERO;
        end
        SET_LINE_CODING: known <= value_0 && index_acm && length_coding && configured_o;
        GET_LINE_CODING: begin
          known <= value_0 && index_acm && configured_o;
          item_o <= ITEM_CODING;
        end
        SET_CONTROL_LINES: known <= q_value[6:2] == 5'd0 && q_value_high == 4'd0 && index_acm && length_0 &&
            configured_o;
        default: ;
      endcase
      if (q_bad || (q_value_bad && !(DFU_INTERFACE != 0 && ask == DFU_DETACH))) known <= 1'b0;
      is_address <= ask == SET_ADDRESS;
      is_configuration <= ask == SET_CONFIGURATION;
      is_boot <= DFU != 0 && (ask == BOOT || ask == DFU_DETACH);
      is_lines <= ACM != 0 && ask == SET_CONTROL_LINES;
      case (ask)
        CLEAR_FEATURE_ENDPOINT: clear <= index_bulk;
        SET_CONFIGURATION: clear <= ENDPOINTS;
        SET_INTERFACE: clear <= COMPOSITE == 0 || index_0 ? 6'h07 : !index_acm && !index_dfu ? 6'h18 : index_acm ?
            6'h20 : 6'h00;
        default: clear <= 6'd0;
      endcase
      halt <= ask == SET_FEATURE_ENDPOINT ? index_bulk : 6'd0;
    end
  end

  // ---- The action ----
  wire done = act && known;
  reg [2:0] packet;   // number of packets sent

  wire in_last = !in_count_i[6];   // the packet just sent was short
  wire is_status = state[1:0] == STATUS_IN[1:0];

  // Only the line coding has a data stage from the host.
  wire waits_for_data = ACM != 0 && state == DATA_OUT;
  wire has_data = ACM != 0 && (state == DATA_OUT || state == STATUS_AFTER_OUT);

  assign offset_o = {packet, in_count_i[5:0]};
  assign toggle_clear_o = clear & {6{done}};
  assign stall_o = state == STALL;
  assign in_end_o = in_count_i[6] || is_status || offset_o[LENGTH_LOG2-1:0] == item_length_i[LENGTH_LOG2-1:0] ||
      offset_o[LENGTH_LOG2-1:0] == q_length;
  assign in_ready_o = state == DATA_IN || is_status;
  assign in_toggle_o = is_status || !packet[0];
  // Acceptable are: line coding data, the empty packet that ends a data stage to the host, or a repetition of accepted
  // data.
  assign out_stall_o = has_data ? out_toggle_i && !out_coding_i : is_status || !out_empty_i;
  assign coding_taken_o = out_done_i && waits_for_data && out_toggle_i && out_coding_i;
  assign boot_o = in_acked_i && is_status && is_boot;

  wire unused = &{1'b0, item_length_i, offset_o, length_low, packet, ITEM_LANGUAGE[1:0]};

  always @(posedge clk_i) begin
    decide <= setup_done_i;
    act <= decide;
    // An empty packet from the device confirms a request without a data stage.
    if (act) state <= !known ? STALL : length_0 ? STATUS_IN : ACM == 0 || q_in ? DATA_IN : DATA_OUT;
    if (in_acked_i && (is_status || in_last)) state <= IDLE;
    if (in_acked_i && is_status && is_address) address_o <= q_value;
    if (in_acked_i) packet <= packet + 3'd1;
    if (out_done_i) begin
      if (out_stall_o) state <= STALL;
      else if (waits_for_data && out_toggle_i) state <= STATUS_AFTER_OUT;
      else if (state == DATA_IN) state <= IDLE;
    end
    if (ACM == 0) state[2] <= 1'b0;
    if (done) begin
      halt_o <= (halt_o & ~clear) | halt;
      if (is_configuration) configured_o <= q_value[0];
      if (is_configuration || is_lines) terminal_o <= is_lines && q_value[0];
    end
    if (setup_begin_i) begin
      state <= IDLE;
      packet <= 3'd0;
    end
    if (rst_i) begin
      state <= IDLE;
      decide <= 1'b0;
      act <= 1'b0;
      address_o <= 7'd0;
      configured_o <= 1'b0;
      halt_o <= 6'd0;
      terminal_o <= 1'b0;
    end
  end
endmodule

`default_nettype wire
