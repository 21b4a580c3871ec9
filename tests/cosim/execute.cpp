// SPDX-License-Identifier: Apache-2.0
#include "execute.hpp"

#include "encode.h"

namespace cosim {

namespace {

int32_t sign(uint32_t value) {
    return static_cast<int32_t>(value);
}

uint32_t rotated_right(uint32_t a, unsigned n) {
    return n == 0 ? a : a >> n | a << (32 - n);
}

uint32_t base(unsigned f3, uint32_t a, uint32_t b) {
    switch (f3) {
    case 0:
        return a + b;
    case 1:
        return a << (b & 31);
    case 2:
        return sign(a) < sign(b);
    case 3:
        return a < b;
    case 4:
        return a ^ b;
    case 5:
        return a >> (b & 31);
    case 6:
        return a | b;
    default:
        return a & b;
    }
}

uint32_t divided(unsigned f3, uint32_t a, uint32_t b) {
    const bool overflow = a == 0x80000000u && b == 0xffffffffu;
    switch (f3) {
    case 4:
        return b == 0 ? 0xffffffffu : overflow ? a : static_cast<uint32_t>(sign(a) / sign(b));
    case 5:
        return b == 0 ? 0xffffffffu : a / b;
    case 6:
        return b == 0 ? a : overflow ? 0 : static_cast<uint32_t>(sign(a) % sign(b));
    default:
        return b == 0 ? a : a % b;
    }
}

uint32_t multiplied(unsigned f3, uint32_t a, uint32_t b) {
    const int64_t sa = sign(a), sb = sign(b);
    switch (f3) {
    case 0:
        return a * b;
    case 1:
        return static_cast<uint32_t>(static_cast<uint64_t>(sa * sb) >> 32);
    case 2:
        return static_cast<uint32_t>(static_cast<uint64_t>(sa * static_cast<int64_t>(uint64_t{b})) >> 32);
    case 3:
        return static_cast<uint32_t>((uint64_t{a} * b) >> 32);
    default:
        return divided(f3, a, b);
    }
}

// Operations with one bit: bclr and bext, binv, bset.
uint32_t single_bit(unsigned f7, unsigned f3, uint32_t a, unsigned n) {
    const uint32_t bit = 1u << n;
    return f7 == 0x34 ? a ^ bit : f7 == 0x14 ? a | bit : f3 == 5 ? a >> n & 1 : a & ~bit;
}

uint32_t by_register(unsigned f7, unsigned f3, uint32_t a, uint32_t b) {
    switch (f7) {
    case 0x01:
        return multiplied(f3, a, b);
    case 0x04: // zext.h
        return a & 0xffff;
    case 0x05:
        return f3 == 4   ? (sign(a) < sign(b) ? a : b)
               : f3 == 5 ? (a < b ? a : b)
               : f3 == 6 ? (sign(a) < sign(b) ? b : a)
                         : (a < b ? b : a);
    case 0x10: // sh1add, sh2add, sh3add
        return (a << f3 / 2) + b;
    case 0x14:
    case 0x24:
    case 0x34:
        return single_bit(f7, f3, a, b & 31);
    case 0x20:
        return f3 == 0   ? a - b
               : f3 == 5 ? static_cast<uint32_t>(sign(a) >> (b & 31))
                         : base(f3, a, ~b); // andn, orn, xnor
    case 0x30:
        return rotated_right(a, (f3 == 1 ? 0 - b : b) & 31);
    default:
        return base(f3, a, b);
    }
}

uint32_t unary(unsigned which, uint32_t a) {
    switch (which) {
    case 0: // clz
        return a == 0 ? 32 : static_cast<uint32_t>(__builtin_clz(a));
    case 1: // ctz
        return a == 0 ? 32 : static_cast<uint32_t>(__builtin_ctz(a));
    case 2: // cpop
        return static_cast<uint32_t>(__builtin_popcount(a));
    case 4: // sext.b
        return static_cast<uint32_t>(static_cast<int32_t>(static_cast<int8_t>(a)));
    default: // sext.h
        return static_cast<uint32_t>(static_cast<int32_t>(static_cast<int16_t>(a)));
    }
}

uint32_t or_combined(uint32_t a) {
    uint32_t value = 0;
    for (unsigned low = 0; low < 32; low += 8)
        value |= (a >> low & 0xff) != 0 ? 0xffu << low : 0;
    return value;
}

uint32_t by_immediate(uint32_t word, uint32_t a) {
    const unsigned f3 = bits_of(word, 14, 12), f7 = word >> 25, n = bits_of(word, 24, 20);
    if (f3 != 1 && f3 != 5)
        return base(f3, a, static_cast<uint32_t>(sign(word) >> 20));
    if (f7 == 0x30)
        return f3 == 1 ? unary(n, a) : rotated_right(a, n);
    if (f7 == 0x20)
        return static_cast<uint32_t>(sign(a) >> n);
    if (f3 == 5 && f7 == 0x34 && n == 0x18)
        return __builtin_bswap32(a);
    if (f3 == 5 && f7 == 0x14)
        return or_combined(a);
    return f7 == 0 ? base(f3, a, n) : single_bit(f7, f3, a, n);
}

bool taken(unsigned f3, uint32_t a, uint32_t b) {
    const bool holds = f3 < 4 ? a == b : f3 < 6 ? sign(a) < sign(b) : a < b;
    return holds != ((f3 & 1) != 0);
}

} // namespace

uint32_t computed(uint32_t word, unsigned size, uint32_t pc, uint32_t rs1, uint32_t rs2) {
    switch (word & 0x7f) {
    case OP_LUI:
        return word & 0xfffff000u;
    case OP_AUIPC:
        return pc + (word & 0xfffff000u);
    case OP_JAL:
    case OP_JALR:
        return pc + size;
    case OP_IMM:
        return by_immediate(word, rs1);
    default:
        return by_register(word >> 25, bits_of(word, 14, 12), rs1, rs2);
    }
}

uint32_t followed(uint32_t word, unsigned size, uint32_t pc, uint32_t rs1, uint32_t rs2) {
    const uint32_t upper = static_cast<uint32_t>(sign(word) >> 31);
    switch (word & 0x7f) {
    case OP_JAL:
        return pc +
               (upper << 20 | bits_of(word, 19, 12) << 12 | bits_of(word, 20, 20) << 11 | bits_of(word, 30, 21) << 1);
    case OP_JALR:
        return (rs1 + static_cast<uint32_t>(sign(word) >> 20)) & ~1u;
    case OP_BRANCH:
        if (taken(bits_of(word, 14, 12), rs1, rs2))
            return pc +
                   (upper << 12 | bits_of(word, 7, 7) << 11 | bits_of(word, 30, 25) << 5 | bits_of(word, 11, 8) << 1);
        return pc + size;
    default:
        return pc + size;
    }
}

uint32_t amo(unsigned operation, uint32_t old, uint32_t operand) {
    switch (operation) {
    case 0x00:
        return old + operand;
    case 0x04:
        return old ^ operand;
    case 0x08:
        return old | operand;
    case 0x0c:
        return old & operand;
    case 0x10:
        return sign(old) < sign(operand) ? old : operand;
    case 0x14:
        return sign(old) > sign(operand) ? old : operand;
    case 0x18:
        return old < operand ? old : operand;
    case 0x1c:
        return old > operand ? old : operand;
    default: // amoswap
        return operand;
    }
}

} // namespace cosim
