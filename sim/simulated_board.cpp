// SPDX-License-Identifier: Apache-2.0
#include "simulated_board.h"

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <optional>

#include <verilated.h>
#include <verilated_sym_props.h>
#if VM_TRACE
#include <verilated_vcd_c.h>
#endif

#include "Vgnomon_sim_top.h"
#include "edges.h"
#include "trace_tap.h"
#include "usb/fault_injector.h"
#if SIM_LINE
#include "usb/line_bus.h"
#elif !SIM_SERIAL
#include "usb/functional_bus.h"
#endif

namespace gnomon {

namespace {

#if SIM_LINE
constexpr uint64_t line_hz = 48000000;
#endif
constexpr unsigned power_on_cycles = 32;
constexpr unsigned settle_cycles = 8; // cycles for which a part of the SoC is still clocked when it has no more work

#if !SIM_SERIAL
constexpr uint8_t trace_endpoint = 0x82;
// The board is connected directly to its host: no waiting for hubs, or for slow devices to recover.
UsbHostOptions host_options() {
    UsbHostOptions options;
    options.reset_us = 100;
    options.recovery_us = 100;
    options.pause_at_end = true;
    return options;
}
#endif

} // namespace

struct Board::Model {
    VerilatedContext context;
    std::unique_ptr<Vgnomon_sim_top> top;
    std::optional<Edges> edges;
#if SIM_LINE
    std::unique_ptr<LineBus> bus;
    uint64_t phase = 0; // phase of the hart's clock, in ticks of line_hz * clock_hz
#elif SIM_SERIAL
    std::unique_ptr<Uart> uart;
#else
    std::unique_ptr<FunctionalBus> bus;
    uint32_t shown_txn = 0; // txn_i as it was last set
#endif
#if !SIM_SERIAL
    UsbRate rate; // never by_board
    TraceTap tap; // used with UsbRate::lossless
    std::unique_ptr<UsbHost> host;
    UsbFaultInjector faults;
    std::unique_ptr<std::FILE, int (*)(std::FILE *)> usb_log{nullptr, std::fclose};
    bool usb_log_good = true;
#endif
#if VM_TRACE
    std::unique_ptr<VerilatedVcdC> vcd;
    uint64_t dumped = 0; // number of evaluations: the time in the file
#endif

    bool skip;               // do not evaluate edges at which nothing changes
    unsigned host_awake = 0; // cycles for which clk_host_i still runs
    unsigned usb_awake = 0;  // as host_awake, for clk48_i at packet level

