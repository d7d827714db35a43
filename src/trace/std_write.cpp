#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "trace/atomic_file.h"
#include "trace/dependence.h"
#include "trace/granule.h"
#include "trace/location_index.h"
#include "trace/std_text.h"

namespace heddle::trace {
namespace {

using Sink = std::function<Expected<void>(std::string_view)>;

constexpr size_t kFlushAt = 1 << 20;

// The bytes that accesses tell apart: memory is cut wherever an access begins or ends, and each piece is a
// variable.
class Variables {
 public:
  explicit Variables(const Trace& trace) {
    for (const EventRecord& event : trace.events()) {
      if (!has_extent(event.kind) || event.size == 0) continue;
      cut(event.object, event.offset);
      cut(event.object, event.offset + event.size);
    }
    std::sort(cuts_.begin(), cuts_.end());
    numbers_.resize(cuts_.size());
  }

  // Calls action(number) for each variable of the access; numbers are given in the order of use.
  template <typename Action>
  void for_each(const EventRecord& event, Action action) {
    const Cut end{event.object, event.offset + event.size};
    for (auto at = std::lower_bound(cuts_.begin(), cuts_.end(), Cut{event.object, event.offset});
         at != cuts_.end() && *at < end; ++at) {
      uint32_t& number = numbers_[static_cast<size_t>(at - cuts_.begin())];
      if (number == 0) number = ++used_;
      action(number - 1);
    }
  }

 private:
  using Cut = std::pair<uint32_t, uint64_t>;

  void cut(uint32_t object, uint64_t offset) {
    const size_t before = seen_.size();
    if (seen_.number(object, offset) == before) cuts_.emplace_back(object, offset);
  }

  LocationIndex seen_;
  std::vector<Cut> cuts_;
  std::vector<uint32_t> numbers_;
  uint32_t used_ = 0;
};

class StdWriter {
 public:
  StdWriter(const Trace& trace, const Sink& sink) : trace_(trace), sink_(sink), variables_(trace) {
    for (const EventRecord& event : trace.events()) {
      if (event.kind == EventKind::kReadLock || event.kind == EventKind::kTryReadLock)
        readers_[{event.object, event.offset}].push_back(event.thread);
    }
    for (auto& [lock, threads] : readers_) {
      std::sort(threads.begin(), threads.end());
      threads.erase(std::unique(threads.begin(), threads.end()), threads.end());
    }
  }

  // The main loop.
  Expected<void> write() {
    for (const EventRecord& event : trace_.events()) {
      const bool happened = (event.flags & (event_flag::kFailed | event_flag::kTimedOut)) == 0 ||
                            event.kind == EventKind::kAtomicUpdate;
      if (happened) write(event);
      if (text_.size() < kFlushAt) continue;
      if (const auto done = sink_(text_); !done) return done;
      text_.clear();
    }
    return sink_(text_);
  }

 private:
  enum class Role { kLock, kAtomic, kMessage, kSignals };
  using Place = std::pair<uint32_t, uint64_t>;
  using LockKey = std::tuple<Role, uint32_t, uint64_t, uint32_t>;  // role, place, reading thread + 1

  // A trace that begins late, or was made by hand, may have threads that a text must not have.
  bool is_possible(const EventRecord& event) {
    EventRecord probe = event;
    if (event.kind != EventKind::kFork && event.kind != EventKind::kJoin) probe.kind = EventKind::kYield;
    return !rules_.add(probe, 0);
  }

  void write(const EventRecord& event) {
    using enum EventKind;
    const bool recursive = (event.flags & event_flag::kRecursive) != 0;
    switch (event.kind) {
      case kRead:
        return accesses(event, "r");
      case kWrite:
      case kFree:
        return accesses(event, "w");
      case kAtomicRead:
      case kAtomicWrite:
      case kAtomicUpdate:
        return atomic(event);
      case kFork:
        return line(event, "fork", thread_name(event.peer));
      case kJoin:
        return line(event, "join", thread_name(event.peer));
      case kLock:
      case kTryLock:
        if (!recursive) write_locks(event, true);
        break;
      case kUnlock:
        if (!recursive) write_locks(event, false);
        break;
      case kReadLock:
      case kTryReadLock:
        if (!recursive) acquire(event, {Role::kLock, event.object, event.offset, event.thread + 1});
        break;
      case kReadUnlock:
        if (!recursive) release(event, {Role::kLock, event.object, event.offset, event.thread + 1});
        break;
      case kSignalSend:
      case kSignal:
        return pass(event, {Role::kSignals, 0, 0, 0});
      case kCondWake:
      case kFutexAwake:
        if (event.peer == 0) return;  // nobody ended the wait
        [[fallthrough]];
      case kNotifyOne:
      case kNotifyAll:
      case kFutexWake:
      case kSemPost:
      case kSemWait:
      case kSemTryWait:
      case kBarrierArrive:
      case kBarrierLeave:
      case kOnceBegin:
      case kOnceEnd:
      case kOncePassed:
      case kAccess:
        if (event.object != 0) pass(event, {Role::kMessage, event.object, event.offset, 0});
        break;
      default:
        break;
    }
  }

