// SPDX-License-Identifier: Apache-2.0
#include "pin_board.h"

#include <cinttypes>

#include <verilated.h>

#include "Vnetlist_tb.h"

namespace gnomon {

namespace {

constexpr uint64_t fnv_offset = 0xCBF29CE484222325u;
constexpr uint64_t fnv_prime = 0x100000001B3u;

// The board is the only device: no transfer waits for hubs or slow devices.
UsbHostOptions host_options() {
    UsbHostOptions options;
    options.reset_us = 100;
    options.recovery_us = 100;
    options.pause_at_end = true;
    return options;
}

} // namespace

PinBoard::PinBoard(const PinBoardOptions &options)
    : context_(std::make_unique<VerilatedContext>()), logging_(!options.log.empty()) {
    context_->randReset(options.seed ? 2 : 0);
    if (options.seed)
        context_->randSeed(static_cast<int>(options.seed));
    top_ = std::make_unique<Vnetlist_tb>(context_.get(), "pins");
    top_->clk_i = 0;
    top_->pll_i = 0;
    top_->host_oe_i = 1;
    top_->mutant_i = static_cast<uint16_t>(options.mutant);
    top_->eval();
    bus_ = std::make_unique<LineBus>(LineSignals{&top_->host_dp_i, &top_->host_dn_i, &dp_, &dn_, &oe_, &pullup_},
                                     options.host_ppm);
    host_ = std::make_unique<UsbHost>(*bus_, host_options());
    if (logging_)
        log_ = fopen(options.log.c_str(), "w");
}

PinBoard::~PinBoard() {
    top_->final();
    if (log_) {
        fprintf(log_, "pll %u %u\n", top_->pll_multiply_o, top_->pll_divide_o);
        fprintf(log_, "%" PRIu64 " end\n", now_);
        fclose(log_);
    }
}

bool PinBoard::good() const {
    return !logging_ || log_;
}

// Samples the device's levels while the host does not drive the cable.
void PinBoard::look() {
    if (looked_ == now_)
        return;
    looked_ = now_;
    top_->host_oe_i = 0;
    top_->eval();
    dp_ = top_->dp_o;
    dn_ = top_->dn_o;
    oe_ = !(dp_ && dn_);
    pullup_ = top_->pullup_o;
    if (log_)
        note();
}

// The log has one line for each packet: its first tick, its length, and a hash of its levels in every tick.
void PinBoard::note() {
    if (pullup_ != seen_pullup_) {
        seen_pullup_ = pullup_;
        fprintf(log_, "%" PRIu64 " pull-up %u\n", now_, pullup_);
    }
    if (oe_ && !driving_) {
        since_ = now_;
        hash_ = fnv_offset;
    }
    if (oe_)
        hash_ = (hash_ ^ (dp_ | dn_ << 1)) * fnv_prime;
    if (!oe_ && driving_)
        fprintf(log_, "%" PRIu64 " %" PRIu64 " ticks %016" PRIx64 "\n", since_, now_ - since_, hash_);
    driving_ = oe_;
}

// Edges of the two clocks never coincide: PLL edges come between oscillator edges.
void PinBoard::clock() {
    top_->host_oe_i = !oe_;
    top_->clk_i = 1;
    top_->eval();
    top_->clk_i = 0;
    top_->eval();
    for (pll_phase_ += top_->pll_multiply_o; pll_phase_ >= top_->pll_divide_o; pll_phase_ -= top_->pll_divide_o) {
        top_->pll_i = 1;
        top_->eval();
        top_->pll_i = 0;
        top_->eval();
    }
    ++now_;
}

void PinBoard::run(uint64_t limit, const bool &stop) {
    while (now_ < limit) {
        look();
        while (now_ >= host_->next_event_cycle()) {
            host_->tick(now_);
            if (stop)
                return;
        }
        clock();
    }
}

} // namespace gnomon
