// SPDX-License-Identifier: Apache-2.0
// An independent account of where every cycle went: from the retired instruction stream and the ELF alone, without a
// look at hooks or trace. What `gnomon report` prints must equal it. Functions with hooks are accounted for from hook
// to hook (whether that at the entry is one instruction or two, their numbers say); with `watch` the others, too, from
// the call to the return.
#pragma once
#include <array>
#include <cstdint>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace gnomon {

// The part of the observation bundle (docs/observation.md) that the oracle reads in one cycle.
struct OracleSample {
    bool valid, trap, trap_enter, trap_leave;
    uint8_t trap_cause, cause;
    uint32_t insn, pc, next_pc;
    uint8_t rd_addr;
    uint32_t rd_wdata;
    uint32_t mem_addr;
    uint8_t mem_wmask;
    uint32_t mem_wdata;
};

class Oracle {
  public:
    // Reads functions from the ELF; on failure ok() is false and error() says why.
    explicit Oracle(const std::string &elf_path, bool watch = false);
    bool ok() const {
        return error_.empty();
    }
    const std::string &error() const {
        return error_;
    }
    // The hart left reset: what was counted is forgotten, the next cycle() is cycle 0.
    void reset();
    // One clock cycle with the hart out of reset. Nothing is counted after the program's end.
    void cycle(const OracleSample &sample);
    // Writes the result as JSON; false with errno set when it cannot.
    bool write(const std::string &path) const;
    // From now on each interrupt adds a line to that file: the cycle, mcause's code, and the addresses to which the
    // calls that are open return, the last call's first. False when it cannot be written.
    bool show_stacks(const std::string &path);

  private:
    struct Function {
        std::string name;
        uint32_t start = 0;
        unsigned overlay = 0; // one more than the number of the overlay that it lies in; 0: none
        bool hooked = false, watched = false;
        bool late = false; // its hook is the second instruction
        bool profiled() const {
            return hooked || watched;
        }
        uint64_t calls = 0, self = 0, total = 0;
    };
    // One call in progress. Calls of functions that are not profiled are kept for their return address only.
    struct Activation {
        Function *function; // null: not profiled
        uint32_t return_address;
        uint32_t sp;      // at entry
        uint64_t entered; // own time of the context
        bool outermost;
        bool within; // was jumped to by the call below, which ends with it
    };
    enum class Transfer { None, Call, TailCall, Jump, Return, Trap };
    // The calls of one context: the program, or a trap within it. Its own time stands still while a trap is on top.
    struct Context {
        Function *trap = nullptr; // pseudo function of the trap, null for the program
        std::vector<Activation> stack;
        std::map<const Function *, unsigned> active;
        uint64_t began = 0;                 // cycle
        uint64_t foreign = 0;               // cycles of traps taken on top of it
        uint64_t retired_at = 0;            // cycle of the last retirement in this context
        uint64_t retired_own = 0;           // the same in own time
        uint64_t resumed_at = 0;            // cycle in which the last trap on top of it ended
        uint64_t shift = 0;                 // cycles credited since the last retirement, because of traps
        Transfer transfer = Transfer::None; // what the last retirement was
        Function *arriving = nullptr;       // a late one, whose first instruction has retired
        uint32_t return_address = 0;
        bool within = false;
    };

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
    bool tail_call(Function *function);
    bool returns_by(const OracleSample &sample) const;
    void run_thread(uint32_t number);
    static bool continues(const Function *function, const Function *target);
    void arrive(const OracleSample &sample);
    void depart(const OracleSample &sample);
    void jump(uint32_t target);
    void unwind(uint32_t target);
    void trap_enter(uint8_t cause);
    void show_stack(uint8_t code);
    void end_calls_of_trap();
    void trap_leave();
    void end_trap();
    void end_program();
    void end_thread();
    void retire(const OracleSample &sample);
    static Transfer transfer_of(uint32_t insn);

    std::string error_;
    std::vector<Function> functions_;   // by start address and overlay
    std::set<unsigned> overlays_;       // that there are
    uint32_t loader_ = 0;               // where gnomon_overlay_load begins
    unsigned loaded_ = 0;               // overlay that it has loaded last
    std::map<uint8_t, Function> traps_; // by cause
    // How often who called whom: caller and callee, both profiled; the caller of what a trap calls first is the trap.
    std::map<std::pair<const Function *, const Function *>, uint64_t> arcs_;
    std::ofstream stacks_;
    std::vector<Context> contexts_;
    struct Thread {
        std::vector<Context> contexts;
        uint64_t left = 0; // cycle
    };
    std::map<uint32_t, Thread> threads_; // that do not run
    uint32_t thread_ = 0;
    bool watch_;
    std::array<uint64_t, 32> causes_{};
    uint64_t now_ = 0, credited_ = 0, outside_ = 0, instructions_ = 0;
    uint32_t sp_ = 0, ra_ = 0, a0_ = 0;
    bool running_ = false, started_ = false;
};

} // namespace gnomon
