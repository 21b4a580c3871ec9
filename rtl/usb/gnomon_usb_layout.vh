// SPDX-License-Identifier: Apache-2.0
// The device's features, and the addresses of its descriptors in their memory, selected by the including module's
// parameters CONFIG (0 small, 1 mid, 2 full) and DFU (0 no way into the boot loader, 1 a vendor request, 2 also a DFU
// interface).

/* verilator lint_off UNUSEDPARAM */
localparam integer ACM = CONFIG == 2 ? 1 : 0;           // a console for terminal programs
localparam integer DFU_INTERFACE = DFU == 2 ? 1 : 0;
localparam integer COMPOSITE = ACM != 0 || DFU_INTERFACE != 0 ? 1 : 0;
// Interface 0 is the vendor interface; then come two for the console, then DFU.
localparam integer INTERFACES = 1 + 2 * ACM + DFU_INTERFACE;
localparam [1:0] ACM_CONTROL = 2'd1, ACM_DATA = 2'd2;
localparam [1:0] DFU_NUMBER = ACM != 0 ? 2'd3 : 2'd1;

// Vendor requests, and the index of Microsoft's descriptor set.
localparam [3:0] REQUEST_MICROSOFT = 4'd1, REQUEST_BOOT = 4'd2;
localparam [3:0] MICROSOFT_INDEX = 4'd7;

// Items that endpoint 0 can send (endpoint 4 sends NOTIFY).
localparam [3:0] ITEM_ZERO = 4'd0, ITEM_ZERO_2 = 4'd1, ITEM_ONE = 4'd2, ITEM_ONE_2 = 4'd3, ITEM_DEVICE = 4'd4,
    ITEM_CONFIGURATION = 4'd5,
  ITEM_BOS = 4'd6, ITEM_MICROSOFT = 4'd7, ITEM_LANGUAGE = 4'd8, ITEM_MAKER = 4'd9, ITEM_PRODUCT = 4'd10,
      ITEM_SERIAL = 4'd11,
  ITEM_DFU_STATUS = 4'd12, ITEM_CODING = 4'd13, ITEM_NOTIFY = 4'd14;

// Microsoft's descriptor set ends with a property of 16-bit words whose upper byte is 0. Only their lower bytes are
// stored, except for the first word. PLAIN bytes precede them.
localparam integer PROPERTY = 132;                      // bytes
localparam integer FUNCTION = 8 + 20 + PROPERTY;        // header, compatible id, property
localparam integer PLAIN = COMPOSITE == 0 ? 32 : DFU_INTERFACE == 0 ? 48 : 208;
localparam integer LENGTH_MICROSOFT = PLAIN + PROPERTY - 2;
localparam integer HALVES = (PROPERTY - 2) / 2;

localparam integer LENGTH_LOG2 = COMPOSITE != 0 ? 9 : 8;   // bits of a descriptor's length
localparam integer STORE_LOG2 = COMPOSITE != 0 ? 10 : 8;   // bits of a descriptor's address
localparam integer STORE = 1 << STORE_LOG2;

localparam integer LENGTH_DEVICE = 18;
localparam integer LENGTH_BOS = 33;
localparam integer LENGTH_VENDOR = 30;                  // LENGTH_VENDOR, _ACM, _DFU: parts of the configuration
localparam integer LENGTH_ACM = 66;
localparam integer LENGTH_DFU = 18;
localparam integer LENGTH_CONFIGURATION = 9 + LENGTH_VENDOR + ACM * LENGTH_ACM + DFU_INTERFACE * LENGTH_DFU;
localparam integer PRODUCT_CHARS = CONFIG == 0 ? 12 : CONFIG == 1 ? 10 : 11;
localparam integer MAKER_CHARS = 6;
localparam integer SERIAL_CHARS = 8;
localparam integer LENGTH_CODING = 7;
localparam integer LENGTH_NOTIFY = 10;

// Addresses. The property's words are at 0, as if the set began at MICROSOFT. The bytes before them are half the memory
// away from there. The byte at MICROSOFT must be 0: it is read for the upper bytes.
localparam integer MICROSOFT = STORE - PLAIN / 2;
localparam integer MICROSOFT_PLAIN = MICROSOFT - STORE / 2;
localparam integer AT_DEVICE = 65;
localparam integer AT_LANGUAGE = 83;
localparam integer AT_SERIAL = 87;
localparam integer AT_BOS = 144;
localparam integer AT_PRODUCT = 177;
localparam integer AT_MAKER = COMPOSITE != 0 ? 105 : 203;
localparam integer AT_NOTIFY = 210;                     // with ACM
localparam integer AT_CONFIGURATION = COMPOSITE != 0 ? 616 : 217;
// six zeros; or two zeros, in the compatible ID
localparam integer AT_ZERO = COMPOSITE != 0 ? 220 : MICROSOFT_PLAIN + 20;
localparam integer AT_ONE = AT_DEVICE + 10;   // 01 00: the product id
/* verilator lint_on UNUSEDPARAM */