    Model(const BoardOptions &options, const uint64_t &cycle);
#if !SIM_SERIAL
    void open_log(const std::string &path, UsbHostOptions &host_side, const uint64_t &cycle);
#endif
#if !SIM_SERIAL
    UsbRate rate_of(const BoardOptions &options) const;
    bool taps() const {
        return rate == UsbRate::lossless;
    }
    void take_byte();
    void encode_ahead();
#endif
    void dump();
    void set();
    template <bool Line> void pulse();
};

Board::Model::Model(const BoardOptions &options, const uint64_t &cycle)
    :
#if !SIM_SERIAL
      faults(options.fault_seed, options.fault_rate),
#endif
      skip(options.skip) {
    context.randReset(0);
#if VM_TRACE
    context.traceEverOn(!options.vcd.empty());
#endif
    top = std::make_unique<Vgnomon_sim_top>(&context, "board");
#if VM_TRACE
    if (!options.vcd.empty()) {
        vcd = std::make_unique<VerilatedVcdC>();
        top->trace(vcd.get(), 99);
        vcd->open(options.vcd.c_str());
    }
#endif
    top->clk_i = 0;
    top->clk_host_i = 0;
    top->clk_encoder_i = 0;
    top->clk48_i = 0;
    top->set_i = 0;
    top->rst_i = 1;
    top->eval();
    edges.emplace(*top);
    set();
#if SIM_LINE
    // The rate of the line is that of its clock: no speedup is possible.
    bus = std::make_unique<LineBus>(LineSignals{&top->usb_dp_i, &top->usb_dn_i, &top->usb_dp_o, &top->usb_dn_o,
                                                &top->usb_oe_o, &top->usb_pullup_o});
#elif SIM_SERIAL
    top->usb_dp_i = 1;
    uart = std::make_unique<Uart>(top->serial_divider_o, uint64_t{options.latency_us} * top->clock_hz_o / 1000000,
                                  options.faults);
#else
    bus = std::make_unique<FunctionalBus>(FunctionalSignals{&top->txn_i, &top->txn_o},
                                          top->clock_hz_o / std::max(1u, options.usb_speedup));
#endif
#if !SIM_SERIAL
    bus->set_seed(options.fault_seed);
    UsbHostOptions host_side = host_options();
    if (options.fault_rate != 0)
        host_side.faults = [this](const UsbTransaction &t) { return faults(t); };
    if (!options.usb_log.empty())
        open_log(options.usb_log, host_side, cycle);
    host = std::make_unique<UsbHost>(*bus, host_side);
    host->set_rate_divisor(trace_endpoint, options.trace_divisor);
    rate = rate_of(options);
    if (taps()) {
        host->set_source(trace_endpoint, [this](UsbResult &packet) { return tap.take(packet); });
        top->tap_i = 1;
        set();
    }
#else
    (void)cycle;
#endif
}

#if !SIM_SERIAL
UsbRate Board::Model::rate_of(const BoardOptions &options) const {
#if SIM_LINE
    (void)options;
    return UsbRate::cable; // a real line has the rate of its cable
#else
    if (options.usb_rate != UsbRate::by_board)
        return options.usb_rate;
    return top->real_o || options.usb_speedup != 0 || options.trace_divisor != 0 || options.fault_rate != 0
               ? UsbRate::load
               : UsbRate::lossless;
#endif
}

// Takes a trace byte for the tap. Call this before the encoder's clock rises.
inline void Board::Model::take_byte() {
    if (top->tap_valid_o)
        tap.put(top->tap_data_o);
}

// The encoder's work takes no time of the hart. So the FIFO never fills: one entry leaves it in each cycle.
inline void Board::Model::encode_ahead() {
    while (top->encoder_ahead_o) {
        take_byte();
        edges->rise_encoder();
        dump();
        edges->fall();
        dump();
    }
}

// Each line of the log has the hart's cycle, the endpoint, and the number of bytes.
void Board::Model::open_log(const std::string &path, UsbHostOptions &host_side, const uint64_t &cycle) {
    usb_log.reset(std::fopen(path.c_str(), "w"));
    usb_log_good = usb_log != nullptr;
    if (!usb_log)
        return;
    host_side.delivered = [this, &cycle](uint8_t endpoint, unsigned length) {
        if (std::fprintf(usb_log.get(), "%" PRIu64 " 0x%02x %u\n", cycle, endpoint, length) < 0)
            usb_log_good = false;
    };
}
#endif

inline void Board::Model::dump() {
#if VM_TRACE
    if (vcd)
        vcd->dump(dumped++);
#endif
}

// Makes the SoC see rst_i, txn_i and the tap's inputs.
void Board::Model::set() {
    top->set_i = 1;
    top->eval();
    top->set_i = 0;
    top->eval();
    usb_awake = settle_cycles;
}

// One cycle of the hart's clock and of the clocks that go with it; at bit level, with `Line`, also of the line's clock.
template <bool Line> inline void Board::Model::pulse() {
#if !SIM_SERIAL
    if (taps())
        encode_ahead();
#endif
    if (top->host_busy_o || top->host_wake_o || !skip)
        host_awake = settle_cycles;
    else if (host_awake != 0)
        --host_awake;
#if SIM_LINE
    const bool usb = Line;
#elif SIM_SERIAL
    const bool usb = true;
#else
    if (top->usb_busy_o || top->txn_i != 0 || !skip)
        usb_awake = settle_cycles;
    else if (usb_awake != 0)
        --usb_awake;
    const bool usb = usb_awake != 0;
#endif
#if !SIM_SERIAL
    if (taps() && host_awake != 0)
        take_byte();
#endif
    edges->rise(host_awake != 0, usb);
    dump();
    edges->fall();
    dump();
}

Board::Board(const BoardOptions &options) : model_(std::make_unique<Model>(options, cycle_)), flash_(options.flash) {
    for (unsigned i = 0; i < power_on_cycles; ++i)
        model_->pulse<true>();
    model_->top->rst_i = 0;
    model_->set();
#if !SIM_SERIAL
    model_->host->attach();
#endif
}

Board::~Board() {
    model_->top->final();
#if VM_TRACE
    if (model_->vcd)
        model_->vcd->close();
#endif
}

// The bytes of the flash chip's model, which only boards with a flash have.
Board::Bytes Board::flash_bytes() const {
    const VerilatedScope *chip = model_->context.scopeFind("board.gnomon_sim_top.g_flash.u_chip");
    const VerilatedVar *bytes = chip ? chip->varFind("mem") : nullptr;
    return bytes ? Bytes{static_cast<uint8_t *>(bytes->datap()), bytes->totalSize()} : Bytes{nullptr, 0};
}

bool Board::load_flash() {
    const Bytes bytes = flash_bytes();
    std::unique_ptr<std::FILE, int (*)(std::FILE *)> file{std::fopen(flash_.c_str(), "rb"), std::fclose};
    if (!bytes.data || (!file && errno != ENOENT))
        return false;
    if (file)
        (void)!std::fread(bytes.data, 1, bytes.size, file.get()); // what the file does not have stays erased
    return !file || !std::ferror(file.get());
}

bool Board::save_flash() const {
    const Bytes bytes = flash_bytes();
    std::FILE *file = std::fopen(flash_.c_str(), "wb");
    const bool written = file && std::fwrite(bytes.data, 1, bytes.size, file) == bytes.size;
    return file && std::fclose(file) == 0 && written;
}

#if SIM_SERIAL
Uart &Board::uart() {
    return *model_->uart;
}

bool Board::line_idle() const {
    return model_->uart->idle() && !model_->top->serial_busy_o;
}

unsigned Board::baud() const {
    return model_->top->clock_hz_o / model_->top->serial_divider_o;
}
#else
UsbHost &Board::usb() {
    return *model_->host;
}

void Board::replug(unsigned away_us) {
    model_->host->replug(now_, away_us);
}

bool Board::usb_log_good() const {
    return model_->usb_log_good && (!model_->usb_log || std::fflush(model_->usb_log.get()) == 0);
}

uint64_t Board::ticks_per_ms() const {
#if SIM_LINE
    return line_hz / 1000;
#else
    return clock_hz() / 1000; // independent of USB's speed
#endif
}
#endif

bool Board::in_reset() const {
    return model_->top->hart_rst_o;
}

uint64_t Board::clock_hz() const {
    return model_->top->clock_hz_o;
}

// True if nothing can happen without the host: the hart is in reset, or it has halted and all its data are sent.
bool Board::quiet() const {
    const Vgnomon_sim_top &top = *model_->top;
    const bool rests = top.stopped_o && !top.host_busy_o && !top.host_wake_o && !top.later_o;
    if (top.left_o || !(top.waits_o || rests))
        return false;
#if SIM_SERIAL
    return line_idle();
#else
    return !model_->bus->busy() && model_->tap.empty();
#endif
}

bool Board::halted() const {
    return model_->top->stopped_o && !in_reset();
}

unsigned Board::left_out_used() const {
    return model_->top->left_out_used_o;
}

bool Board::ended() const {
    return model_->top->ended_o;
}

bool Board::two_harts() const {
    return model_->top->two_harts_o;
}

void Board::observe(Oracle *oracle, Oracle *oracle1, std::string output) {
    oracle_ = oracle;
    oracle1_ = oracle1;
    oracle_output_ = std::move(output);
}

void Board::observe(RetiredLog *retired) {
    retired_ = retired;
}

void Board::observe(Instructions *instructions) {
    instructions_ = instructions;
}

bool Board::finish_oracle() {
    if (!oracle_ || !oracle_dirty_)
        return true;
    oracle_dirty_ = false;
    return oracle_->write(oracle_output_);
}

void Board::observe(Counts *counts) {
    counts_ = counts;
}

void Board::observe(const CountedEvent *clock) {
    clock_ = clock;
}

void Board::observe(Tags *tags) {
    tags_ = tags;
}

// Call this before the clock edge: it shows the state of this cycle.
inline void Board::show() {
    if (retired_)
        show_retired();
    if (model_->top->hart_rst_o) {
        in_reset_ = true;
        cycle_ = 0;
        return;
    }
    ++cycle_;
    if (in_reset_) {
        in_reset_ = false;
        exited_ = false;
        if (oracle_)
            oracle_->reset();
        if (counts_)
            counts_->reset();
        if (tags_)
            tags_->reset();
        if (instructions_)
            instructions_->reset();
    }
    if (oracle_ || instructions_)
        show_oracle();
    if (counts_ || tags_)
        show_counts();
}

inline void Board::show_retired() {
    const Vgnomon_sim_top &top = *model_->top;
    retired_->cycle(cycle_, top.access_o.data(), top.retired0_o.data(), top.retired1_o.data());
}

inline CountsSample Board::counts_sample() const {
    const Vgnomon_sim_top &top = *model_->top;
    CountsSample sample;
    sample.retired = top.obs_valid_o && !top.obs_trap_o;
    sample.cause = top.obs_cause_o;
    sample.insn = top.obs_insn_o;
    sample.pc = top.obs_pc_rdata_o;
    sample.next_pc = top.obs_pc_wdata_o;
    sample.user = top.obs_mode_o == 0;
    sample.mem_addr = top.obs_mem_addr_o;
    sample.mem_rmask = top.obs_mem_rmask_o;
    sample.mem_wmask = top.obs_mem_wmask_o;
    sample.mem_wdata = top.obs_mem_wdata_o;
    sample.rd_wdata = top.obs_rd_wdata_o;
    sample.trap_enter = top.obs_trap_enter_o;
    sample.trap_cause = top.obs_trap_cause_o;
    sample.irq_pending = top.obs_irq_pending_o;
    sample.mispredict = top.obs_mispredict_o;
    sample.cache = top.obs_cache_o;
    sample.bus = top.mon_valid_o;
    sample.bus_master = top.mon_master_o;
    sample.bus_write = top.mon_write_o;
    sample.bus_addr = top.mon_addr_o;
    return sample;
}

inline void Board::show_counts() {
    CountsSample sample = counts_sample();
    if (tags_)
        tags_->cycle(sample);
    if (counts_)
        counts_->cycle(sample);
}

inline OracleSample Board::sample_of_hart1() const {
    const Vgnomon_sim_top &top = *model_->top;
    OracleSample sample;
    sample.valid = top.obs1_valid_o;
    sample.trap = top.obs1_trap_o;
    sample.trap_enter = top.obs1_trap_enter_o;
    sample.trap_leave = top.obs1_trap_leave_o;
    sample.trap_cause = top.obs1_trap_cause_o;
    sample.cause = top.obs1_cause_o;
    sample.insn = top.obs1_insn_o;
    sample.pc = top.obs1_pc_rdata_o;
    sample.next_pc = top.obs1_pc_wdata_o;
    sample.rd_addr = top.obs1_rd_addr_o;
    sample.rd_wdata = top.obs1_rd_wdata_o;
    sample.mem_addr = top.obs1_mem_addr_o;
    sample.mem_wmask = top.obs1_mem_wmask_o;
    sample.mem_wdata = top.obs1_mem_wdata_o;
    return sample;
}

// Shows the cycle to the reference model of hart 1. The program's end on one hart is its end on the other, a cycle
// later.
inline void Board::show_hart1(const OracleSample &sample) {
    oracle1_->cycle(sample);
    for (Oracle *one : {oracle_, oracle1_})
        if (exited_ && !one->ended())
            one->end_program();
    exited_ = oracle_->ended() || oracle1_->ended();
}

inline void Board::show_oracle() {
    const Vgnomon_sim_top &top = *model_->top;
    OracleSample sample;
    sample.valid = top.obs_valid_o;
    sample.trap = top.obs_trap_o;
    sample.trap_enter = top.obs_trap_enter_o;
    sample.trap_leave = top.obs_trap_leave_o;
    sample.trap_cause = top.obs_trap_cause_o;
    sample.cause = top.obs_cause_o;
    sample.insn = top.obs_insn_o;
    sample.pc = top.obs_pc_rdata_o;
    sample.next_pc = top.obs_pc_wdata_o;
    sample.rd_addr = top.obs_rd_addr_o;
    sample.rd_wdata = top.obs_rd_wdata_o;
    sample.mem_addr = top.obs_mem_addr_o;
    sample.mem_wmask = top.obs_mem_wmask_o;
    sample.mem_wdata = top.obs_mem_wdata_o;
    sample.mie = top.obs_mstatus_o & 1;
    sample.mpie = top.obs_mstatus_o & 2;
    sample.irq_requests = top.obs_irq_requests_o;
    if (clock_)
        sample.ticks = clock_->happens(counts_sample());
    const bool both = two_harts();
    const OracleSample sample1 = both ? sample_of_hart1() : OracleSample();
    if (instructions_)
        instructions_->cycle(sample, both ? &sample1 : nullptr);
    if (!oracle_)
        return;
    oracle_->cycle(sample);
    if (oracle1_)
        show_hart1(sample1);
    oracle_dirty_ = true;
}

#if SIM_LINE

// Makes two clocks from one: the hart has an edge when the accumulated phase passes a whole period. An edge of the
// hart's clock between two edges of the line's clock is moved to the later one, so that the order of edges is the same
// in every run.
template <bool Observed> void Board::cycles(uint64_t limit) {
    Model &m = *model_;
    Vgnomon_sim_top &top = *m.top;
    const uint64_t hz = top.clock_hz_o;
    for (; now_ < limit; ++now_) {
        m.phase += hz;
        for (; m.phase >= 2 * line_hz; m.phase -= line_hz) {
            if (Observed)
                show();
            m.pulse<false>();
        }
        if (m.phase >= line_hz) {
            m.phase -= line_hz;
            if (Observed)
                show();
            m.pulse<true>();
        } else {
            top.clk48_i = 1;
            top.eval();
            top.clk48_i = 0;
            top.eval();
        }
    }
}

#elif SIM_SERIAL

template <bool Observed> void Board::cycles(uint64_t limit) {
    Model &m = *model_;
    for (; now_ < limit; ++now_) {
        m.top->usb_dp_i = m.uart->tick(now_, m.top->usb_dp_o);
        if (Observed)
            show();
        m.pulse<false>();
    }
}

#else

template <bool Observed> void Board::cycles(uint64_t limit) {
    Model &m = *model_;
    if (m.top->txn_i != m.shown_txn || m.top->tap_full_i != m.tap.full()) {
        m.shown_txn = m.top->txn_i;
        m.top->tap_full_i = m.tap.full();
        m.set();
    }
    for (; now_ < limit; ++now_) {
        if (Observed)
            show();
        m.pulse<false>();
    }
}

#endif

#if SIM_SERIAL

void Board::run(uint64_t limit, const bool &stop) {
    if (now_ < limit && !stop)
        observed() ? cycles<true>(limit) : cycles<false>(limit);
}

// Looks at the line every few cycles: a frame takes much longer, even the shortest one.
void Board::run_line(uint64_t limit) {
    constexpr uint64_t stride = 8;
    bool never = false;
    while (now_ < limit && !line_idle())
        run(std::min(limit, now_ + stride), never);
}

#else

// A tick in which a transfer ends is complete only when the transfer's owner has reacted. A transfer that the owner
// submits then starts in the same tick, however long the owner took.
void Board::run(uint64_t limit, const bool &stop) {
    UsbHost &host = *model_->host;
    while (now_ < limit) {
        while (now_ >= host.next_event_cycle()) {
            host.set_quick(model_->rate != UsbRate::cable && (in_reset() || ended()));
            host.tick(now_);
            if (stop)
                return;
        }
        const bool reset = in_reset();
        uint64_t until = std::min(limit, reset ? now_ + 1 : host.next_event_cycle());
        observed() || model_->usb_log ? cycles<true>(until) : cycles<false>(until);
        if (reset && !in_reset()) {
            started_ = now_;
            host.begin_anew(now_);
        }
    }
}

#endif

} // namespace gnomon
