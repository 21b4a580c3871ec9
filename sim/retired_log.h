// SPDX-License-Identifier: Apache-2.0
// Log of a board with two harts: what each hart retires, and every access that the memory bus accepts, in the order of
// the cycles. Within a cycle the access comes first. The access of an instruction is before the instruction.
#ifndef GNOMON_SIM_RETIRED_LOG_H
#define GNOMON_SIM_RETIRED_LOG_H

#include <cstdint>
#include <cstdio>
#include <string>

namespace gnomon {

// One record of the log, in the byte order of the host.
struct RetiredRecord {
    enum Kind : uint8_t { access, hart }; // an access; a retirement, a trap, or the first cycle in debug mode
    Kind kind;
    uint8_t of;     // number of the hart; of an access only if the master is 1
    uint8_t master; // of an access: 0 instruction, 1 data, 2 host
    uint8_t valid, trap, trap_enter, trap_leave, debug;
    uint8_t trap_cause, rd, rmask, wmask; // wmask of an access: its bytes; 0: a read
    uint32_t cycle;                       // low bits of the cycle since hart 0 left reset
    uint32_t insn, pc, next_pc, rd_wdata, mem_addr, mem_rdata, mem_wdata;
};

class RetiredLog {
  public:
    // An empty path: no log.
    explicit RetiredLog(std::string path);
    ~RetiredLog();
    RetiredLog(const RetiredLog &) = delete;
    RetiredLog &operator=(const RetiredLog &) = delete;
    const std::string &path() const {
        return path_;
    }
    // One clock cycle: outputs access_o, retired0_o and retired1_o of gnomon_sim_top.
    void cycle(uint64_t number, const uint32_t *access, const uint32_t *hart0, const uint32_t *hart1);
    // False if something could not be written.
    bool close();

  private:
    void show(unsigned number, uint64_t cycle, const uint32_t *words);
    void put(const RetiredRecord &record);

    std::string path_;
    std::FILE *file_ = nullptr;
    bool good_ = true;
    bool debug_[2] = {};
};

} // namespace gnomon

#endif
