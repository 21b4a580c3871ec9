// SPDX-License-Identifier: Apache-2.0
// cosim_harts: checks the log of a board with two harts (gnomon-sim --retired): every instruction of each hart against
// a reference model, its loads against the one order of memory, its atomic instructions against the other hart's
// writes; and, on request, a hart's instructions against those that QEMU has executed.
//
// usage: cosim_harts [--reference=HART=FILE]... LOG
//
// Prints one line of totals and returns 0, or a report and 1; 2 when a file cannot be read.

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "hart_model.hpp"
#include "reference.h"

namespace {

using namespace cosim;
using gnomon::RetiredRecord;

// Compares a hart's stream, from the reference's first address on, with the reference. The reference names a register
// only if its value changes.
class Stream {
  public:
    explicit Stream(std::vector<reference_record> reference) : reference_(std::move(reference)) {
    }
    bool take(const RetiredRecord &r) {
        if (!r.valid || (!next_ && r.pc != reference_[0].pc) || done())
            return true;
        const reference_record &expected = reference_[next_++];
        if (expected.rd)
            values_[expected.rd] = expected.value;
        return !r.trap && r.pc == expected.pc && r.insn == expected.insn && (!expected.rd || r.rd == expected.rd) &&
               (!r.rd || r.rd_wdata == values_[r.rd]);
    }
    // The last record is the endless loop at the program's end.
    bool done() const {
        return next_ + 1 >= reference_.size();
    }
    size_t compared() const {
        return next_;
    }
    std::string expected() const {
        const reference_record &r = reference_[next_ - 1];
        char text[120];
        snprintf(text, sizeof text, "QEMU: %08" PRIx32 " %s, x%" PRIu32 " = %08" PRIx32, r.pc,
                 disassemble(r.insn, r.pc).c_str(), r.rd, r.value);
        return text;
    }

  private:
    std::vector<reference_record> reference_;
    uint32_t values_[32] = {};
    size_t next_ = 0;
};

std::unique_ptr<Stream> load(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    std::vector<reference_record> records;
    reference_record record;
    while (file.read(reinterpret_cast<char *>(&record), sizeof record))
        records.push_back(record);
    return records.size() < 2 ? nullptr : std::make_unique<Stream>(std::move(records));
}

std::string show(const RetiredRecord &r) {
    char text[160];
    snprintf(text, sizeof text, "cycle %" PRIu32 ", hart %u: %08" PRIx32 " %s, x%u = %08" PRIx32, r.cycle, r.of, r.pc,
             disassemble(r.insn, r.pc).c_str(), r.rd, r.rd_wdata);
    return text;
}

class Check {
  public:
    bool reference(const std::string &argument) {
        const unsigned hart = static_cast<unsigned>(argument[0] - '0');
        if (hart > 1 || argument[1] != '=')
            return false;
        streams_[hart] = load(argument.substr(2));
        return streams_[hart] != nullptr;
    }
    // False on a difference, after a report.
    bool take(const RetiredRecord &r) {
        if (r.cycle < cycle_) {
            models_[0].reset();
            models_[1].reset();
        }
        cycle_ = r.cycle;
        if (r.kind == RetiredRecord::access) {
            memory_.take(r);
            return true;
        }
        if (!models_[r.of].take(r)) {
            printf("MISMATCH  %s\n%s\n", models_[r.of].message().c_str(), show(r).c_str());
            return false;
        }
        if (streams_[r.of] && !streams_[r.of]->take(r)) {
            printf("MISMATCH  %s\n%s\n", streams_[r.of]->expected().c_str(), show(r).c_str());
            return false;
        }
        return true;
    }
    bool finish() const {
        printf("accesses=%" PRIu64, memory_.accesses());
        for (unsigned hart = 0; hart < 2; hart++) {
            const HartTotals &t = models_[hart].totals();
            printf(" hart%u: retired=%" PRIu64 " traps=%" PRIu64 " interrupts=%" PRIu64 " loads=%" PRIu64
                   " shared=%" PRIu64 " stores=%" PRIu64 " amos=%" PRIu64 " sc=%" PRIu64 " failed=%" PRIu64,
                   hart, t.retired, t.traps, t.interrupts, t.loads, t.shared, t.stores, t.amos, t.stored, t.refused);
            if (streams_[hart])
                printf(" compared=%zu", streams_[hart]->compared());
        }
        printf("\n");
        for (unsigned hart = 0; hart < 2; hart++)
            if (streams_[hart] && !streams_[hart]->done()) {
                printf("MISMATCH  hart %u ends before QEMU\n", hart);
                return false;
            }
        return true;
    }

  private:
    MemoryOrder memory_;
    HartModel models_[2] = {{0, memory_}, {1, memory_}};
    std::unique_ptr<Stream> streams_[2];
    uint32_t cycle_ = 1; // so that the first record resets the models
};

} // namespace

int main(int argc, char **argv) {
    Check check;
    const char *log = nullptr;
    for (int n = 1; n < argc; n++) {
        const std::string word = argv[n];
        if (word.rfind("--reference=", 0) == 0) {
            if (!check.reference(word.substr(12))) {
                fprintf(stderr, "cosim_harts: %s: not HART=FILE, or the file is too short\n", argv[n]);
                return 2;
            }
        } else {
            log = argv[n];
        }
    }
    std::FILE *file = log ? std::fopen(log, "rb") : nullptr;
    if (!file) {
        fputs("usage: cosim_harts [--reference=HART=FILE]... LOG\n", stderr);
        return 2;
    }
    RetiredRecord record;
    bool good = true;
    while (good && std::fread(&record, sizeof record, 1, file) == 1)
        good = check.take(record);
    std::fclose(file);
    return good && check.finish() ? 0 : 1;
}
