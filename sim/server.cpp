// SPDX-License-Identifier: Apache-2.0
#if !SIM_SERIAL
#include "server.h"

#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

#include "../include/gnomon/sim_time.h"

namespace gnomon {

namespace {

constexpr uint32_t max_transfer = 16u << 20;
constexpr size_t max_pending = 4096;
constexpr size_t max_connections = 16;
constexpr uint8_t get_descriptor = 6, set_address = 5, set_configuration = 9;
constexpr uint16_t device_descriptor = 0x0100, config_descriptor = 0x0200;
constexpr int probe_every = 5, probes = 3; // in seconds, for a silent connection
constexpr unsigned replug_us = 2000;       // how long the cable is out
constexpr unsigned enumeration_attempts = 8;
constexpr uint64_t enumeration_ticks = 480000000;

std::string reason(const char *what) {
    return std::string(what) + ": " + strerror(errno);
}

int32_t errno_of(UsbStatus status) {
    switch (status) {
    case UsbStatus::completed:
        return 0;
    case UsbStatus::stall:
        return usbip_epipe;
    case UsbStatus::overflow:
        return usbip_eoverflow;
    case UsbStatus::cancelled:
        return usbip_econnreset;
    case UsbStatus::error:
        break;
    }
    return usbip_eproto;
}

} // namespace

Server::~Server() {
    for (Connection &connection : connections_)
        close(connection.fd);
    if (listener_ >= 0)
        close(listener_);
}

bool Server::control(uint8_t type, uint8_t request, uint16_t value, uint16_t length, Bytes &answer) {
    bool done = false, good = false;
    UsbTransfer transfer;
    transfer.setup = {type, request, static_cast<uint8_t>(value),  static_cast<uint8_t>(value >> 8),
                      0,    0,       static_cast<uint8_t>(length), static_cast<uint8_t>(length >> 8)};
    transfer.done = [&](UsbTransfer &t) {
        done = true;
        good = t.status == UsbStatus::completed;
        answer.assign(t.buffer.begin(), t.buffer.begin() + t.actual);
    };
    uint64_t id = board_.usb().submit(std::move(transfer));
    board_.run(board_.now() + enumeration_ticks, done);
    if (!done)
        board_.usb().cancel(id);
    return good;
}

bool Server::identify() {
    Bytes none;
    return control(0x80, get_descriptor, device_descriptor, 18, device_.device_descriptor) &&
           device_.device_descriptor.size() == 18 &&
           control(0x80, get_descriptor, config_descriptor, 255, device_.config_descriptor) &&
           device_.config_descriptor.size() >= 9 &&
           control(0x00, set_configuration, device_.config_descriptor[5], 0, none);
}

bool Server::enumerate(std::string &error) {
    device_.path = "/sys/devices/gnomon/1-1";
    device_.busid = "1-1";
    for (unsigned attempt = 0; attempt < enumeration_attempts; ++attempt) {
        if (attempt != 0)
            board_.usb().attach();
        if (identify())
            return true;
    }
    error = "the device did not enumerate";
    return false;
}

bool Server::listen(const std::string &host, uint16_t port, std::string &error) {
    listener_ = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (listener_ < 0) {
        error = reason("socket");
        return false;
    }
    int on = 1;
    setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    inet_pton(AF_INET, host.c_str(), &address.sin_addr); // the address was checked before
    address.sin_port = htons(port);
    socklen_t size = sizeof address;
    if (bind(listener_, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0 || ::listen(listener_, 8) != 0 ||
        getsockname(listener_, reinterpret_cast<sockaddr *>(&address), &size) != 0) {
        error = reason(("port " + std::to_string(port) + " of " + host).c_str());
        return false;
    }
    port_ = ntohs(address.sin_port);
    return true;
}

// Pulls the cable out at the set time. A client that had imported the device loses it, with all pending transfers, as
// when a server's device is unplugged. When the cable is in again, the device can be imported again in its present
// state.
bool Server::unplugged(std::string &error) {
    if (unplug_ms_ == 0 || board_.in_reset())
        return true;
    if (unplug_at_ == 0)
        unplug_at_ = board_.now() + unplug_ms_ * board_.ticks_per_ms();
    if (board_.now() < unplug_at_)
        return true;
    unplug_ms_ = 0;
    for (Connection &connection : connections_)
        connection.broken = connection.broken || connection.imported;
    drop_dead();
    board_.replug(replug_us);
    return enumerate(error);
}

bool Server::serve(const volatile std::sig_atomic_t &stop, std::string &error) {
    while (!stop && !ended_) {
        if (lockstep_.may_run()) {
            completed_ = false;
            board_.run(lockstep_.next_check(), completed_);
            lockstep_.ran_to(board_.now());
            if (!unplugged(error))
                return false;
            if (board_.left_out_used()) {
                error = "a unit was used that this lean model leaves out (docs/guide/sim.md)";
                return false;
            }
            poll_sockets(0);
        } else {
            poll_sockets(lockstep_.patience_ms());
        }
        if (board_.usb().failed()) {
            error = std::string("the device fell off the bus: ") + board_.usb().stats().last_error;
            return false;
        }
    }
    return true;
}

void Server::poll_sockets(int timeout_ms) {
    std::vector<pollfd> polled;
    polled.push_back({listener_, POLLIN, 0});
    for (Connection &connection : connections_)
        polled.push_back({connection.fd, static_cast<short>(POLLIN | (connection.out.empty() ? 0 : POLLOUT)), 0});
    if (poll(polled.data(), polled.size(), timeout_ms) < 0)
        return; // interrupted: the caller finds out why
    size_t at = 1;
    for (Connection &connection : connections_) {
        if (polled[at].revents & (POLLIN | POLLHUP | POLLERR))
            receive(connection);
        ++at;
    }
    if (polled[0].revents & POLLIN)
        accept_one();
    if (lockstep_.may_answer())
        for (Connection &connection : connections_)
            send(connection);
    drop_dead();
}

void Server::accept_one() {
    int fd = accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0)
        return;
    if (connections_.size() >= max_connections) {
        close(fd);
        return;
    }
    int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    // A host whose network cable was pulled must not keep the board.
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &probe_every, sizeof probe_every);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &probe_every, sizeof probe_every);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
    connections_.emplace_back();
    connections_.back().fd = fd;
    connections_.back().number = next_number_++;
}

