// SPDX-License-Identifier: Apache-2.0
#include "retired_log.h"

#include <utility>

namespace gnomon {

namespace {

uint8_t bits(uint32_t word, unsigned low, unsigned width) {
    return static_cast<uint8_t>(word >> low & ((1u << width) - 1));
}

} // namespace

RetiredLog::RetiredLog(std::string path) : path_(std::move(path)) {
    if (path_.empty())
        return;
    file_ = std::fopen(path_.c_str(), "wb");
    good_ = file_ != nullptr;
}

RetiredLog::~RetiredLog() {
    close();
}

bool RetiredLog::close() {
    if (file_ && std::fclose(file_) != 0)
        good_ = false;
    file_ = nullptr;
    return good_;
}

void RetiredLog::put(const RetiredRecord &record) {
    if (file_ && std::fwrite(&record, sizeof record, 1, file_) != 1)
        good_ = false;
}

// The places of the bits are those of gnomon_sim_top's outputs.
void RetiredLog::cycle(uint64_t number, const uint32_t *access, const uint32_t *hart0, const uint32_t *hart1) {
    if (bits(access[2], 8, 1)) {
        RetiredRecord record = {};
        record.kind = RetiredRecord::access;
        record.of = bits(access[2], 7, 1);
        record.master = bits(access[2], 5, 2);
        record.wmask = bits(access[2], 4, 1) ? bits(access[2], 0, 4) : 0;
        record.cycle = static_cast<uint32_t>(number);
        record.mem_addr = access[1];
        record.mem_wdata = access[0];
        put(record);
    }
    show(0, number, hart0);
    show(1, number, hart1);
}

void RetiredLog::show(unsigned number, uint64_t cycle, const uint32_t *words) {
    const uint32_t flags = words[7];
    const bool debug = bits(flags, 24, 1), was = std::exchange(debug_[number], debug);
    if (!bits(flags, 28, 1) && !bits(flags, 26, 1) && (!debug || was))
        return;
    RetiredRecord record = {};
    record.kind = RetiredRecord::hart;
    record.of = static_cast<uint8_t>(number);
    record.valid = bits(flags, 28, 1);
    record.trap = bits(flags, 27, 1);
    record.trap_enter = bits(flags, 26, 1);
    record.trap_leave = bits(flags, 25, 1);
    record.debug = debug;
    record.trap_cause = bits(flags, 13, 6);
    record.rd = bits(flags, 8, 5);
    record.rmask = bits(flags, 4, 4);
    record.wmask = bits(flags, 0, 4);
    record.cycle = static_cast<uint32_t>(cycle);
    record.insn = words[6];
    record.pc = words[5];
    record.next_pc = words[4];
    record.rd_wdata = words[3];
    record.mem_addr = words[2];
    record.mem_rdata = words[1];
    record.mem_wdata = words[0];
    put(record);
}

} // namespace gnomon
