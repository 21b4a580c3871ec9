// SPDX-License-Identifier: Apache-2.0
#include "oracle.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include "gnomon/trace.h"

namespace gnomon {

namespace {

constexpr uint32_t kExitAddress = 0u - 4 - 4 * GNOMON_CHANNEL_EXIT;
constexpr uint32_t kThreadAddress = 0u - 4 - 4 * GNOMON_CHANNEL_THREAD;
constexpr uint32_t kNearSlots = 0xFFFFF800; // a store relative to x0 reaches this address and all above
constexpr uint8_t kWord = 0xF;

struct ElfFile {
    int fd = -1;
    Elf *elf = nullptr;
    ~ElfFile() {
        if (elf) {
            elf_end(elf);
        }
        if (fd >= 0) {
            close(fd);
        }
    }
};

bool is_link(unsigned reg) {
    return reg == 1 || reg == 5;
}

// True for code that the compiler moved out of a function.
bool is_part(const std::string &name) {
    const size_t at = name.find(".cold");
    return at != std::string::npos && (at + 5 == name.size() || name[at + 5] == '.');
}

// Functions of different overlays may begin at the same address, so a place includes the overlay.
using Place = std::pair<uint32_t, unsigned>;

// Returns N + 1 for a section `.overlay.N`, else 0.
unsigned overlay_of(const std::string &section) {
    const std::string prefix = ".overlay.";
    return section.compare(0, prefix.size(), prefix) == 0
               ? std::strtoul(section.c_str() + prefix.size(), nullptr, 10) + 1
               : 0;
}

// Adds the functions that have hooks, with their slots, from the compiler's table of (slot, function) pairs. In an
// overlay's table, each pair is followed by a line and a file name padded to words.
void add_hooked(std::map<Place, uint32_t> &hooked, Elf_Data *map, unsigned overlay) {
    const auto *bytes = static_cast<const uint8_t *>(map->d_buf);
    const size_t fixed = overlay ? 12 : 8;
    for (size_t at = 0; at + fixed <= map->d_size;) {
        uint32_t pair[2];
        std::memcpy(pair, bytes + at, sizeof pair);
        if (pair[0] != 0 && pair[1] != 0) {
            hooked[{pair[1], overlay}] = pair[0];
        }
        at += fixed;
        if (overlay) {
            at += (strnlen(reinterpret_cast<const char *>(bytes) + at, map->d_size - at) + 4) / 4 * 4;
        }
    }
}

} // namespace

Oracle::Oracle(const std::string &elf_path, bool watch) : watch_(watch) {
    if (load(elf_path)) {
        reset();
    }
}

bool Oracle::load(const std::string &path) {
    ElfFile file;
    elf_version(EV_CURRENT);
    file.fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    file.elf = file.fd < 0 ? nullptr : elf_begin(file.fd, ELF_C_READ, nullptr);
    size_t names_index = 0;
    if (!file.elf || elf_getshdrstrndx(file.elf, &names_index) != 0) {
        error_ = path + " cannot be read as an ELF file";
        return false;
    }
    std::map<Place, uint32_t> hooked;
    std::vector<std::string> section_names{""};
    Elf_Scn *symbols = nullptr;
    for (Elf_Scn *section = nullptr; (section = elf_nextscn(file.elf, section));) {
        GElf_Shdr header;
        gelf_getshdr(section, &header);
        const char *string = elf_strptr(file.elf, names_index, header.sh_name);
        const std::string name = string ? string : "", map = ".gnomon.map";
        section_names.push_back(name);
        if (overlay_of(name) && header.sh_size > 0) {
            overlays_.insert(overlay_of(name));
        }
        if (header.sh_type == SHT_SYMTAB) {
            symbols = section;
        } else if (name.compare(0, map.size(), map) == 0) {
            add_hooked(hooked, elf_rawdata(section, nullptr), overlay_of(name.substr(map.size())));
        }
    }
    if (!symbols) {
        error_ = path + " has no symbol table";
        return false;
    }
    GElf_Shdr header;
    gelf_getshdr(symbols, &header);
    Elf_Data *data = elf_getdata(symbols, nullptr);
    std::map<Place, Function> by_start;
    for (size_t index = 0; index < header.sh_size / header.sh_entsize; index++) {
        GElf_Sym symbol;
        gelf_getsym(data, static_cast<int>(index), &symbol);
        if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) {
            continue;
        }
        const bool listed = symbol.st_shndx < section_names.size();
        const Place place{static_cast<uint32_t>(symbol.st_value),
                          listed ? overlay_of(section_names[symbol.st_shndx]) : 0};
        Function &function = by_start[place];
        function.name = elf_strptr(file.elf, header.sh_link, symbol.st_name);
        function.start = place.first;
        function.overlay = place.second;
        function.hooked = hooked.count(place) != 0;
        function.late = function.hooked && hooked[place] < kNearSlots;
        if (function.name == "gnomon_overlay_load") {
            loader_ = function.start;
        }
    }
    for (auto &entry : by_start) {
        entry.second.watched = watch_ && !entry.second.hooked && !is_part(entry.second.name);
        functions_.push_back(entry.second);
    }
    return true;
}

