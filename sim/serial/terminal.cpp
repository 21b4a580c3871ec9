// SPDX-License-Identifier: Apache-2.0
#if SIM_SERIAL
#include "terminal.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

namespace gnomon {

namespace {

constexpr uint64_t stride = 4096; // ticks between two polls of the terminal
constexpr int wait_ms = 20;       // pause between polls until the terminal is opened

} // namespace

Terminal::~Terminal() {
    if (slave_ >= 0)
        close(slave_);
    if (master_ >= 0)
        close(master_);
}

bool Terminal::open(std::string &error) {
    master_ = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    char name[128];
    termios mode{};
    bool good = master_ >= 0 && grantpt(master_) == 0 && unlockpt(master_) == 0 &&
                ptsname_r(master_, name, sizeof name) == 0 && tcgetattr(master_, &mode) == 0;
    if (good) {
        cfmakeraw(&mode);
        good = tcsetattr(master_, TCSANOW, &mode) == 0;
    }
    if (good && !once_)
        good = (slave_ = ::open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)) >= 0;
    if (!good) {
        error = std::string("no pseudo terminal: ") + strerror(errno);
        return false;
    }
    path_ = name;
    return true;
}

// Moves bytes from the host to the line. Returns false if the host has closed the terminal.
bool Terminal::receive(int timeout_ms) {
    pollfd polled = {master_, POLLIN, 0};
    if (poll(&polled, 1, timeout_ms) <= 0)
        return true;
    if (polled.revents & POLLIN) {
        uint8_t buffer[4096];
        ssize_t got = read(master_, buffer, sizeof buffer);
        for (ssize_t i = 0; i < got; ++i)
            board_.uart().send(buffer[i], board_.now());
        opened_ = opened_ || got > 0;
        return true;
    }
    if (polled.revents & POLLHUP) {
        if (opened_)
            return false;
        usleep(wait_ms * 1000); // not opened yet
    }
    return true;
}

// Moves bytes from the board to the host; if the host does not read, the bytes wait in out_.
bool Terminal::send() {
    for (uint8_t byte; board_.uart().receive(byte);)
        out_.push_back(byte);
    while (!out_.empty()) {
        ssize_t sent = write(master_, out_.data(), out_.size());
        if (sent <= 0)
            return errno == EAGAIN || errno == EIO || errno == EINTR;
        out_.erase(out_.begin(), out_.begin() + sent);
    }
    return true;
}

// Unless the simulator runs freely, the host gets the board's bytes only when no more will come. So the run does not
// depend on when the host sees them and answers.
bool Terminal::serve(const volatile std::sig_atomic_t &stop, std::string &error) {
    bool never = false;
    while (!stop) {
        if (free_)
            board_.run(board_.now() + stride, never);
        else
            board_.run_line(board_.now() + stride);
        if (!free_ && !board_.line_idle())
            continue;
        if (!send()) {
            error = std::string("the terminal: ") + strerror(errno);
            return false;
        }
        if (!receive(free_ ? 0 : out_.empty() ? -1 : 1) && once_)
            return true;
    }
    return true;
}

} // namespace gnomon

#endif
