// SPDX-License-Identifier: Apache-2.0
// A pseudo terminal whose other side is the board's UART link. Time runs while a byte is on its way or an answer is in
// progress, and stands still while the board waits for its host (docs/guide/serial.md).
#ifndef GNOMON_SIM_SERIAL_TERMINAL_H
#define GNOMON_SIM_SERIAL_TERMINAL_H

#include <csignal>
#include <string>
#include <vector>

#include "simulated_board.h"

namespace gnomon {

class Terminal {
  public:
    Terminal(Board &board, bool free_running, bool once) : board_(board), free_(free_running), once_(once) {
    }
    ~Terminal();
    Terminal(const Terminal &) = delete;
    Terminal &operator=(const Terminal &) = delete;

    bool open(std::string &error);
    const std::string &path() const {
        return path_;
    }
    // Serves until `stop` is set; with `once`, only until the process that opened the terminal has closed it.
    bool serve(const volatile std::sig_atomic_t &stop, std::string &error);

  private:
    bool receive(int timeout_ms);
    bool send();

    Board &board_;
    bool free_;
    bool once_;
    int master_ = -1;
    int slave_ = -1; // kept open as long as a close by the host need not be noticed
    bool opened_ = false;
    std::string path_;
    std::vector<uint8_t> out_;
};

} // namespace gnomon

#endif
