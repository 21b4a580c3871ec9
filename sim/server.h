// SPDX-License-Identifier: Apache-2.0
// USB/IP server on the loopback with one device, the board. One thread: it serves the sockets and runs the simulation
// in between, as far as Lockstep lets it.
#ifndef GNOMON_SIM_SERVER_H
#define GNOMON_SIM_SERVER_H

#include <csignal>
#include <cstdint>
#include <list>
#include <map>
#include <string>

#include "lockstep.h"
#include "simulated_board.h"
#include "usbip_messages.h"

namespace gnomon {

class Server {
  public:
    // Pulls the cable out `unplug_ms` after the hart has first left reset; 0: never.
    Server(Board &board, bool free_running, bool once, unsigned unplug_ms)
        : board_(board), lockstep_(board, free_running), once_(once), unplug_ms_(unplug_ms) {
    }
    ~Server();
    Server(const Server &) = delete;
    Server &operator=(const Server &) = delete;

    // Reads the device's descriptors and configures it, as a host does with a new device. If the device does not
    // answer, resets the bus and starts again, a few times.
    bool enumerate(std::string &error);
    bool listen(const std::string &host, uint16_t port, std::string &error);
    uint16_t port() const {
        return port_;
    }
    // Serves until `stop` is set; with `once`, only until the importing connection has ended.
    bool serve(const volatile std::sig_atomic_t &stop, std::string &error);

  private:
    struct Transfer {
        uint64_t id = 0;
        uint8_t endpoint = 0;
        bool unlinked = false;
        uint32_t unlink_seqnum = 0;
    };
    struct Connection {
        int fd = -1;
        uint64_t number = 0;
        bool imported = false;
        bool closing = false; // close after writing the rest
        bool broken = false;
        Bytes in, out;
        std::map<uint32_t, Transfer> transfers; // key: seqnum
    };

    bool unplugged(std::string &error);
    bool identify();
    bool control(uint8_t type, uint8_t request, uint16_t value, uint16_t length, Bytes &answer);
    void poll_sockets(int timeout_ms);
    void accept_one();
    void receive(Connection &connection);
    void send(Connection &connection);
    void parse(Connection &connection);
    size_t parse_op(Connection &connection);
    size_t parse_command(Connection &connection);
    void import(Connection &connection, const uint8_t *busid);
    void submit(Connection &connection, const UsbipCommand &command, const uint8_t *data);
    bool own_request(Connection &connection, const UsbipCommand &command);
    void unlink(Connection &connection, const UsbipCommand &command);
    void finished(uint64_t number, uint32_t seqnum, UsbTransfer &transfer);
    void drop_dead();
    Connection *find(uint64_t number);

    Board &board_;
    Lockstep lockstep_;
    bool once_;
    unsigned unplug_ms_;
    uint64_t unplug_at_ = 0; // a tick, set when it is known
    UsbipDevice device_;
    int listener_ = -1;
    uint16_t port_ = 0;
    std::list<Connection> connections_;
    uint64_t next_number_ = 1;
    uint64_t owner_ = 0; // number of the connection that imported the device
    bool completed_ = false;
    bool ended_ = false;
};

} // namespace gnomon

#endif