void Oracle::reset() {
    for (auto &function : functions_) {
        function.calls = function.self = function.total = 0;
    }
    traps_.clear();
    arcs_.clear();
    own_locks_.reset();
    interrupts_.reset();
    contexts_.clear();
    contexts_.push_back(Context{});
    threads_.clear();
    thread_ = 0;
    causes_.fill(0);
    now_ = credited_ = unprofiled_ = instructions_ = 0;
    sp_ = ra_ = a0_ = 0;
    loaded_ = 0;
    running_ = true;
    started_ = ticked_ = false;
    if (other_) {
        other_->reset();
    }
}

void Oracle::join(Oracle &other) {
    other_ = &other;
    other.locks_ = locks_;
    other.hart_ = 1;
}

Oracle::Function *Oracle::starting(uint32_t pc) {
    auto at = std::lower_bound(functions_.begin(), functions_.end(), pc,
                               [](const Function &function, uint32_t address) { return function.start < address; });
    for (; at != functions_.end() && at->start == pc; ++at) {
        if (at->overlay == 0 || at->overlay == loaded_) {
            return &*at;
        }
    }
    return nullptr;
}

// The program calls the runtime to load the overlay whose number is in a0. The runtime ignores unknown numbers.
void Oracle::note_load() {
    if (overlays_.count(a0_ + 1)) {
        loaded_ = a0_ + 1;
    }
}

// Adds the cycles since the last event to the topmost profiled function, else to the trap, else to unprofiled_.
void Oracle::credit(uint64_t now) {
    if (now <= credited_) {
        return;
    }
    const uint64_t cycles = now - credited_;
    credited_ = now;
    *self_of_top(0) += cycles;
}

// Returns the counter that gets the context's time if its `skip` topmost calls are ignored.
uint64_t *Oracle::self_of_top(size_t skip) {
    auto &stack = context().stack;
    for (size_t index = stack.size(); index-- > 0;) {
        if (stack[index].function && skip-- == 0) {
            return &stack[index].function->self;
        }
    }
    return context().trap ? &context().trap->self : &unprofiled_;
}

// Returns the topmost profiled function. If no such call is open, returns the trap; in the program, null.
const Oracle::Function *Oracle::caller() {
    const auto &stack = context().stack;
    const auto found = std::find_if(stack.rbegin(), stack.rend(), [](const Activation &call) { return call.function; });
    return found != stack.rend() ? found->function : context().trap;
}

void Oracle::enter(Function *function, uint32_t return_address, bool within) {
    if (function && !function->profiled()) {
        function = nullptr;
    }
    bool outermost = false;
    if (function) {
        credit(now_);
        function->calls++;
        arcs_[{caller(), function}]++;
        outermost = context().active[function]++ == 0;
    }
    context().stack.push_back({function, return_address, sp_, own_time(), outermost, within});
}

