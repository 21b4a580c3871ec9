// SPDX-License-Identifier: Apache-2.0
// Reference model of the profile: assigns every cycle to a function, from the retired instruction stream and the ELF
// alone, without hooks or trace. Time can count an event in place of cycles. `gnomon report` must print the same
// numbers. A function with hooks gets the cycles from hook to hook (its slot number tells whether the hook at the entry
// has one instruction or two); with `watch`, the other functions get the cycles from the call to the return.
#pragma once
#include <array>
#include <cstdint>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <jansson.h>

#include "interrupt_oracle.h"
#include "lock_oracle.h"

namespace gnomon {

// Signals of the observation bundle (docs/internals/observation.md) that the oracle reads in one cycle.
struct OracleSample {
    bool valid, trap, trap_enter, trap_leave;
    uint8_t trap_cause, cause;
    uint32_t insn, pc, next_pc;
    uint8_t rd_addr;
    uint32_t rd_wdata;
    uint32_t mem_addr;
    uint8_t mem_wmask;
    uint32_t mem_wdata;
    bool mie, mpie; // of mstatus, before the instruction
    uint8_t irq_requests;
    bool ticks = true; // the event that time counts happens in this cycle
};

class Oracle {
  public:
    // Reads functions from the ELF. On failure ok() is false and error() gives the reason.
    explicit Oracle(const std::string &elf_path, bool watch = false);
    bool ok() const {
        return error_.empty();
    }
    const std::string &error() const {
        return error_;
    }
    // The hart has left reset: forgets all counts; the next cycle() is cycle 0.
    void reset();
    // One clock cycle with the hart out of reset. Nothing is counted after the program's end.
    void cycle(const OracleSample &sample);
    // Makes `other`, which has the same program, the model of hart 1: both keep one account of locks. reset() and
    // write() then act for both.
    void join(Oracle &other);
    // Has the program ended in a cycle()?
    bool ended() const {
        return started_ && !running_;
    }
    // Ends the program in the cycle that was shown last.
    void end_program();
    // Writes the result as JSON. If it cannot, returns false, with errno set.
    bool write(const std::string &path) const;
    // From now on each interrupt adds a line to the file: the cycle, mcause's code, and the return addresses of the
    // open calls, the last call first. Returns false if the file cannot be written.
    bool show_stacks(const std::string &path);

  private:
    struct Function {
        std::string name;
        uint32_t start = 0;
        unsigned overlay = 0; // number of the function's overlay plus 1; 0: none
        bool hooked = false, watched = false;
        bool late = false; // the hook is its second instruction, not its first
        bool profiled() const {
            return hooked || watched;
        }
        uint64_t calls = 0, self = 0, total = 0;
    };
    // One call in progress. Calls of functions that are not profiled are kept only for their return address.
    struct Activation {
        Function *function; // null: not profiled
        uint32_t return_address;
        uint32_t sp;      // stack pointer at entry
        uint64_t entered; // own time of the context at entry
        bool outermost;
        bool within; // the function below jumped to this one, and ends with it
    };
    enum class Transfer { None, Call, TailCall, Jump, Return, Trap };
    // The calls of one context: the program, or a trap within it. A context's own time stands still while a trap is
    // above it.
    struct Context {
        Function *trap = nullptr; // pseudo function of the trap; null for the program
        std::vector<Activation> stack;
        std::map<const Function *, unsigned> active;
        uint64_t began = 0;                 // cycle of the start
        uint64_t foreign = 0;               // cycles of traps that were taken above it
        uint64_t retired_at = 0;            // cycle of the last retirement in this context
        uint64_t retired_own = 0;           // its own time at that retirement
        uint64_t resumed_at = 0;            // cycle in which the last trap above it ended
        uint64_t shift = 0;                 // cycles credited since the last retirement, because of traps
        Transfer transfer = Transfer::None; // kind of the last retired instruction
        Function *arriving = nullptr;       // a late function, whose first instruction has retired
        uint32_t return_address = 0;
        bool within = false;
    };

    json_t *json() const;
    bool load(const std::string &path);
    Function *starting(uint32_t pc);
    void note_load();
    Context &context() {
        return contexts_.back();
    }
    uint64_t own_time() {
        return now_ - context().foreign;
    }
    void credit(uint64_t now);
    uint64_t *self_of_top(size_t skip);
    const Function *caller();
    void enter(Function *function, uint32_t return_address, bool within = false);
    void leave();
    void close(const Activation &call, uint64_t own_time);
    void call(const OracleSample &sample);
    bool tail_call(Function *function, bool indirect);
    bool returns_by(const OracleSample &sample) const;
    void run_thread(uint32_t number);
    static bool continues(const Function *function, const Function *target);
    void arrive(const OracleSample &sample);
    void depart(const OracleSample &sample);
    void jump(const OracleSample &sample);
    void unwind(uint32_t target);
    void trap_enter(uint8_t cause);
    void show_stack(uint8_t code);
    void end_calls_of_trap();
    void trap_leave();
    void end_trap();
    void end_thread();
    void retire(const OracleSample &sample);
    static Transfer transfer_of(uint32_t insn);
    static bool is_indirect(uint32_t insn);

    std::string error_;
    std::vector<Function> functions_;   // sorted by start address and overlay
    std::set<unsigned> overlays_;       // all overlays of the program
    uint32_t loader_ = 0;               // start address of gnomon_overlay_load
    unsigned loaded_ = 0;               // last loaded overlay, plus 1
    std::map<uint8_t, Function> traps_; // key: cause
    // Number of calls for each pair of caller and callee, both profiled. For the first call in a trap, the caller is
    // the trap.
    std::map<std::pair<const Function *, const Function *>, uint64_t> arcs_;
    LockOracle own_locks_;
    LockOracle *locks_ = &own_locks_;
    InterruptOracle interrupts_;
    Oracle *other_ = nullptr; // of hart 1
    unsigned hart_ = 0;
    std::ofstream stacks_;
    std::vector<Context> contexts_;
    struct Thread {
        std::vector<Context> contexts;
        uint64_t left = 0; // cycle in which the thread stopped running
    };
    std::map<uint32_t, Thread> threads_; // threads that are not running
    uint32_t thread_ = 0;
    bool watch_;
    std::array<uint64_t, 32> causes_{};
    uint64_t now_ = 0, credited_ = 0, unprofiled_ = 0, instructions_ = 0;
    uint32_t sp_ = 0, ra_ = 0, a0_ = 0;
    bool running_ = false, started_ = false;
    bool ticked_ = false; // time advances before the next cycle
};

} // namespace gnomon