void Server::receive(Connection &connection) {
    uint8_t buffer[65536];
    while (!connection.broken && !connection.closing) {
        ssize_t got = recv(connection.fd, buffer, sizeof buffer, 0);
        if (got > 0) {
            connection.in.insert(connection.in.end(), buffer, buffer + got);
            parse(connection);
        } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
            connection.broken = true;
        } else {
            return;
        }
    }
}

void Server::send(Connection &connection) {
    while (!connection.broken && !connection.out.empty()) {
        ssize_t sent = ::send(connection.fd, connection.out.data(), connection.out.size(), MSG_NOSIGNAL);
        if (sent > 0)
            connection.out.erase(connection.out.begin(), connection.out.begin() + sent);
        else if (errno == EAGAIN || errno == EINTR)
            return;
        else
            connection.broken = true;
    }
}

void Server::drop_dead() {
    for (auto it = connections_.begin(); it != connections_.end();) {
        if (!it->broken && !(it->closing && it->out.empty())) {
            ++it;
            continue;
        }
        std::map<uint32_t, Transfer> transfers;
        transfers.swap(it->transfers); // so finished() finds no transfer to answer
        for (auto &[seqnum, transfer] : transfers)
            board_.usb().cancel(transfer.id);
        if (it->number == owner_) {
            owner_ = 0;
            lockstep_.closed();
            ended_ = once_;
        }
        close(it->fd);
        it = connections_.erase(it);
    }
}

