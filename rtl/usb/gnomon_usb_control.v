// SPDX-License-Identifier: Apache-2.0
// Endpoint 0: decodes the setup packet while it comes in and answers the standard requests of chapter 9. Every reply
// is one packet of the descriptor memory, and no request that is known has an OUT data stage.
`default_nettype none

module gnomon_usb_control #(
    parameter integer CONFIG = 0
) (
    input  wire       clk_i,
    input  wire       rst_i,            // reset, also the bus's
    input  wire       setup_begin_i,    // setup token for this device
    input  wire       byte_valid_i,     // byte byte_index_i of the setup packet
    input  wire [2:0] byte_index_i,
    input  wire [7:0] byte_data_i,
    input  wire       setup_done_i,     // the setup packet was good
    input  wire       in_acked_i,       // the host has acknowledged what endpoint 0 sent

    output wire       stall_o,          // endpoint 0 answers STALL until the next setup
    output wire       in_ready_o,       // there is a packet (perhaps an empty one) to send
    output wire       out_expected_o,   // an empty packet from the host is right (status stage)
    output reg  [3:0] in_block_o,       // where it is, in blocks of 16 bytes
    input  wire [5:0] in_count_i,       // bytes sent of it
    output wire       in_end_o,         // that were all

    output reg  [6:0] address_o,
    output reg        configured_o,
    output reg  [2:0] halt_o,           // endpoints 0x01, 0x81, 0x82
    output wire [2:0] toggle_clear_o    // pulse: next packet is DATA0
);
  localparam [1:0] IDLE = 2'd0, DATA_IN = 2'd1, STATUS_IN = 2'd2, STALL = 2'd3;
  reg [1:0] state;

  // ---- the setup packet, only as much of it as matters
  reg        q_bad;         // a bit that is 0 in every known request is 1
  reg        q_in;
  reg [1:0]  q_recipient;   // 0 device, 1 interface, 2 endpoint
  reg [3:0]  q_request;
  reg [6:0]  q_value;
  reg [3:0]  q_type;        // high byte of wValue
  reg [2:0]  q_index;       // direction, number
  reg        q_index_high;  // another bit of wIndex is 1
  reg [5:0]  q_length;      // saturated

  always @(posedge clk_i) begin
    if (byte_valid_i) begin
      case (byte_index_i)
        3'd0: begin
          q_bad <= byte_data_i[6:2] != 5'd0;
          q_in <= byte_data_i[7];
          q_recipient <= byte_data_i[1:0];
        end
        3'd1: begin
          q_request <= byte_data_i[3:0];
          if (byte_data_i[7:4] != 4'd0) q_bad <= 1'b1;
        end
        3'd2: begin
          q_value <= byte_data_i[6:0];
          if (byte_data_i[7]) q_bad <= 1'b1;
        end
        3'd3: begin
          q_type <= byte_data_i[3:0];
          if (byte_data_i[7:4] != 4'd0) q_bad <= 1'b1;
        end
        3'd4: begin
          q_index <= {byte_data_i[7], byte_data_i[1:0]};
          q_index_high <= byte_data_i[6:2] != 5'd0;
        end
        3'd5: if (byte_data_i != 8'd0) q_index_high <= 1'b1;
        3'd6: q_length <= byte_data_i[7:6] != 2'd0 ? 6'd63 : byte_data_i[5:0];
        default: if (byte_data_i != 8'd0) q_length <= 6'd63;
      endcase
    end
  end

  // ---- what is asked for
  localparam [6:0] GET_STATUS_DEVICE = {1'b1, 2'd0, 4'd0}, GET_STATUS_INTERFACE = {1'b1, 2'd1, 4'd0},
      GET_STATUS_ENDPOINT = {1'b1, 2'd2, 4'd0}, CLEAR_FEATURE_ENDPOINT = {1'b0, 2'd2, 4'd1},
      SET_FEATURE_ENDPOINT = {1'b0, 2'd2, 4'd3}, SET_ADDRESS = {1'b0, 2'd0, 4'd5},
      GET_DESCRIPTOR = {1'b1, 2'd0, 4'd6}, GET_CONFIGURATION = {1'b1, 2'd0, 4'd8},
      SET_CONFIGURATION = {1'b0, 2'd0, 4'd9}, GET_INTERFACE = {1'b1, 2'd1, 4'd10},
      SET_INTERFACE = {1'b0, 2'd1, 4'd11};
  localparam [5:0] PRODUCT_LENGTH = CONFIG == 0 ? 6'd26 : CONFIG == 1 ? 6'd22 : 6'd24;
  localparam [3:0] DEVICE = 4'd0, BOS = 4'd2, CONST_1 = 4'd3, CONFIGURATION = 4'd4, CONST_0 = 4'd7;

  wire [6:0] ask = {q_in, q_recipient, q_request};

  // In three steps, one a cycle: these, the decision, the action.
  reg value_0;
  reg value_01;
  reg index_0;
  reg [2:0] index_bulk;
  reg index_control;
  reg length_0;
  wire index_endpoint = index_control || (configured_o && index_bulk != 3'd0);

  always @(posedge clk_i) begin
    if (setup_done_i) begin
      value_0 <= q_value == 7'd0 && q_type == 4'd0;
      value_01 <= q_value[6:1] == 6'd0 && q_type == 4'd0;
      index_0 <= q_index == 3'd0 && !q_index_high;
      index_control <= q_index[1:0] == 2'd0 && !q_index_high;
      index_bulk <= {q_index == 3'b110, q_index == 3'b101, q_index == 3'b001} & {3{!q_index_high}};
      length_0 <= q_length == 6'd0;
    end
  end

  reg decide;
  reg act;                   // the cycle after `decide`; the following are valid from then on
  reg known;
  reg is_configuration;
  reg is_interface;
  reg [5:0] in_length;       // of the whole of what is asked for
  reg [2:0] clear;           // endpoints whose halt ends
  reg [2:0] halt;            // endpoints to be halted

  always @(posedge clk_i) begin
    if (decide) begin
      known <= 1'b0;
      in_block_o <= CONST_0;
      in_length <= 6'd2;
      case (ask)
        GET_STATUS_DEVICE: known <= value_0 && index_0;
        GET_STATUS_INTERFACE: known <= value_0 && index_0 && configured_o;
        GET_STATUS_ENDPOINT: begin
          known <= value_0 && index_endpoint;
          if ((halt_o & index_bulk) != 3'd0) in_block_o <= CONST_1;
        end
        CLEAR_FEATURE_ENDPOINT, SET_FEATURE_ENDPOINT: known <= value_0 && index_endpoint && length_0;
        SET_ADDRESS: known <= q_type == 4'd0 && index_0 && length_0;
        GET_CONFIGURATION: begin
          known <= value_0 && index_0;
          in_length <= 6'd1;
          if (configured_o) in_block_o <= CONST_1;
        end
        SET_CONFIGURATION: known <= value_01 && index_0 && length_0;
        GET_INTERFACE: begin
          known <= value_0 && index_0 && configured_o;
          in_length <= 6'd1;
        end
        SET_INTERFACE: known <= value_0 && index_0 && length_0 && configured_o;
        GET_DESCRIPTOR:
        case (q_type)
          4'd1: begin
            known <= q_value == 7'd0 && index_0;
            {in_block_o, in_length} <= {DEVICE, 6'd18};
          end
          4'd2: begin
            known <= q_value == 7'd0 && index_0;
            {in_block_o, in_length} <= {CONFIGURATION, 6'd39};
          end
          4'd3: begin  // in any language
            known <= q_value[6:2] == 5'd0;
            in_block_o <= {1'b1, q_value[1:0], 1'b0};
            case (q_value[1:0])
              2'd0: in_length <= 6'd4;
              2'd1: in_length <= 6'd14;
              2'd2: in_length <= PRODUCT_LENGTH;
              default: in_length <= 6'd18;
            endcase
          end
          4'd15: begin
            known <= q_value == 7'd0 && index_0;
            {in_block_o, in_length} <= {BOS, 6'd12};
          end
          default: ;
        endcase
        default: ;
      endcase
      if (q_bad) known <= 1'b0;
      is_configuration <= ask == SET_CONFIGURATION;
      is_interface <= ask == SET_INTERFACE;
      clear <= ask == CLEAR_FEATURE_ENDPOINT ? index_bulk : 3'd0;
      halt <= ask == SET_FEATURE_ENDPOINT ? index_bulk : 3'd0;
    end
  end

  // ---- and what is done about it
  wire done = act && known;

  assign toggle_clear_o = (clear | {3{is_configuration || is_interface}}) & {3{done}};
  assign stall_o = state == STALL;
  assign in_end_o = in_count_i == in_length || in_count_i == q_length;   // the latter 0 if there is no data stage
  assign in_ready_o = state == DATA_IN || state == STATUS_IN;
  assign out_expected_o = state == DATA_IN || state == IDLE;

  always @(posedge clk_i) begin
    decide <= setup_done_i;
    act <= decide;
    // A request that has no data stage is confirmed by an empty packet from the device.
    if (act) state <= !known ? STALL : q_in && !length_0 ? DATA_IN : STATUS_IN;
    if (in_acked_i && state == STATUS_IN) begin
      state <= IDLE;
      if (ask == SET_ADDRESS) address_o <= q_value;
    end
    if (done) begin
      halt_o <= (halt_o & ~toggle_clear_o) | halt;
      if (is_configuration) configured_o <= q_value[0];
    end
    if (setup_begin_i) state <= IDLE;
    if (rst_i) begin
      state <= IDLE;
      decide <= 1'b0;
      act <= 1'b0;
      address_o <= 7'd0;
      configured_o <= 1'b0;
      halt_o <= 3'd0;
    end
  end
endmodule

`default_nettype wire