// Removes the topmost call. A watched function ends with the instruction that now retires. A function with hooks ended
// with the last retirement in its context, before that instruction. If a trap came in between, cycles credited since
// then belong to the caller.
void Oracle::leave() {
    Context &c = context();
    const Activation &call = c.stack.back();
    if (call.function && call.function->watched) {
        credit(now_);
        close(call, own_time());
    } else if (call.function) {
        if (c.retired_at > credited_) {
            credit(c.retired_at);
        } else if (c.shift) {
            call.function->self -= c.shift;
            *self_of_top(1) += c.shift;
        }
        c.shift = 0;
        close(call, c.retired_own);
    }
    c.stack.pop_back();
}

void Oracle::close(const Activation &call, uint64_t own_time) {
    context().active[call.function]--;
    if (call.outermost) {
        call.function->total += own_time - call.entered;
    }
}

bool Oracle::continues(const Function *function, const Function *target) {
    return function && target->name.compare(0, function->name.size() + 5, function->name + ".cold") == 0;
}

// The instruction is the first one after a call, jump or trap: it may be the first one of a function.
void Oracle::arrive(const OracleSample &sample) {
    Context &c = context();
    const Transfer transfer = c.transfer;
    c.transfer = Transfer::None;
    if (c.arriving) {
        enter(c.arriving, c.return_address, c.within);
        c.arriving = nullptr;
    } else if (transfer == Transfer::Call || transfer == Transfer::TailCall) {
        Function *function = starting(sample.pc);
        if (function && function->late) {
            c.arriving = function;
        } else {
            enter(function, c.return_address, c.within);
        }
    } else if (transfer == Transfer::Trap) {
        Function *handler = starting(sample.pc);
        if (handler && handler->profiled()) {
            enter(handler, 0);
        }
    }
}

void Oracle::depart(const OracleSample &sample) {
    switch (transfer_of(sample.insn)) {
    case Transfer::Call:
        call(sample);
        break;
    case Transfer::Jump:
        if (returns_by(sample)) {
            unwind(sample.next_pc);
        } else {
            jump(sample);
        }
        break;
    case Transfer::Return:
        unwind(sample.next_pc);
        break;
    default:
        break;
    }
}

// A watched function runs from the call on; a function with hooks runs from its first instruction on. Calls that put
// their return address into t0 call code that is part of the caller.
void Oracle::call(const OracleSample &sample) {
    Context &c = context();
    Function *function = starting(sample.next_pc);
    if (function && function->watched) {
        enter(sample.rd_addr == 1 ? function : nullptr, sample.rd_wdata);
        return;
    }
    c.transfer = Transfer::Call;
    c.return_address = sample.rd_wdata;
    c.within = false;
}

// True if a watched function returns by a jump through any register: to the place where its caller waits.
bool Oracle::returns_by(const OracleSample &sample) const {
    const auto &stack = contexts_.back().stack;
    return watch_ && !stack.empty() && stack.back().return_address == sample.next_pc && stack.back().sp == sp_;
}

// Handles a tail call from or to a watched function. Returns false if neither is watched.
bool Oracle::tail_call(Function *function, bool indirect) {
    Context &c = context();
    Function *top = c.stack.empty() ? nullptr : c.stack.back().function;
    if (!function->watched && !(top && top->watched)) {
        return false;
    }
    if (function == top && c.stack.back().sp == sp_ && !indirect) {
        return true; // a loop: compilers make no loops that jump through a register
    }
    const uint32_t return_address = c.stack.empty() ? 0 : c.stack.back().return_address;
    // A function with hooks has already reported its end. A watched function ends if the jump's target is watched, too,
    // and if it has restored sp and ra.
    const bool restored = !c.stack.empty() && c.stack.back().sp == sp_ && return_address == ra_;
    const bool ends = !c.stack.empty() && (!(top && top->watched) || (function->watched && restored));
    if (ends) {
        leave();
    }
    const bool within = !c.stack.empty() && !ends;
    if (function->watched) {
        enter(function, return_address, within);
    } else {
        c.transfer = Transfer::TailCall;
        c.return_address = return_address;
        c.within = within;
    }
    return true;
}

