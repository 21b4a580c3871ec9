// SPDX-License-Identifier: Apache-2.0
// QEMU 7.2 TCG plugin: writes one record (reference.h) for each executed instruction: PC, opcode, and the changed
// register. It must run with -singlestep, so that the register file is up to date before each instruction. The run ends
// at the first `jal x0, 0`, or with status 3 after `limit` instructions.
//
// Plugin arguments: out=FILE (required), limit=N (default 2^32 - 1).
//
// QEMU's plugin header is not packaged, and version 1 of the plugin interface has no access to registers. This file
// declares both; the register access is that of QEMU's debugger stub.

#include <glib.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference.h"

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct CPUState;

extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
extern struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);
extern const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
extern size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
extern uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
extern void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
                                                  void (*callback)(qemu_plugin_id_t, struct qemu_plugin_tb *));
extern void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, void (*callback)(unsigned, void *),
                                                   int flags, void *userdata);
extern struct CPUState *qemu_get_cpu(int index);
extern int riscv_cpu_gdb_read_register(struct CPUState *cpu, GByteArray *buffer, int number);

enum { CALLBACK_READS_REGISTERS = 1 };
static const uint32_t self_loop = 0x0000006f; // jal x0, 0

static FILE *out;
static const char *out_name;
static uint64_t limit = UINT32_MAX;
static uint64_t executed;
static struct CPUState *cpu;
static GByteArray *buffer;
static uint32_t registers[32];
static struct reference_record record; // the previous instruction; its effect is not known yet
static int have_record;

_Noreturn static void finish(int status) {
    if (fclose(out) != 0) {
        perror(out_name);
        status = 2;
    }
    exit(status);
}

// Finds the register that the previous instruction changed. An instruction changes at most one.
static void complete_record(void) {
    record.rd = 0;
    record.value = 0;
    for (int i = 1; i < 32; i++) {
        g_byte_array_set_size(buffer, 0);
        riscv_cpu_gdb_read_register(cpu, buffer, i);
        uint32_t value;
        memcpy(&value, buffer->data, sizeof value);
        if (value == registers[i])
            continue;
        if (record.rd != 0 && have_record) {
            fprintf(stderr, "qemu_trace: two registers changed at %08" PRIx32 "; is -singlestep set?\n", record.pc);
            finish(2);
        }
        registers[i] = value;
        record.rd = (uint32_t)i;
        record.value = value;
    }
    if (have_record && fwrite(&record, sizeof record, 1, out) != 1) {
        perror(out_name);
        finish(2);
    }
}

static void before_instruction(unsigned index, void *data) {
    (void)index;
    uint64_t packed = (uint64_t)(uintptr_t)data;
    if (!cpu)
        cpu = qemu_get_cpu(0);
    complete_record();
    record.pc = (uint32_t)(packed >> 32);
    record.insn = (uint32_t)packed;
    have_record = 1;
    if (record.insn == self_loop) {
        record.rd = 0;
        record.value = 0;
        if (fwrite(&record, sizeof record, 1, out) != 1) {
            perror(out_name);
            finish(2);
        }
        finish(0);
    }
    if (++executed >= limit) {
        fprintf(stderr, "qemu_trace: the program did not end within %" PRIu64 " instructions\n", limit);
        finish(3);
    }
}

static void translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb) {
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        const uint8_t *bytes = qemu_plugin_insn_data(insn);
        uint32_t opcode = bytes[0] | (uint32_t)bytes[1] << 8;
        if (qemu_plugin_insn_size(insn) == 4)
            opcode |= (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
        uint64_t packed = (qemu_plugin_insn_vaddr(insn) << 32) | opcode;
        qemu_plugin_register_vcpu_insn_exec_cb(insn, before_instruction, CALLBACK_READS_REGISTERS,
                                               (void *)(uintptr_t)packed);
    }
}

EXPORT int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv);

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv) {
    (void)info;
    for (int i = 0; i < argc; i++) {
        if (strncmp(argv[i], "out=", 4) == 0)
            out_name = g_strdup(argv[i] + 4);
        else if (strncmp(argv[i], "limit=", 6) == 0)
            limit = strtoull(argv[i] + 6, NULL, 0);
    }
    if (!out_name) {
        fputs("qemu_trace: out=FILE is missing\n", stderr);
        return -1;
    }
    out = fopen(out_name, "wb");
    if (!out) {
        perror(out_name);
        return -1;
    }
    buffer = g_byte_array_new();
    qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
    return 0;
}
