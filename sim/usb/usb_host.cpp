// SPDX-License-Identifier: Apache-2.0
#include "usb_host.h"

#include <algorithm>

namespace gnomon {

namespace {

constexpr unsigned max_errors = 3;
constexpr unsigned source_ticks = 64;     // interval between two polls of a source
constexpr unsigned quick_nak_ticks = 128; // used instead of nak_bits on a quick bus; the bus is idle in between
constexpr unsigned frame_end_bits = 30;   // the wire must be free this long before the next frame
constexpr unsigned quick_end_ticks = 64;  // longest transaction on a quick bus, except with a long packet

bool is_in(uint8_t endpoint) {
    return (endpoint & 0x80) != 0;
}

// Returns the interface of an endpoint of the device (docs/reference/usb-protocol.md).
uint8_t interface_of(uint8_t endpoint) {
    return endpoint == 0x03 || endpoint == 0x83 ? 2 : endpoint == 0x84 ? 1 : 0;
}

bool control_in(const UsbTransfer &transfer) {
    return (transfer.setup[0] & 0x80) != 0;
}

} // namespace

UsbHost::UsbHost(UsbBus &bus, UsbHostOptions options) : bus_(bus), options_(std::move(options)) {
    pipe(0); // the control pipe is always first
}

UsbHost::Pipe &UsbHost::pipe(uint8_t endpoint) {
    for (Pipe &p : pipes_)
        if (p.endpoint == endpoint)
            return p;
    pipes_.emplace_back();
    pipes_.back().endpoint = endpoint;
    return pipes_.back();
}

void UsbHost::wake() {
    if (!bus_.busy())
        next_event_ = 0;
}

// ---- the interface

uint64_t UsbHost::submit(UsbTransfer transfer) {
    if (transfer.endpoint == 0)
        transfer.length = transfer.setup[6] | transfer.setup[7] << 8;
    if (is_in(transfer.endpoint) || (transfer.endpoint == 0 && control_in(transfer)))
        transfer.buffer.resize(transfer.length);
    else
        transfer.length = std::min<uint32_t>(transfer.length, static_cast<uint32_t>(transfer.buffer.size()));
    transfer.id = next_id_++;
    transfer.actual = 0;
    uint64_t id = transfer.id;
    pipe(transfer.endpoint).queue.push_back(std::move(transfer));
    wake();
    return id;
}

bool UsbHost::cancel(uint64_t id) {
    for (Pipe &p : pipes_) {
        auto found = std::find_if(p.queue.begin(), p.queue.end(), [id](const UsbTransfer &t) { return t.id == id; });
        if (found == p.queue.end())
            continue;
        if (found == p.queue.begin()) {
            if (active_ == &p)
                p.cancel_active = true;
            else
                complete(p, UsbStatus::cancelled);
            return true;
        }
        UsbTransfer transfer = std::move(*found);
        p.queue.erase(found);
        transfer.status = UsbStatus::cancelled;
        if (transfer.done)
            transfer.done(transfer);
        return true;
    }
    return false;
}

size_t UsbHost::pending(uint8_t endpoint) const {
    for (const Pipe &p : pipes_)
        if (p.endpoint == endpoint)
            return p.queue.size();
    return 0;
}

bool UsbHost::idle() const {
    return std::all_of(pipes_.begin(), pipes_.end(), [](const Pipe &p) { return p.queue.empty(); });
}

void UsbHost::set_source(uint8_t endpoint, Source source) {
    pipe(endpoint).source = std::move(source);
}

void UsbHost::set_rate_divisor(uint8_t endpoint, unsigned divisor) {
    pipe(endpoint).divisor = std::max(1u, divisor);
}

// ---- attaching: reset, recovery, SET_ADDRESS, recovery

void UsbHost::attach() {
    cancel_all();
    address_ = 0;
    state_ = State::resetting;
    state_until_ = 0;
    wake();
}

void UsbHost::replug(uint64_t now, unsigned away_us) {
    cancel_all();
    address_ = 0;
    state_ = State::resetting;
    state_until_ = now + 1;
    if (away_us != 0) {
        state_until_ = 0;
        bus_.hold(UsbHold::idle, now, ticks_of(away_us));
    } else {
        bus_.reset(now, ticks_of(options_.reset_us));
    }
    next_event_ = bus_.next_event();
}

void UsbHost::suspend(unsigned idle_us, unsigned resume_us) {
    holds_.push_back({UsbHold::idle, idle_us});
    holds_.push_back({UsbHold::resume, resume_us});
    wake();
}

bool UsbHost::start_hold(uint64_t now) {
    if (holds_.empty())
        return false;
    bus_.hold(holds_.front().what, now, ticks_of(holds_.front().us));
    holds_.pop_front();
    next_event_ = bus_.next_event();
    return true;
}

uint64_t UsbHost::ticks_of(unsigned us) const {
    return std::max<uint64_t>(1, bus_.bits(usb_bit_rate / 1000000)) * us;
}

void UsbHost::cancel_all() {
    holds_.clear();
    std::deque<UsbTransfer> all;
    for (Pipe &p : pipes_) {
        std::move(p.queue.begin(), p.queue.end(), std::back_inserter(all));
        p.queue.clear();
        p.ready = 0;
        p.errors = 0;
        p.toggle = 0;
        p.stage = Stage::setup;
        p.cancel_active = false;
    }
    active_ = nullptr;
    for (UsbTransfer &transfer : all) {
        transfer.status = UsbStatus::cancelled;
        if (transfer.done)
            transfer.done(transfer);
    }
}

void UsbHost::advance_attach(uint64_t now) {
    switch (state_) {
    case State::resetting:
        if (state_until_ == 0) {
            bus_.reset(now, ticks_of(options_.reset_us));
            state_until_ = now + 1;
            break;
        }
        state_ = State::recovering;
        state_until_ = now + ticks_of(options_.recovery_us);
        break;
    case State::recovering:
        if (now >= state_until_) {
            state_ = State::addressing;
            submit_address();
        }
        break;
    case State::settling:
        if (now >= state_until_)
            state_ = State::attached;
        break;
    default:
        break;
    }
}

void UsbHost::submit_address() {
    UsbTransfer transfer;
    transfer.setup = {0x00, 0x05, options_.address, 0, 0, 0, 0, 0};
    transfer.done = [this](UsbTransfer &t) {
        if (t.status == UsbStatus::cancelled)
            return;
        if (t.status != UsbStatus::completed) {
            state_ = State::failed;
            cancel_all();
            return;
        }
        address_ = options_.address;
        state_ = State::settling;
        state_until_ = 0;
    };
    transfer.id = next_id_++;
    pipes_.front().queue.push_front(std::move(transfer));
}

// ---- time

void UsbHost::tick(uint64_t now) {
    if (bus_.busy()) {
        bus_.tick(now);
        if (bus_.busy()) {
            next_event_ = bus_.next_event();
            return;
        }
        ended_ = false;
        finish(now);
        if (pauses(now))
            return;
    }
    ended_ = false;
    take_from_sources(now);
    if (!pauses(now))
        schedule(now);
}

bool UsbHost::pauses(uint64_t now) {
    if (!ended_ || !options_.pause_at_end)
        return false;
    next_event_ = now;
    return true;
}

void UsbHost::begin_anew(uint64_t now) {
    begin_ = now + bus_.bits(usb_worst_bits(usb_max_packet)) + quick_end_ticks;
    frame_ = usb_never;
    last_pipe_ = 0;
    for (Pipe &p : pipes_)
        p.ready = begin_;
    wake();
}

void UsbHost::schedule(uint64_t now) {
    bus_.set_quick(quick_);
    if (start_hold(now))
        return;
    if (state_ == State::settling && state_until_ == 0)
        state_until_ = now + ticks_of(options_.recovery_us) / 5;
    advance_attach(now);
    bool serving = state_ == State::addressing || state_ == State::attached;
    bool waiting = state_ == State::recovering || state_ == State::settling;
    if (bus_.busy()) { // the bus holds the reset
        next_event_ = bus_.next_event();
        return;
    }
    if (!serving && !waiting) {
        next_event_ = usb_never;
        return;
    }
    bool work = serving && !idle();
    if (!work && !bus_.needs_sof()) {
        next_event_ = waiting ? state_until_ : usb_never;
        return;
    }
    if (now < begin_) {
        next_event_ = begin_;
        return;
    }
    if (begin_frame(now)) {
        next_event_ = bus_.next_event();
        return;
    }
    uint64_t frame_end = begin_ + (frame_ + 1) * (bus_.ticks_per_second() / 1000);
    next_event_ = frame_end;
    if (waiting)
        next_event_ = std::min(next_event_, std::max(state_until_, now + 1));
    if (!work)
        return;
    if (Pipe *p = choose(now, frame_end))
        begin(*p, now);
}

// Begins a start-of-frame packet if a new frame has begun.
bool UsbHost::begin_frame(uint64_t now) {
    uint64_t frame = (now - begin_) / (bus_.ticks_per_second() / 1000);
    if (frame == frame_)
        return false;
    frame_ = frame;
    frame_packets_ = 0;
    ++stats_.frames;
    UsbTransaction sof;
    sof.token = UsbToken::sof;
    sof.frame = frame & 0x7FF;
    active_ = nullptr;
    bus_.start(sof, now);
    return true;
}

// Chooses a pipe that has work, may be served, and fits into the frame. The control pipe goes first; the others take
// turns, starting after the one served last. If none can be served yet, sets next_event_ to the tick in which one may
// be.
UsbHost::Pipe *UsbHost::choose(uint64_t now, uint64_t frame_end) {
    uint64_t limit = frame_end - bus_.bits(frame_end_bits);
    for (size_t i = 0; i < pipes_.size(); ++i) {
        size_t index = i == 0 ? 0 : 1 + (last_pipe_ + i - 1) % (pipes_.size() - 1);
        Pipe &p = pipes_[index];
        if (p.queue.empty() || (state_ == State::addressing && index != 0))
            continue;
        if (p.source || p.ready > now) {
            next_event_ = std::min(next_event_, p.ready);
            continue;
        }
        if (now + bus_.bits(usb_worst_bits(usb_max_packet)) > limit)
            continue; // must wait for the next frame
        if (index != 0)
            last_pipe_ = index;
        return &p;
    }
    return nullptr;
}

// ---- transactions

void UsbHost::begin(Pipe &p, uint64_t now) {
    UsbTransfer &transfer = p.queue.front();
    UsbTransaction t;
    t.address = address_;
    t.endpoint = p.endpoint & 0x0F;
    t.toggle = p.toggle;
    bool in = is_in(p.endpoint);
    t.token = in ? UsbToken::in : UsbToken::out;
    if (p.endpoint == 0) {
        in = p.stage == Stage::data ? control_in(transfer) : transfer.length == 0 || !control_in(transfer);
        t.token = p.stage == Stage::setup ? UsbToken::setup : in ? UsbToken::in : UsbToken::out;
    }
    if (t.token == UsbToken::setup) {
        t.toggle = 0;
        t.data = transfer.setup.data();
        t.length = 8;
    } else if (t.token == UsbToken::out && !(p.endpoint == 0 && p.stage == Stage::status)) {
        t.data = transfer.buffer.data() + transfer.actual;
        t.length = std::min(usb_max_packet, transfer.length - transfer.actual);
    }
    if (options_.faults)
        t.faults = options_.faults(t);
    ++stats_.transactions;
    active_ = &p;
    active_token_ = t.token;
    active_length_ = t.length;
    active_start_ = now;
    bus_.set_quick(quick_);
    bus_.start(t, now);
    next_event_ = bus_.next_event();
}

void UsbHost::finish(uint64_t now) {
    if (!active_)
        return; // a start of frame, a reset, or a transaction whose transfer was cancelled by a reset
    Pipe &p = *active_;
    active_ = nullptr;
    const UsbResult &result = bus_.result();
    p.ready = active_start_ + (now - active_start_) * (result.outcome == UsbOutcome::ack ? p.divisor : 1);
    switch (result.outcome) {
    case UsbOutcome::ack:
        p.errors = 0;
        if (active_token_ == UsbToken::in && result.toggle != p.toggle) {
            ++stats_.duplicates;
            break;
        }
        if (p.endpoint == 0)
            control_delivered(p, result);
        else if (active_token_ == UsbToken::in)
            arrived(p, result);
        else
            sent(p);
        break;
    case UsbOutcome::nak:
        ++stats_.naks;
        p.errors = 0;
        p.ready = now + (bus_.quick() ? quick_nak_ticks : bus_.bits(options_.nak_bits));
        if (active_token_ == UsbToken::setup) // a device must not answer SETUP with NAK
            failure(p);
        break;
    case UsbOutcome::stall:
        p.errors = 0;
        complete(p, UsbStatus::stall);
        break;
    case UsbOutcome::timeout:
        ++stats_.timeouts;
        failure(p);
        break;
    case UsbOutcome::error:
        ++stats_.errors;
        stats_.last_error = result.error;
        failure(p);
        break;
    }
    if (now < begin_) // the transaction began before begin_anew()
        p.ready = begin_;
    if (p.cancel_active) {
        p.cancel_active = false;
        complete(p, UsbStatus::cancelled);
    }
}

void UsbHost::failure(Pipe &p) {
    if (++p.errors >= max_errors)
        complete(p, UsbStatus::error);
}

// Appends a packet; returns true if this ends the transfer.
bool UsbHost::take_data(UsbTransfer &transfer, const UsbResult &result) {
    uint32_t room = transfer.length - transfer.actual;
    uint32_t taken = std::min(room, static_cast<uint32_t>(result.length));
    std::copy_n(result.data.begin(), taken, transfer.buffer.begin() + transfer.actual);
    transfer.actual += taken;
    if (result.length > room)
        transfer.status = UsbStatus::overflow;
    return result.length < usb_max_packet || result.length >= room;
}

void UsbHost::delivered(Pipe &p, unsigned length) {
    p.toggle ^= 1;
    if (options_.delivered)
        options_.delivered(p.endpoint, length);
    ++stats_.packets;
    stats_.bytes += length;
    stats_.frame_packets_max = std::max(stats_.frame_packets_max, ++frame_packets_);
}

void UsbHost::arrived(Pipe &p, const UsbResult &result) {
    delivered(p, result.length);
    UsbTransfer &transfer = p.queue.front();
    if (take_data(transfer, result))
        complete(p, transfer.status);
}

void UsbHost::sent(Pipe &p) {
    delivered(p, active_length_);
    UsbTransfer &transfer = p.queue.front();
    transfer.actual += active_length_;
    bool more = (transfer.flags & usb_zero_packet) && active_length_ == usb_max_packet;
    if (transfer.actual == transfer.length && !more)
        complete(p, UsbStatus::completed);
}

// Takes packets until a transfer has ended, or the sources are empty.
void UsbHost::take_from_sources(uint64_t now) {
    if (state_ != State::attached || now < begin_)
        return;
    UsbResult packet;
    for (size_t i = 0; i < pipes_.size(); ++i) { // a callback at the end of a transfer may add another pipe
        Pipe &p = pipes_[i];
        while (p.source && p.ready <= now && !p.queue.empty() && !ended_) {
            if (p.source(packet))
                arrived(p, packet);
            else
                p.ready = now + source_ticks;
        }
    }
}

void UsbHost::control_delivered(Pipe &p, const UsbResult &result) {
    UsbTransfer &transfer = p.queue.front();
    switch (p.stage) {
    case Stage::setup:
        p.stage = transfer.length > 0 ? Stage::data : Stage::status;
        p.toggle = 1;
        return;
    case Stage::data: {
        p.toggle ^= 1;
        bool last = false;
        if (control_in(transfer)) {
            last = take_data(transfer, result);
            if (transfer.status == UsbStatus::overflow)
                return complete(p, UsbStatus::overflow);
        } else {
            transfer.actual += active_length_;
            last = transfer.actual == transfer.length;
        }
        if (last) {
            p.stage = Stage::status;
            p.toggle = 1;
        }
        return;
    }
    case Stage::status:
        if (result.outcome == UsbOutcome::ack && active_token_ == UsbToken::in && result.length != 0)
            return complete(p, UsbStatus::overflow);
        after_control(transfer);
        complete(p, UsbStatus::completed);
    }
}

// If a request resets the device's data toggles, resets those of the host, too.
void UsbHost::after_control(const UsbTransfer &transfer) {
    const std::array<uint8_t, 8> &s = transfer.setup;
    bool all = s[0] == 0x00 && s[1] == 0x09;
    bool some = s[0] == 0x01 && s[1] == 0x0B;
    bool one = s[0] == 0x02 && s[1] == 0x01 && s[2] == 0 && s[3] == 0;
    for (Pipe &p : pipes_)
        if (p.endpoint != 0 && (all || (some && interface_of(p.endpoint) == s[4]) || (one && p.endpoint == s[4])))
            p.toggle = 0;
}

void UsbHost::complete(Pipe &p, UsbStatus status) {
    UsbTransfer transfer = std::move(p.queue.front());
    p.queue.pop_front();
    p.errors = 0;
    p.stage = Stage::setup;
    p.cancel_active = false;
    transfer.status = status;
    ended_ = true;
    if (transfer.done)
        transfer.done(transfer);
}

} // namespace gnomon
