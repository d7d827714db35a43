#include "runtime/io.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <cerrno>
#include <ctime>

#include "runtime/address_space.h"
#include "runtime/cancel.h"
#include "runtime/clock.h"
#include "runtime/in_flight.h"
#include "runtime/signal_delivery.h"
#include "runtime/sync.h"
#include "runtime/world.h"

namespace heddle::rt {
namespace {

using trace::EventKind;
using trace::WaitKind;
namespace flag = trace::event_flag;

// Steps after which threads that wait for input are asked again although others can run: often enough not to
// starve them, seldom enough not to matter beside the system call that it costs.
inline constexpr uint64_t kRecheckSteps = 128;
HEDDLE_EXECUTION uint64_t next_recheck;

inline constexpr uint64_t kMillisecond = 1000000;
// How long idle spinners give the outside before they run on.
inline constexpr uint64_t kSpinnersGiveWay = kMillisecond;
// Between two looks at what cannot be polled (children, file locks): soon at first, then more seldom.
inline constexpr uint64_t kFirstLook = kMillisecond / 20;
inline constexpr uint64_t kLastLook = kMillisecond;
// What the kernel holds back, between sockets of ours, has arrived by then: acknowledgements are delayed by
// 40 ms, corked data by 200 ms.
inline constexpr uint64_t kDelivery = 250 * kMillisecond;
// A replay waits that long for the outside to do what it did before.
inline constexpr uint64_t kReplayPatience = 10000 * kMillisecond;

// Counts what may end a wait that can only be tried again.
HEDDLE_EXECUTION uint64_t generation;

bool has_new_generation(const Op& op) {
  return op.argument != generation;
}

pollfd* gathered;
size_t gathered_room;

long poll_now(pollfd* entries, size_t count, uint64_t nanoseconds) {
  timespec time{static_cast<time_t>(nanoseconds / (1000 * kMillisecond)),
                static_cast<long>(nanoseconds % (1000 * kMillisecond))};
  return sys_call(SYS_ppoll, address_of(entries), static_cast<long>(count), address_of(&time), 0, 8);
}

PollSet* set_of(const Op& op) {
  return reinterpret_cast<PollSet*>(op.argument);
}

bool poll_ready(const Op& op) {
  const PollSet* set = set_of(op);
  return poll_now(set->entries, set->count, 0) != 0;
}

bool can_be_polled(const Fiber* fiber) {
  return fiber->op.enabled == poll_ready;
}

bool set_reaches_outside(const PollSet* set) {
  for (size_t i = 0; i < set->count; ++i) {
    if (set->entries[i].fd >= 0 && reaches_outside(set->entries[i].fd)) return true;
  }
  return false;
}

// Under the tool, and within heddle::explore(), only children would send signals.
bool signals_may_come() {
  return !(rt.with_tool || in_inner_world()) || has_had_children();
}

// Whether somebody outside could end this wait.
bool may_end_from_outside(const Fiber* fiber) {
  if (fiber->op.wait == WaitKind::kSignal) return signals_may_come();
  return !can_be_polled(fiber) || set_reaches_outside(set_of(fiber->op));
}

void unblock(Fiber* fiber) {
  if (!fiber->blocked) return;
  fiber->blocked = false;
  rt.blocked_count--;
}

// Lets the scheduler look again at those whose input has come.
bool unblock_ready() {
  bool any = take_outside_signals();
  for (uint32_t i = 0; i < rt.live_count; ++i) {
    Fiber* fiber = rt.live[i];
    if (!waits_for_outside(fiber->op) || !fiber->blocked) continue;
    if (!fiber->op.enabled(fiber->op) && !is_interrupted(fiber)) continue;
    unblock(fiber);
    any = true;
  }
  return any;
}

size_t gather(bool* all_can_be_polled) {
  size_t count = 0;
  for (int pass = 0; pass < 2; ++pass) {
    count = 0;
    for (uint32_t i = 0; i < rt.live_count; ++i) {
      const Fiber* fiber = rt.live[i];
      if (!waits_for_outside(fiber->op)) continue;
      if (fiber->op.wait == WaitKind::kSignal) continue;  // interrupts the poll
      if (!can_be_polled(fiber)) {
        *all_can_be_polled = false;
        continue;
      }
      const PollSet* set = set_of(fiber->op);
      if (pass == 1) copy_bytes(gathered + count, set->entries, set->count * sizeof(pollfd));
      count += set->count;
    }
    if (pass == 0 && count > gathered_room) {
      gathered_room = count * 2;
      gathered = static_cast<pollfd*>(own_memory(gathered_room * sizeof(pollfd)));
    }
  }
  return count;
}

HEDDLE_EXECUTION uint32_t fruitless_looks;

uint64_t real_time() {
  timespec now{};
  sys_call(SYS_clock_gettime, CLOCK_MONOTONIC, address_of(&now));
  return static_cast<uint64_t>(now.tv_sec) * 1000 * kMillisecond + static_cast<uint64_t>(now.tv_nsec);
}

// Really waits until something has arrived for somebody (true) or that much time has passed.
bool wait_outside(uint64_t nanoseconds) {
  const uint64_t end = real_time() + nanoseconds;
  uint64_t look = kFirstLook;
  for (;;) {
    if (unblock_ready()) return true;
    const uint64_t now = real_time();
    if (now >= end) return false;
    bool all = true;
    const size_t count = gather(&all);
    const uint64_t left = end - now;
    poll_now(gathered, count, all || left < look ? left : look);
    if (!all) generation++;
    if (look < kLastLook) look *= 2;
  }
}

Fiber* most_impatient(uint64_t earliest) {
  Fiber* best = nullptr;
  for (uint32_t i = 0; i < rt.live_count; ++i) {
    Fiber* fiber = rt.live[i];
    if (!fiber->op.patient || fiber->op.deadline == 0) continue;
    if (earliest != 0 && fiber->op.deadline > earliest) continue;
    if (best == nullptr || fiber->op.deadline < best->op.deadline) best = fiber;
  }
  return best;
}

// A handler may do what somebody waits for: many write to a pipe of the program's own.
bool anyone_may_end_from_outside() {
  if (program_has_handlers() && signals_may_come()) return true;
  for (uint32_t i = 0; i < rt.live_count; ++i) {
    if (waits_for_outside(rt.live[i]->op) && may_end_from_outside(rt.live[i])) return true;
  }
  return false;
}

}  // namespace

Op poll_op(PollSet* set, uintptr_t object, uintptr_t pc) {
  Op op;
  op.kind = EventKind::kAccess;
  op.wait = WaitKind::kInput;
  op.object = object;
  op.pc = pc;
  op.enabled = poll_ready;
  op.argument = address_of(set);
  op.on_signal = OnSignal::kRestart;
  return op;
}

Op retry_op(uintptr_t object, uintptr_t pc) {
  Op op;
  op.kind = EventKind::kAccess;
  op.wait = WaitKind::kInput;
  op.object = object;
  op.pc = pc;
  op.enabled = has_new_generation;
  op.argument = generation;
  op.on_signal = OnSignal::kRestart;
  return op;
}

PointResult input_point(Op op) {
  test_cancel();
  op.cancels = true;
  if (op.on_signal >= OnSignal::kRestart) signal_window(op.pc);
  if (op.deadline != 0 && op.enabled == poll_ready) op.patient = set_reaches_outside(set_of(op));
  const PointResult result = point(op);
  if (result == PointResult::kInterrupted) test_cancel();
  return result;
}

void io_happened() {
  if (rt.parked_count != 0) spin_wake(kChannelBase, kChannelBase - 1);
  spin_note_progress();
  generation++;
  if (rt.input_waiters == 0) return;
  for (uint32_t i = 0; i < rt.live_count; ++i) {
    if (waits_for_outside(rt.live[i]->op)) unblock(rt.live[i]);
  }
}

void io_recheck_if_due() {
  if (rt.steps < next_recheck) return;
  next_recheck = rt.steps + kRecheckSteps;
  unblock_ready();
}

void give_outside_time() {
  constexpr uint32_t kFirst = 4;  // ordinary code looks once or twice
  constexpr uint32_t kMost = 20;
  if (++fruitless_looks < kFirst) return;
  if (fruitless_looks > kMost) fruitless_looks = kMost;
  poll_now(nullptr, 0, fruitless_looks * kFirstLook);
}

IdleResult io_when_idle(uint64_t earliest) {
  if (unblock_ready()) return {true, nullptr};
  if (Fiber* patient = most_impatient(earliest)) {
    const uint64_t deadline = patient->op.deadline;
    const bool came = wait_outside(deadline > rt.clock ? deadline - rt.clock : 0);
    return {came, came ? nullptr : patient};
  }
  if (data_is_in_flight()) {
    if (wait_outside(kDelivery)) return {true, nullptr};
    give_up_data_in_flight();
  }
  if (earliest != 0) return {false, nullptr};
  if (!anyone_may_end_from_outside() || someone_is_in_cycle()) return {false, nullptr};
  if (rt.parked_count != 0) return {wait_outside(kSpinnersGiveWay), nullptr};
  while (!wait_outside(kReplayPatience)) {
  }
  return {true, nullptr};
}

void io_wait_for(Fiber* fiber) {
  const uint64_t end = real_time() + kReplayPatience;
  while (!fiber->op.enabled(fiber->op) && real_time() < end) {
    if (!may_end_from_outside(fiber) && !data_is_in_flight()) return;
    bool all = true;
    const size_t count = gather(&all);
    poll_now(gathered, count, kFirstLook);
  }
  unblock(fiber);
}

bool is_nonblocking(int fd) {
  return (sys_call(SYS_fcntl, fd, F_GETFL) & O_NONBLOCK) != 0;
}

long io_result(long result) {
  if (result >= 0 || result <= -4096) return result;
  errno = static_cast<int>(-result);
  return -1;
}

void io_record(const Descriptor* descriptor, uintptr_t pc, long result) {
  const uint32_t size = result > 0 ? static_cast<uint32_t>(result) : 0;
  record_sync(EventKind::kAccess, channel_address(descriptor), pc,
              flag::kPoint | (result < 0 ? flag::kFailed : 0), size);
}

void io_simple_point(int fd, uintptr_t pc) {
  Descriptor* descriptor = descriptor_of(fd);
  if (descriptor->kind == DescriptorKind::kNone) return;
  const bool shared = note_use(descriptor) || descriptor->kind != DescriptorKind::kFile;
  if (rt.live_count < 2 || !shared) return;
  simple_point(EventKind::kAccess, channel_address(descriptor), pc);
  io_record(descriptor_of(fd), pc, 0);
}

namespace {

// The receive or send timeout of a socket, in virtual time.
uint64_t socket_deadline(int fd, short events) {
  timeval time{};
  socklen_t size = sizeof time;
  const int option = (events & POLLIN) != 0 ? SO_RCVTIMEO : SO_SNDTIMEO;
  if (sys_call(SYS_getsockopt, fd, SOL_SOCKET, option, address_of(&time), address_of(&size)) != 0) return 0;
  if (time.tv_sec == 0 && time.tv_usec == 0) return 0;
  const timespec duration{time.tv_sec, time.tv_usec * 1000};
  return deadline_after(&duration);
}

long perform_on_file(const IoCall& io, Descriptor* descriptor, const SystemCall& call) {
  test_cancel();
  const bool shared = note_use(descriptor) && rt.live_count > 1;
  if (shared) simple_point(EventKind::kAccess, channel_address(descriptor), io.pc);
  const long result = call();
  if (shared) {
    io_record(descriptor, io.pc, result);
    io_happened();
  }
  return result;
}

}  // namespace

long io_perform(const IoCall& io, const SystemCall& call) {
  Descriptor* descriptor = descriptor_of(io.fd);
  if (descriptor->kind == DescriptorKind::kNone) return call();
  if (descriptor->kind == DescriptorKind::kFile) return perform_on_file(io, descriptor, call);
  const bool blocks = !io.never_blocks && !is_nonblocking(io.fd);
  const uintptr_t object = channel_address(descriptor);
  for (;;) {
    pollfd entry{io.fd, io.events, 0};
    PollSet set{&entry, 1};
    Op op = poll_op(&set, object, io.pc);
    op.deadline = io.deadline;
    bool is_point = rt.live_count > 1;
    if (!blocks) {
      op.enabled = nullptr;
    } else if (!poll_ready(op)) {
      is_point = true;
      if (descriptor->kind == DescriptorKind::kSocket) op.deadline = socket_deadline(io.fd, io.events);
    }
    if (is_point) {
      const PointResult reached = input_point(op);
      descriptor = descriptor_of(io.fd);
      if (reached == PointResult::kTimedOut) {
        record_sync(EventKind::kAccess, object, io.pc, flag::kPoint | flag::kTimedOut | flag::kFailed);
        return -EAGAIN;
      }
      if (reached == PointResult::kInterrupted) return -EINTR;
    } else {
      test_cancel();
    }
    const long result = call();
    if (is_point) {
      record_sync(EventKind::kAccess, object, io.pc, flag::kPoint | (result < 0 ? flag::kFailed : 0),
                  result > 0 ? static_cast<uint32_t>(result) : 0);
    }
    deliver_pending_signals();  // SIGPIPE
    // Somebody outside was faster than we.
    if (result == -EAGAIN && blocks) continue;
    if (result == -EAGAIN) {
      spin_note_read(object, 1, io.pc, 0);
      if (reaches_outside(io.fd)) give_outside_time();
    } else {
      fruitless_looks = 0;
      if (descriptor->kind == DescriptorKind::kSocket && (io.events & POLLOUT) != 0) note_sent(io.fd);
      io_happened();
    }
    return result;
  }
}

}  // namespace heddle::rt