Server::Connection *Server::find(uint64_t number) {
    for (Connection &connection : connections_) {
        if (connection.number == number)
            return &connection;
    }
    return nullptr;
}

void Server::parse(Connection &connection) {
    size_t used = 0;
    do {
        connection.in.erase(connection.in.begin(), connection.in.begin() + static_cast<std::ptrdiff_t>(used));
        used = connection.imported ? parse_command(connection) : parse_op(connection);
    } while (used != 0 && !connection.closing && !connection.broken);
}

// These functions return the number of bytes used, or 0 if there are not enough.
size_t Server::parse_op(Connection &connection) {
    if (connection.in.size() < usbip_op_size)
        return 0;
    UsbipOp op = usbip_read_op(connection.in.data());
    if (op.version != usbip_version) {
        connection.broken = true;
        return 0;
    }
    switch (op.code) {
    case usbip_req_devlist: {
        usbip_write_op(connection.out, usbip_rep_devlist, usbip_status_good);
        const uint8_t one_device[] = {0, 0, 0, 1};
        connection.out.insert(connection.out.end(), one_device, one_device + sizeof one_device);
        usbip_write_device(connection.out, device_);
        usbip_write_interfaces(connection.out, device_);
        connection.closing = true;
        return usbip_op_size;
    }
    case usbip_req_import:
        if (connection.in.size() < usbip_op_size + usbip_busid_size)
            return 0;
        import(connection, connection.in.data() + usbip_op_size);
        return usbip_op_size + usbip_busid_size;
    default:
        connection.broken = true;
        return 0;
    }
}

void Server::import(Connection &connection, const uint8_t *busid) {
    const char *text = reinterpret_cast<const char *>(busid);
    std::string wanted(text, strnlen(text, usbip_busid_size));
    uint32_t status = usbip_status_good;
    if (wanted != device_.busid)
        status = usbip_status_no_device;
    else if (owner_ != 0)
        status = usbip_status_busy;
    usbip_write_op(connection.out, usbip_rep_import, status);
    if (status != usbip_status_good) {
        connection.closing = true;
        return;
    }
    usbip_write_device(connection.out, device_);
    connection.imported = true;
    owner_ = connection.number;
}

size_t Server::parse_command(Connection &connection) {
    if (connection.in.size() < usbip_header_size)
        return 0;
    UsbipCommand command = usbip_read_command(connection.in.data());
    uint32_t devid = device_.busnum << 16 | device_.devnum;
    if ((command.command != usbip_cmd_submit && command.command != usbip_cmd_unlink) || command.devid != devid ||
        command.direction > 1 || command.length > max_transfer || connection.transfers.size() >= max_pending) {
        connection.broken = true;
        return 0;
    }
    if (command.command == usbip_cmd_unlink) {
        unlink(connection, command);
        return usbip_header_size;
    }
    size_t size = usbip_header_size + (command.direction == 0 ? command.length : 0);
    if (connection.in.size() < size)
        return 0;
    if (connection.transfers.count(command.seqnum)) {
        connection.broken = true;
        return 0;
    }
    submit(connection, command, connection.in.data() + usbip_header_size);
    return size;
}

// Requests about simulated time are answered here, not by the device.
bool Server::own_request(Connection &connection, const UsbipCommand &command) {
    constexpr uint8_t vendor_in = 0xC0, vendor_out = 0x40;
    const auto &setup = command.setup;
    if (setup[0] == vendor_in && setup[1] == GNOMON_SIM_REQUEST_CYCLES && command.direction == 1) {
        Bytes answer;
        for (unsigned shift = 0; shift < 64 && answer.size() < command.length; shift += 8)
            answer.push_back(static_cast<uint8_t>(lockstep_.cycles() >> shift));
        usbip_write_ret_submit(connection.out, command.seqnum, 0, static_cast<uint32_t>(answer.size()), &answer);
        return true;
    }
    if (setup[0] == vendor_out && setup[1] == GNOMON_SIM_REQUEST_LIMIT && command.direction == 0) {
        const uint32_t units = setup[2] | setup[3] << 8 | setup[4] << 16 | static_cast<uint32_t>(setup[5]) << 24;
        lockstep_.limit(uint64_t{units} * GNOMON_SIM_LIMIT_CYCLES);
        usbip_write_ret_submit(connection.out, command.seqnum, 0, 0, nullptr);
        return true;
    }
    return false;
}

