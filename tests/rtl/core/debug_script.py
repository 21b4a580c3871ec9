#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes debug.debug, the debugger's side of debug.S. Operations: see debugger.v."""

BASE = 0x10000000
HANDLER = BASE + 0x100
DCSR, DPC, DSCRATCH = 0x7B0, 0x7B1, 0x7B2


def op(number, value=0):
    print(f"{number:x}{value & 0xffffffff:08x}")


def csrw(csr, rs):
    return csr << 20 | rs << 15 | 1 << 12 | 0x73


def csrr(csr, rd):
    return csr << 20 | 2 << 12 | rd << 7 | 0x73


def inject(word):
    op(3, word)


def refused(word):
    op(4, word)


def set_register(rd, value):
    op(5, value)
    inject(csrr(DSCRATCH, rd))


def expect_register(rs, value):
    inject(csrw(DSCRATCH, rs))
    op(6, value)


def expect_csr(csr, value):
    """Goes through x31, which debug.S does not keep."""
    inject(csrr(csr, 31))
    expect_register(31, value)


def set_csr(csr, value):
    set_register(31, value)
    inject(csrw(csr, 31))


def step(pc):
    op(2)
    op(7, 4)
    expect_csr(DPC, pc)


A1, A2, A3, A4, A5, A6, SP = 11, 12, 13, 14, 15, 16, 2
op(1, 3)                                # halted from reset on, before anything ran
expect_csr(DPC, BASE)
expect_csr(DCSR, 0x400000C3)
op(2)
op(0, 60)
op(9)
op(1, 3)
expect_csr(DPC, BASE + 0x0C)
expect_csr(0x305, HANDLER)
# Registers, memory, multiply and divide, in debug mode.
set_register(SP, BASE + 0x200)
set_register(A4, 0x12345678)
inject(0x00E12023)                      # sw a4, 0(sp)
inject(0x00012683)                      # lw a3, 0(sp)
expect_register(A3, 0x12345678)
inject(0x02E68733)                      # mul a4, a3, a4
expect_register(A4, 0x12345678 * 0x12345678)
inject(0x02D74733)                      # div a4, a4, a3
expect_register(A4, 0x1)
inject(0x0000100F)                      # fence.i
inject(0x40D00733)                      # sub a4, zero, a3
expect_register(A4, -0x12345678)
# What is refused has no effect.
set_csr(0x341, 0x1234)
for word in (0x0000006F, 0x000080E7, 0x00000063, 0xFFFFFFFF, 0x00000073, 0x00100073, 0x30200073, 0x10500073, 0x00112683,
             0x00002683, 0x00412703 | 0x7FF00000, 0xC0001073, 0x12345017):
    refused(word)
expect_register(A3, 0x12345678)
expect_csr(0x341, 0x1234)
expect_csr(DPC, BASE + 0x0C)
expect_csr(0x300, 0x1800)
# Step by step.
set_csr(DCSR, 4 | 1 << 15)
step(BASE + 0x0C)                       # the loop goes on
set_register(A1, 1)
step(BASE + 0x10)
set_register(A2, 0)
step(BASE + 0x14)
expect_register(A2, 5)
step(BASE + 0x18)
step(BASE + 0x1C)
expect_register(A3, 0x12345679)
step(BASE + 0x24)
step(HANDLER)                           # ecall
expect_csr(0x341, BASE + 0x24)
expect_csr(0x342, 11)
for offset in (4, 8, 12, 16, 20):
    step(HANDLER + offset)
step(BASE + 0x28)                       # mret
op(2)
op(7, 1)                                # ebreak comes here
expect_csr(DPC, BASE + 0x28)
expect_csr(DCSR, 0x40008047)
# Behind the ebreak, free; wfi gives way to a halt request, and to a step.
set_csr(DPC, BASE + 0x2C)
set_csr(DCSR, 0)
op(2)
op(0, 100)
op(9)
op(1, 3)
expect_csr(DPC, BASE + 0x48)
expect_register(A5, 2)
set_csr(DPC, BASE + 0x44)
set_csr(DCSR, 4)
step(BASE + 0x48)
step(BASE + 0x4C)
expect_register(A6, 1)
for offset in range(0x50, 0x68, 4):     # the interrupt waits
    step(BASE + offset)
set_csr(DCSR, 0)
op(2)                                   # and comes now
