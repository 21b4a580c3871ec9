#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""debug_script.py debug|debug_user: writes the debugger's script for that program. Operations: see debugger.v."""
import sys

BASE = 0x10000000
HANDLER = BASE + 0x100                  # in debug.S
USER_HANDLER = BASE + 0x80              # in debug_user.S
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
    """Reads the CSR through x31, which debug.S does not use."""
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


def debug():
    op(1, 3)                                # halted from reset on, before the first instruction
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
    # Refused instructions have no effect.
    set_csr(0x341, 0x1234)
    for word in (0x0000006F, 0x000080E7, 0x00000063, 0xFFFFFFFF, 0x00000073, 0x00100073, 0x30200073, 0x10500073, 0x00112683,
                 0x00002683, 0x00412703 | 0x7FF00000, 0xC0001073, 0x12345017):
        refused(word)
    expect_register(A3, 0x12345678)
    expect_csr(0x341, 0x1234)
    expect_csr(DPC, BASE + 0x0C)
    expect_csr(0x300, 0x1800)
    # Single steps.
    set_csr(DCSR, 4 | 1 << 15 | 3)
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
    op(7, 1)                                # the ebreak enters debug mode
    expect_csr(DPC, BASE + 0x28)
    expect_csr(DCSR, 0x40008047)
    # Continue after the ebreak; a halt request and a step end wfi.
    set_csr(DPC, BASE + 0x2C)
    set_csr(DCSR, 3)
    op(2)
    op(0, 100)
    op(9)
    op(1, 3)
    expect_csr(DPC, BASE + 0x48)
    expect_register(A5, 2)
    set_csr(DPC, BASE + 0x44)
    set_csr(DCSR, 4 | 3)
    step(BASE + 0x48)
    step(BASE + 0x4C)
    expect_register(A6, 1)
    for offset in range(0x50, 0x68, 4):     # the interrupt waits
        step(BASE + offset)
    set_csr(DCSR, 3)
    op(2)                                   # the interrupt comes now


