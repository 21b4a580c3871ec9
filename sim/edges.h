// SPDX-License-Identifier: Apache-2.0
// Evaluates the model for the rises of its clocks, without Verilator's search for edges. Verilator's eval() compares
// each clock with its last level, twice a cycle, for a rise and a fall: some 400 instructions of the host. The board
// knows which clocks rise, and falls have no effect. So the model's clocks stay low, and only the rises are evaluated.
//
// This depends on the code that Verilator 5.006 generates. eval() is called as usual with another version, with
// waveforms, at bit level, and for a model with an SDRAM, which reacts to more than the rises of its clocks.
#ifndef GNOMON_SIM_EDGES_H
#define GNOMON_SIM_EDGES_H

#include <verilated.h>

#include "Vgnomon_sim_top.h"

#if VERILATOR_VERSION_INTEGER == 5006000 && !VM_TRACE && !SIM_LINE && !SIM_SERIAL
#define SIM_EDGES 1
#include "Vgnomon_sim_top___024root.h"

void Vgnomon_sim_top___024root___eval_triggers__act(Vgnomon_sim_top___024root *root);
void Vgnomon_sim_top___024root___eval_nba(Vgnomon_sim_top___024root *root);
#else
#define SIM_EDGES 0
#endif

namespace gnomon {

class Edges {
  public:
    // When this is called, `top` must have been evaluated with all its clocks low.
    explicit Edges(Vgnomon_sim_top &top) : top_(top) {
#if SIM_EDGES
        hart_ = find(top.clk_i);
        host_ = find(top.clk_host_i);
        encoder_ = find(top.clk_encoder_i);
        usb_ = find(top.clk48_i);
        told_ = hart_ != none && host_ != none && encoder_ != none && usb_ != none;
#endif
    }

    // clk_i rises, with the clocks that go with it: those of the host and the encoder, and that of USB.
    void rise(bool host, bool usb) {
#if SIM_EDGES
        if (told_) {
            auto &triggers = top_.rootp->__VnbaTriggered;
            triggers.clear();
            triggers.at(hart_) = true;
            triggers.at(host_) = host;
            triggers.at(encoder_) = host;
            triggers.at(usb_) = usb;
            Vgnomon_sim_top___024root___eval_nba(top_.rootp);
            return;
        }
#endif
        top_.clk_i = 1;
        top_.clk_host_i = host;
        top_.clk_encoder_i = host;
        top_.clk48_i = usb;
        top_.eval();
    }

    // clk_encoder_i rises alone.
    void rise_encoder() {
#if SIM_EDGES
        if (told_) {
            auto &triggers = top_.rootp->__VnbaTriggered;
            triggers.clear();
            triggers.at(encoder_) = true;
            Vgnomon_sim_top___024root___eval_nba(top_.rootp);
            return;
        }
#endif
        top_.clk_encoder_i = 1;
        top_.eval();
    }

    void fall() {
        if (told_)
            return;
        top_.clk_i = 0;
        top_.clk_host_i = 0;
        top_.clk_encoder_i = 0;
        top_.clk48_i = 0;
        top_.eval();
    }

  private:
#if SIM_EDGES
    static constexpr unsigned none = ~0u;

    // Finds the one trigger that a rise of this clock sets. Returns `none` if the rise sets none or several, or if the
    // clock's fall sets one, too.
    unsigned find(CData &clock) {
        clock = 1;
        const unsigned rises = seen();
        clock = 0;
        return seen() == none ? rises : none;
    }

    unsigned seen() {
        Vgnomon_sim_top___024root___eval_triggers__act(top_.rootp);
        return only(top_.rootp->__VactTriggered);
    }

    template <std::size_t Size> static unsigned only(VlTriggerVec<Size> &triggers) {
        unsigned found = none;
        for (unsigned i = 0; i < Size; ++i) {
            if (!triggers.at(i))
                continue;
            if (found != none)
                return none;
            found = i;
        }
        return found;
    }

    unsigned hart_ = none, host_ = none, encoder_ = none, usb_ = none;
#endif
    Vgnomon_sim_top &top_;
    bool told_ = false;
};

} // namespace gnomon

#endif