// A jump to the start of another function is a tail call: the jumping function ends, and its caller waits for the other
// function.
void Oracle::jump(const OracleSample &sample) {
    Context &c = context();
    Function *function = starting(sample.next_pc);
    if (!function || (!c.stack.empty() && continues(c.stack.back().function, function))) {
        return;
    }
    if (tail_call(function, is_indirect(sample.insn))) {
        return;
    }
    c.transfer = Transfer::TailCall;
    c.return_address = 0;
    c.within = false;
    if (!c.stack.empty()) {
        c.return_address = c.stack.back().return_address;
        leave();
    }
}

// A return ends all calls down to the one that waits for this address. If none waits for it, the return is a longjmp:
// calls whose frame lies below the stack pointer have ended.
void Oracle::unwind(uint32_t target) {
    auto &stack = context().stack;
    const auto awaits = [target](const Activation &call) { return call.return_address == target; };
    const auto found = std::find_if(stack.rbegin(), stack.rend(), awaits);
    if (found != stack.rend()) {
        for (auto calls = found - stack.rbegin() + 1; calls > 0; calls--) {
            bool with_caller = stack.back().within;
            leave();
            while (calls == 1 && with_caller && !stack.empty()) {
                with_caller = stack.back().within;
                leave();
            }
        }
        return;
    }
    Function *function = watch_ ? starting(target) : nullptr;
    if (watch_ && !stack.empty()) { // the topmost call returns, whichever function it is
        leave();
    }
    while (!stack.empty() && stack.back().sp <= sp_) {
        leave();
    }
    if (function && function->watched) { // a thread begins
        enter(function, 0);
    }
}

// Switches to another thread's calls and its times, which stood still while the thread did not run.
void Oracle::run_thread(uint32_t number) {
    if (number == thread_) {
        return;
    }
    credit(now_);
    threads_[thread_] = {contexts_, now_};
    thread_ = number;
    Thread &next = threads_[number];
    if (next.contexts.empty()) {
        next.contexts.push_back(Context{});
    }
    contexts_ = next.contexts;
    context().foreign += now_ - next.left;
}

bool Oracle::show_stacks(const std::string &path) {
    stacks_.open(path);
    return stacks_.good();
}

// A function that was entered by a jump returns to the same address as the function that jumped: the address is printed
// once.
void Oracle::show_stack(uint8_t code) {
    stacks_ << std::dec << now_ << ' ' << unsigned{code} << std::hex;
    bool within = false;
    for (auto call = context().stack.rbegin(); call != context().stack.rend(); ++call) {
        if (!within) {
            stacks_ << ' ' << call->return_address;
        }
        within = call->within;
    }
    stacks_ << '\n';
}

void Oracle::trap_enter(uint8_t cause) {
    Context &c = context();
    if (stacks_.is_open() && (cause & 0x20)) {
        show_stack(cause & 0x1F);
    }
    credit(now_);
    c.shift += now_ - std::max(c.retired_at, c.resumed_at);
    Function &trap = traps_[cause];
    trap.name = std::string(cause & 0x20 ? "[interrupt " : "[exception ") + std::to_string(cause & 0x1F) + "]";
    trap.calls++;
    Context next;
    next.trap = &trap;
    next.began = next.retired_at = now_;
    next.transfer = Transfer::Trap;
    contexts_.push_back(next);
}

// The trap handler was not called, so no return ends it; its `mret` ends it.
void Oracle::end_calls_of_trap() {
    while (contexts_.size() > 1 && !context().stack.empty()) {
        leave();
    }
}

void Oracle::trap_leave() {
    if (contexts_.size() == 1) {
        return;
    }
    credit(now_);
    end_trap();
    context().resumed_at = now_;
}