def debug_user():
    """U mode, triggers that enter debug mode. dcsr: cause in 8:6, ebreaku 12, mprven 4, prv 1:0."""
    mstatus, tselect, tdata1, tdata2, pmpcfg0, pmpaddr0 = 0x300, 0x7A0, 0x7A1, 0x7A2, 0x3A0, 0x3B0
    lw, sw = 0x00012683, 0x00C12223     # a3, 0(sp); a2, 4(sp)
    mine = 2 << 28 | 1 << 27 | 32 << 21 | 1 << 12
    m_mode, u_mode, execute, store, load = 0x40, 8, 4, 2, 1
    op(1, 3)
    expect_csr(DCSR, 0x400000C3)
    op(2)
    op(0, 60)
    op(9)
    op(1, 3)                            # in U mode, in the loop
    expect_csr(DPC, BASE + 0x30)
    expect_csr(DCSR, 0x400000C0)
    expect_csr(mstatus, 0x80)
    # Injected instructions run in M mode; with mprven, loads and stores follow MPRV.
    set_register(SP, BASE + 0x200)
    inject(sw)
    set_csr(pmpcfg0, 0x18)
    inject(lw)
    set_csr(mstatus, 0x20000)
    inject(lw)
    set_csr(DCSR, 0x10)
    refused(lw)
    refused(sw)
    set_csr(mstatus, 0x21800)
    inject(lw)
    expect_csr(DCSR, 0x400000D0)
    set_csr(pmpcfg0, 0x1F)
    # Resuming into U mode clears MPRV; single steps there, into the trap and back.
    set_csr(DCSR, 4)
    step(BASE + 0x30)
    expect_csr(mstatus, 0x1800)
    set_register(A1, 1)
    set_register(A2, 0)
    for offset in (0x34, 0x38, 0x3C):
        step(BASE + offset)
    expect_csr(DCSR, 0x40000104)
    step(USER_HANDLER)
    expect_csr(DCSR, 0x40000107)
    expect_csr(0x342, 8)
    expect_csr(mstatus, 0)
    for offset in (4, 8, 12):
        step(USER_HANDLER + offset)
    step(BASE + 0x40)
    expect_csr(DCSR, 0x40000104)
    # The bit of the current mode decides about ebreak.
    set_csr(DCSR, 1 << 15 | 4)
    step(BASE + 0x44)
    step(BASE + 0x48)
    step(USER_HANDLER)
    expect_csr(0x342, 3)
    set_csr(DPC, BASE + 0x48)
    set_csr(DCSR, 1 << 12)
    op(2)
    op(7, 1)
    expect_csr(DPC, BASE + 0x48)
    expect_csr(DCSR, 0x40001040)
    set_csr(DCSR, 1 << 12 | 4 | 3)
    step(USER_HANDLER)                  # in M mode, ebreakm is 0
    # The hart continues in the mode prv.
    set_csr(DPC, BASE + 0x54)
    set_csr(DCSR, 4 | 3)
    step(BASE + 0x58)
    expect_csr(DCSR, 0x40000107)
    set_csr(DPC, BASE + 0x54)
    set_csr(DCSR, 4)
    step(USER_HANDLER)
    expect_csr(0x342, 2)
    set_csr(DCSR, 4 | 1)                # mode 1 does not exist: reads as U
    expect_csr(DCSR, 0x40000104)
    # A trigger before an instruction, in U mode.
    set_csr(tselect, 0)
    set_csr(tdata2, BASE + 0x40)
    set_csr(tdata1, mine | m_mode | u_mode | execute)
    expect_csr(tdata1, mine | m_mode | u_mode | execute)
    set_csr(DPC, BASE + 0x30)
    set_csr(DCSR, 0)
    set_register(A2, 7)
    op(2)
    op(7, 2)
    expect_csr(DPC, BASE + 0x40)
    expect_csr(DCSR, 0x40000080)
    expect_register(A2, 8)
    # A trigger has priority over a step, and in M mode it does not depend on MIE.
    set_csr(DCSR, 4)
    op(2)
    op(7, 2)
    expect_csr(DPC, BASE + 0x40)
    expect_csr(mstatus, 0x80)
    set_csr(mstatus, 0)
    set_csr(DCSR, 3)
    op(2)
    op(7, 2)
    expect_csr(DCSR, 0x40000083)
    # The trigger's mode does not match: no hit before the handler.
    set_csr(tdata1, mine | m_mode | execute)
    set_csr(tdata2, USER_HANDLER + 8)
    set_csr(DPC, BASE + 0x40)
    set_csr(DCSR, 0)
    op(2)
    op(7, 2)
    expect_csr(DPC, USER_HANDLER + 8)
    expect_csr(0x341, BASE + 0x48)
    # The program cannot change a trigger of the debugger.
    for pc in (0x58, 0x5C):
        set_csr(DPC, BASE + pc)
        set_csr(DCSR, 4 | 3)
        step(BASE + pc + 4)
    expect_csr(tdata1, mine | m_mode | execute)
    expect_csr(tdata2, USER_HANDLER + 8)
    # A triggered store does not execute. An injected store does not trigger.
    set_register(A2, 0)
    inject(sw)
    set_csr(tdata1, mine | m_mode | u_mode | store)
    set_csr(tdata2, BASE + 0x204)
    set_register(A2, 9)
    set_csr(DPC, BASE + 0x44)
    set_csr(DCSR, 0)
    op(2)
    op(7, 2)
    expect_csr(DPC, BASE + 0x44)
    inject(0x00412683)                  # lw a3, 4(sp)
    expect_register(A3, 0)
    inject(sw)
    inject(0x00412683)
    expect_register(A3, 9)
    # A load that also has a breakpoint exception on its address: debug mode has priority, and the register does not
    # change.
    set_csr(tdata1, mine | u_mode | load)
    set_csr(tdata2, BASE + 0x200)
    set_csr(tselect, 1)
    set_csr(tdata1, 1 << 12 | u_mode | load)
    expect_csr(tdata1, 2 << 28 | 32 << 21 | u_mode | load)
    set_csr(tdata2, BASE + 0x200)
    set_register(A3, 0x77)
    set_csr(DPC, BASE + 0x38)
    set_csr(DCSR, 0)
    op(2)
    op(7, 2)
    expect_csr(DPC, BASE + 0x38)
    expect_register(A3, 0x77)
    set_csr(tselect, 0)
    set_csr(tdata1, 0)                  # only the exception is left
    set_csr(DCSR, 4)
    step(USER_HANDLER)
    expect_csr(0x342, 3)
    expect_csr(0x343, BASE + 0x200)
    # A locked entry applies to injected loads, but not to the fetch of injected instructions while pc is in the
    # handler.
    set_csr(pmpaddr0 + 1, -1)
    set_csr(pmpcfg0, 0x1F1F)
    set_csr(pmpaddr0, (USER_HANDLER + 31) >> 2)
    set_csr(pmpcfg0, 0x1F98)
    inject(lw)
    set_register(SP, USER_HANDLER)
    refused(lw)
    set_csr(DPC, BASE + 0x64)
    set_csr(DCSR, 3)
    op(2)


if __name__ == "__main__":
    {"debug": debug, "debug_user": debug_user}[sys.argv[1]]()