  void accesses(const EventRecord& event, std::string_view operation) {
    if (const auto name = std_object(trace_, event.object)) return line(event, operation, *name);
    variables_.for_each(event, [&](uint32_t number) { line(event, operation, fmt::format("V{}", number)); });
  }

  // A critical section of the bytes' own: nothing races with an atomic access but plain ones.
  void atomic(const EventRecord& event) {
    const uint64_t first = event.offset / kGranuleBytes;
    const uint64_t last = (event.offset + std::max<uint64_t>(event.size, 1) - 1) / kGranuleBytes;
    for (uint64_t i = first; i <= last; ++i) acquire(event, {Role::kAtomic, event.object, i, 0});
    if (event.kind != EventKind::kAtomicWrite) accesses(event, "r");
    const bool failed = (event.flags & event_flag::kFailed) != 0;
    if (event.kind != EventKind::kAtomicRead && !failed) accesses(event, "w");
    for (uint64_t i = last + 1; i > first; --i) release(event, {Role::kAtomic, event.object, i - 1, 0});
  }

  // A lock for each thread that ever reads under it: a reader takes its own, a writer all of them.
  void write_locks(const EventRecord& event, bool take) {
    const LockKey key{Role::kLock, event.object, event.offset, 0};
    take ? acquire(event, key) : release(event, key);
    const auto readers = readers_.find({event.object, event.offset});
    if (readers == readers_.end()) return;
    for (const uint32_t thread : readers->second) {
      const LockKey own{Role::kLock, event.object, event.offset, thread + 1};
      take ? acquire(event, own) : release(event, own);
    }
  }

  // Order, and nothing held afterwards. Who predicts leaves out critical sections that nothing depends on. So
  // what passes something on continues what was passed on before, and what waits reads it.
  void pass(const EventRecord& event, const LockKey& key) {
    acquire(event, key);
    const std::string message = fmt::format("M{}", locks_.at(key).number);
    line(event, "r", message);
    if (passes_on(event.kind)) line(event, "w", message);
    release(event, key);
  }

  static bool passes_on(EventKind kind) {
    using enum EventKind;
    switch (kind) {
      case kCondWake:
      case kFutexAwake:
      case kSemWait:
      case kSemTryWait:
      case kBarrierLeave:
      case kOncePassed:
      case kSignal:
        return false;
      default:
        return true;
    }
  }

  struct Lock {
    uint32_t number = 0;
    uint32_t holder = 0;  // thread + 1
  };

  // A program that misuses a lock, or a trace that begins late, must still give a text that can be read.
  void acquire(const EventRecord& event, const LockKey& key) {
    const auto [lock, is_new] = locks_.try_emplace(key, Lock{static_cast<uint32_t>(locks_.size()), 0});
    if (lock->second.holder != 0) return;
    lock->second.holder = event.thread + 1;
    line(event, "acq", lock_name(event, lock->second));
  }
  void release(const EventRecord& event, const LockKey& key) {
    const auto lock = locks_.find(key);
    if (lock == locks_.end() || lock->second.holder != event.thread + 1) return;
    lock->second.holder = 0;
    line(event, "rel", lock_name(event, lock->second));
  }

  std::string lock_name(const EventRecord& event, const Lock& lock) const {
    if (const auto name = std_object(trace_, event.object)) return std::string(*name);
    return fmt::format("L{}", lock.number);
  }
  std::string thread_name(uint32_t thread) const {
    if (is_from_std_text(trace_)) return std::string(trace_.string(trace_.threads()[thread].name));
    return fmt::format("T{}", thread);
  }

  void line(const EventRecord& event, std::string_view operation, std::string_view target) {
    if (!is_possible(event)) return;
    auto out = std::back_inserter(text_);
    fmt::format_to(out, "{}|{}({})|", thread_name(event.thread), operation, target);
    if (const auto text = std_site(trace_, event.site))
      fmt::format_to(out, "{}\n", *text);
    else
      fmt::format_to(out, "{}\n", event.site);
  }

  const Trace& trace_;
  const Sink& sink_;
  Variables variables_;
  EventRules rules_{EventRules::Source::kText};
  std::map<Place, std::vector<uint32_t>> readers_;
  std::map<LockKey, Lock> locks_;
  std::string text_;
};

Expected<void> write_to_stdout(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(STDOUT_FILENO, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return usage_error("cannot write to the standard output");
    text.remove_prefix(static_cast<size_t>(count));
  }
  return {};
}

}  // namespace

std::string to_std_text(const Trace& trace) {
  std::string text;
  const Sink sink = [&](std::string_view part) -> Expected<void> {
    text += part;
    return {};
  };
  (void)StdWriter(trace, sink).write();
  return text;
}

Expected<void> write_std(const Trace& trace, const std::string& path) {
  if (path == "-") {
    const Sink sink = write_to_stdout;
    return StdWriter(trace, sink).write();
  }
  auto file = AtomicFile::create(path);
  if (!file) return tl::unexpected(file.error());
  const Sink sink = [&](std::string_view part) { return file->write(part); };
  if (auto done = StdWriter(trace, sink).write(); !done) return done;
  return file->commit();
}

}  // namespace heddle::trace