void Oracle::end_trap() {
    const Context &ended = context();
    ended.trap->total += now_ - ended.began - ended.foreign;
    const uint64_t cycles = now_ - ended.began;
    contexts_.pop_back();
    context().foreign += cycles;
}

void Oracle::end_program() {
    credit(now_);
    end_thread();
    for (auto &thread : threads_) { // the threads' times have stood still since the threads last ran
        if (thread.first != thread_) {
            contexts_ = thread.second.contexts;
            context().foreign += now_ - thread.second.left;
            end_thread();
        }
    }
    running_ = false;
}

void Oracle::end_thread() {
    for (;;) {
        for (auto &call : context().stack) {
            if (call.function) {
                close(call, own_time());
            }
        }
        if (contexts_.size() == 1) {
            break;
        }
        end_trap();
    }
}

void Oracle::retire(const OracleSample &sample) {
    instructions_++;
    if (sample.pc == loader_) {
        note_load();
    }
    arrive(sample);
    if (sample.trap_leave) {
        end_calls_of_trap();
    } else {
        depart(sample);
    }
    Context &c = context();
    c.shift = 0;
    c.retired_at = now_;
    c.retired_own = own_time();
    if (sample.rd_addr == 2) {
        sp_ = sample.rd_wdata;
    } else if (sample.rd_addr == 1) {
        ra_ = sample.rd_wdata;
    } else if (sample.rd_addr == 10) {
        a0_ = sample.rd_wdata;
    }
    if (sample.mem_wmask == kWord && LockOracle::is_lock(sample.mem_addr)) {
        locks_->store(now_, hart_, sample.mem_addr, sample.mem_wdata);
    }
    if (watch_ && sample.mem_wmask == kWord && sample.mem_addr == kThreadAddress) {
        run_thread(sample.mem_wdata);
    }
    if (sample.mem_wmask == kWord && sample.mem_addr == kExitAddress) {
        end_program();
    }
}

void Oracle::cycle(const OracleSample &sample) {
    if (!running_) {
        return;
    }
    now_ += ticked_;
    ticked_ = sample.ticks;
    started_ = true;
    causes_[sample.cause]++;
    interrupts_.cycle({now_, sample.pc, sample.valid, sample.trap_enter, sample.trap_leave, sample.mie, sample.mpie,
                       sample.trap_cause, sample.irq_requests});
    if (sample.valid && !sample.trap) {
        retire(sample);
    }
    if (running_ && sample.trap_leave) {
        trap_leave();
    }
    if (running_ && sample.trap_enter) {
        trap_enter(sample.trap_cause);
    }
}

Oracle::Transfer Oracle::transfer_of(uint32_t insn) {
    const unsigned rd = insn >> 7 & 31, rs1 = insn >> 15 & 31;
    if ((insn & 3) == 3) {
        switch (insn & 0x7F) {
        case 0x6F: // jal
            return is_link(rd) ? Transfer::Call : Transfer::Jump;
        case 0x67: // jalr
            return is_link(rd) ? Transfer::Call : is_link(rs1) ? Transfer::Return : Transfer::Jump;
        default:
            return Transfer::None;
        }
    }
    switch (insn & 0xE003) {
    case 0x2001: // c.jal
        return Transfer::Call;
    case 0xA001: // c.j
        return Transfer::Jump;
    case 0x8002: // c.jr, c.jalr, c.mv, c.add, c.ebreak: register rs1 is in the bits of rd
        if ((insn >> 2 & 31) != 0 || rd == 0) {
            return Transfer::None;
        }
        return insn & 0x1000 ? Transfer::Call : is_link(rd) ? Transfer::Return : Transfer::Jump;
    default:
        return Transfer::None;
    }
}

// True if a jump goes through a register.
bool Oracle::is_indirect(uint32_t insn) {
    return (insn & 3) == 3 ? (insn & 0x7F) == 0x67 : (insn & 0xE003) == 0x8002;
}

} // namespace gnomon