void Server::submit(Connection &connection, const UsbipCommand &command, const uint8_t *data) {
    uint8_t endpoint = static_cast<uint8_t>(command.ep | (command.direction && command.ep ? 0x80 : 0));
    bool is_control = command.ep == 0;
    if (command.ep > 15 || !(is_control || usbip_has_endpoint(device_, endpoint)))
        return usbip_write_ret_submit(connection.out, command.seqnum, usbip_enoent, 0, nullptr);
    // The bus sets the address, and the simulator owns the bus.
    if (is_control && command.setup[0] == 0x00 && command.setup[1] == set_address)
        return usbip_write_ret_submit(connection.out, command.seqnum, usbip_epipe, 0, nullptr);
    if (is_control && own_request(connection, command))
        return;

    UsbTransfer transfer;
    transfer.endpoint = endpoint;
    transfer.setup = command.setup;
    transfer.length = command.length;
    transfer.flags = command.flags & usbip_flag_zero_packet ? usb_zero_packet : 0u;
    if (command.direction == 0)
        transfer.buffer.assign(data, data + command.length);
    if (is_control && command.direction == 0)
        transfer.buffer.resize(command.setup[6] | command.setup[7] << 8);
    uint64_t number = connection.number;
    uint32_t seqnum = command.seqnum;
    bool in = command.direction == 1;
    transfer.done = [this, number, seqnum, in, length = command.length](UsbTransfer &done) {
        if (in && done.actual > length)
            done.actual = length;
        finished(number, seqnum, done);
    };
    Transfer &entry = connection.transfers[seqnum];
    entry.endpoint = endpoint;
    entry.id = board_.usb().submit(std::move(transfer));
    lockstep_.submitted(endpoint);
}

// If a cancelled transfer had moved data, it counts as a short transfer that ended just before, so no byte is lost.
void Server::finished(uint64_t number, uint32_t seqnum, UsbTransfer &transfer) {
    completed_ = true;
    Connection *connection = find(number);
    if (!connection)
        return;
    auto it = connection->transfers.find(seqnum);
    if (it == connection->transfers.end())
        return;
    Transfer entry = it->second;
    connection->transfers.erase(it);

    bool cancelled = transfer.status == UsbStatus::cancelled && entry.unlinked && transfer.actual == 0;
    bool in = (entry.endpoint & 0x80) || (entry.endpoint == 0 && (transfer.setup[0] & 0x80));
    if (!cancelled) {
        int32_t status = entry.unlinked && transfer.status == UsbStatus::cancelled ? 0 : errno_of(transfer.status);
        usbip_write_ret_submit(connection->out, seqnum, status, transfer.actual, in ? &transfer.buffer : nullptr);
    }
    if (entry.unlinked)
        usbip_write_ret_unlink(connection->out, entry.unlink_seqnum, cancelled ? usbip_econnreset : 0);
}

void Server::unlink(Connection &connection, const UsbipCommand &command) {
    auto it = connection.transfers.find(command.unlink_seqnum);
    if (it == connection.transfers.end() || it->second.unlinked)
        return usbip_write_ret_unlink(connection.out, command.seqnum, 0);
    it->second.unlinked = true;
    it->second.unlink_seqnum = command.seqnum;
    lockstep_.cancelled(it->second.endpoint);
    board_.usb().cancel(it->second.id);
}

} // namespace gnomon

#endif
