#include "reorderings.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "support/check.h"

namespace heddle {

using trace::EventKind;
using trace::EventRecord;

namespace {

bool takes_lock(EventKind kind) {
  return kind == EventKind::kLock || kind == EventKind::kTryLock || kind == EventKind::kReadLock ||
         kind == EventKind::kTryReadLock;
}
bool takes_shared(EventKind kind) {
  return kind == EventKind::kReadLock || kind == EventKind::kTryReadLock;
}
bool drops_lock(EventKind kind) {
  return kind == EventKind::kUnlock || kind == EventKind::kReadUnlock;
}

// Objects of which nothing is known but that the order of operations may matter.
bool keeps_order(EventKind kind) {
  switch (kind) {
    case EventKind::kCondWait:
    case EventKind::kCondWake:
    case EventKind::kNotifyOne:
    case EventKind::kNotifyAll:
    case EventKind::kBarrierArrive:
    case EventKind::kBarrierLeave:
    case EventKind::kOnceBegin:
    case EventKind::kOnceEnd:
    case EventKind::kOncePassed:
    case EventKind::kFutexWait:
    case EventKind::kFutexAwake:
    case EventKind::kFutexWake:
    case EventKind::kAccess:
    case EventKind::kSyncInit:
    case EventKind::kSyncDestroy:
      return true;
    default:
      return false;
  }
}

bool takes_semaphore(EventKind kind) {
  return kind == EventKind::kSemWait || kind == EventKind::kSemTryWait;
}

}  // namespace

TraceMachine::TraceMachine(const trace::Trace& trace) : threads_(trace.threads().size()) {
  std::map<uint32_t, int64_t> allocations;
  for (const EventRecord& record : trace.events()) {
    Event event;
    event.kind = record.kind;
    event.failed = (record.flags & (trace::event_flag::kFailed | trace::event_flag::kTimedOut)) != 0;
    event.thread = record.thread;
    event.number = static_cast<uint32_t>(threads_[record.thread].events.size());
    event.peer = record.peer;
    event.key = {record.object, record.offset};
    event.inner = (record.flags & trace::event_flag::kRecursive) != 0;
    const auto index = static_cast<int64_t>(events_.size());
    if (record.kind == EventKind::kFork) threads_[record.peer].fork = index;
    if (record.kind == EventKind::kJoin)
      event.joined = static_cast<uint32_t>(threads_[record.peer].events.size());
    if (record.kind == EventKind::kAlloc) allocations[record.object] = index;
    const auto allocated = allocations.find(record.object);
    if (allocated != allocations.end()) event.allocation = allocated->second;
    threads_[record.thread].events.push_back(events_.size());
    events_.push_back(event);
  }
  HEDDLE_CHECK(events_.size() < 255);
  make_cells(trace);
  make_held();
}

// Bytes that the same events touch are one cell.
void TraceMachine::make_cells(const trace::Trace& trace) {
  std::map<Key, std::vector<uint64_t>> bytes;
  const std::span<const EventRecord> records = trace.events();
  for (uint64_t i = 0; i < records.size(); ++i) {
    Event& event = events_[i];
    switch (event.kind) {
      case EventKind::kRead:
      case EventKind::kAtomicRead:
        event.reads = true;
        break;
      case EventKind::kWrite:
      case EventKind::kAtomicWrite:
      case EventKind::kFree:
        event.writes = true;
        break;
      case EventKind::kAtomicUpdate:
        event.reads = true;
        event.writes = !event.failed;
        break;
      default:
        continue;
    }
    for (uint32_t byte = 0; byte < records[i].size; ++byte)
      bytes[{records[i].object, records[i].offset + byte}].push_back(i);
  }
  std::map<std::vector<uint64_t>, uint32_t> cells;
  for (const auto& [byte, users] : bytes) {
    const auto [cell, fresh] = cells.try_emplace(users, cell_count_);
    if (!fresh) continue;
    for (const uint64_t user : users) events_[user].cells.push_back(cell_count_);
    ++cell_count_;
  }
  std::vector<uint8_t> last(cell_count_);
  for (uint64_t i = 0; i < events_.size(); ++i) {
    for (const uint32_t cell : events_[i].cells) {
      events_[i].seen.push_back(last[cell]);
      if (events_[i].writes) last[cell] = static_cast<uint8_t>(i + 1);
    }
  }
}

// A lock that is released without having been taken was held from the beginning.
void TraceMachine::make_held() {
  for (Thread& thread : threads_) {
    std::map<Key, int> depth;
    std::vector<Held> held;
    for (const uint64_t i : thread.events) {
      const Event& event = events_[i];
      if (event.failed || event.inner) continue;
      if (takes_lock(event.kind)) ++depth[event.key];
      if (drops_lock(event.kind) && --depth[event.key] < 0) {
        depth[event.key] = 0;
        held.push_back({event.key, event.kind == EventKind::kReadUnlock});
      }
    }
    depth.clear();
    for (const Held& lock : held) ++depth[lock.lock];
    thread.held.push_back(held);
    for (const uint64_t i : thread.events) {
      Event& event = events_[i];
      if (!event.failed && !event.inner && takes_lock(event.kind)) {
        if (++depth[event.key] == 1)
          held.push_back({event.key, takes_shared(event.kind)});
        else
          event.inner = true;
      } else if (!event.failed && !event.inner && drops_lock(event.kind)) {
        if (--depth[event.key] == 0)
          std::erase_if(held, [&](const Held& lock) { return lock.lock == event.key; });
        else
          event.inner = true;
      }
      thread.held.push_back(held);
    }
  }
}

TraceMachine::State TraceMachine::initial() const {
  return State(threads_.size() + cell_count_, '\0');
}

int64_t TraceMachine::next(const State& state, uint32_t thread) const {
  const auto done = static_cast<uint8_t>(state[thread]);
  const std::vector<uint64_t>& events = threads_[thread].events;
  return done < events.size() ? static_cast<int64_t>(events[done]) : -1;
}

bool TraceMachine::executed(const State& state, int64_t event) const {
  const Event& found = events_[static_cast<uint64_t>(event)];
  return static_cast<uint8_t>(state[found.thread]) > found.number;
}

bool TraceMachine::holds(const State& state, uint32_t thread, const Key& lock, bool exclusively) const {
  const std::vector<Held>& held = threads_[thread].held[static_cast<uint8_t>(state[thread])];
  return std::any_of(held.begin(), held.end(),
                     [&](const Held& one) { return one.lock == lock && !(exclusively && one.shared); });
}

bool TraceMachine::taken(const State& state, uint32_t except, const Key& lock, bool exclusively) const {
  for (uint32_t thread = 0; thread < threads_.size(); ++thread) {
    if (thread != except && holds(state, thread, lock, exclusively)) return true;
  }
  return false;
}

bool TraceMachine::excludes(const Event& a, const Event& b) const {
  return takes_lock(b.kind) && !b.failed && !b.inner && a.key == b.key &&
         !(takes_shared(a.kind) && takes_shared(b.kind));
}

// What it held at first is not known: just enough for the trace.
int64_t TraceMachine::semaphore_value(const State& state, const Key& key) const {
  int64_t initial = 0;
  int64_t balance = 0;
  int64_t now = 0;
  for (uint64_t i = 0; i < events_.size(); ++i) {
    const Event& event = events_[i];
    if (event.key != key || event.failed) continue;
    const int64_t change = event.kind == EventKind::kSemPost ? 1 : takes_semaphore(event.kind) ? -1 : 0;
    balance += change;
    initial = std::max(initial, -balance);
    if (executed(state, static_cast<int64_t>(i))) now += change;
  }
  return initial + now;
}

std::string TraceMachine::obstacle(const State& state, uint64_t index, Reordering order,
                                   bool sees_any) const {
  const Event& event = events_[index];
  const int64_t fork = threads_[event.thread].fork;
  if (event.number == 0 && fork >= 0 && !executed(state, fork)) return "its thread has not been created";
  if (event.allocation >= 0 && event.allocation != static_cast<int64_t>(index) &&
      !executed(state, event.allocation))
    return "its memory has not been allocated";
  if (event.kind == EventKind::kJoin && static_cast<uint8_t>(state[event.peer]) < event.joined)
    return "the thread has not ended";

  if (takes_lock(event.kind) && !event.inner) {
    const bool in_the_way = taken(state, event.thread, event.key, takes_shared(event.kind));
    if (event.failed != in_the_way) return event.failed ? "nobody holds the lock" : "somebody holds the lock";
    if (order == Reordering::kSyncPreserving && !event.failed) {
      for (uint64_t later = index + 1; later < events_.size(); ++later) {
        if (excludes(event, events_[later]) && executed(state, static_cast<int64_t>(later)))
          return fmt::format("event {} has taken the lock already", later);
      }
    }
  }
  if (takes_semaphore(event.kind) && event.failed != (semaphore_value(state, event.key) <= 0))
    return "the semaphore has another value";
  if (keeps_order(event.kind)) {
    for (uint64_t other = 0; other < events_.size(); ++other) {
      if (events_[other].key == event.key && keeps_order(events_[other].kind) &&
          executed(state, static_cast<int64_t>(other)) != (other < index))
        return fmt::format("its order with event {} is not that of the trace", other);
    }
  }

  if (event.reads && !sees_any) {
    for (size_t i = 0; i < event.cells.size(); ++i) {
      const auto writer = static_cast<uint8_t>(state[threads_.size() + event.cells[i]]);
      if (writer != event.seen[i])
        return fmt::format("it reads from event {}, not {}", writer - 1, event.seen[i] - 1);
    }
  }
  return "";
}

TraceMachine::State TraceMachine::execute(const State& state, uint64_t index) const {
  const Event& event = events_[index];
  State after = state;
  ++after[event.thread];
  if (event.writes) {
    for (const uint32_t cell : event.cells) after[threads_.size() + cell] = static_cast<char>(index + 1);
  }
  return after;
}

bool TraceMachine::blocked_by(const State& state, uint64_t acquire, const std::set<uint32_t>& threads) const {
  const Event& event = events_[acquire];
  return std::any_of(threads.begin(), threads.end(), [&](uint32_t thread) {
    return thread != event.thread && holds(state, thread, event.key, takes_shared(event.kind));
  });
}

Reorderings::Reorderings(const trace::Trace& trace, Reordering order)
    : trace_(trace), order_(order), machine_(trace) {
  std::vector<TraceMachine::State> todo{machine_.initial()};
  reached_.insert(todo.front());
  while (!todo.empty()) {
    const TraceMachine::State state = std::move(todo.back());
    todo.pop_back();
    for (uint32_t thread = 0; thread < machine_.thread_count(); ++thread) {
      const int64_t next = machine_.next(state, thread);
      if (next < 0 || !machine_.obstacle(state, static_cast<uint64_t>(next), order, false).empty()) continue;
      TraceMachine::State after = machine_.execute(state, static_cast<uint64_t>(next));
      if (reached_.insert(after).second) todo.push_back(std::move(after));
    }
  }
}

bool Reorderings::can_race(uint64_t first, uint64_t second) const {
  return std::any_of(reached_.begin(), reached_.end(), [&](const TraceMachine::State& state) {
    for (const uint64_t event : {first, second}) {
      if (machine_.next(state, machine_.thread_of(event)) != static_cast<int64_t>(event) ||
          !machine_.obstacle(state, event, order_, true).empty())
        return false;
    }
    return true;
  });
}

bool Reorderings::can_deadlock(const std::vector<uint64_t>& acquisitions) const {
  std::set<uint32_t> threads;
  for (const uint64_t event : acquisitions) threads.insert(machine_.thread_of(event));
  return std::any_of(reached_.begin(), reached_.end(), [&](const TraceMachine::State& state) {
    return std::all_of(acquisitions.begin(), acquisitions.end(), [&](uint64_t event) {
      return machine_.next(state, machine_.thread_of(event)) == static_cast<int64_t>(event) &&
             machine_.blocked_by(state, event, threads);
    });
  });
}

bool Reorderings::can_execute(const std::vector<uint64_t>& sequence, const std::set<uint64_t>& exempt) const {
  const std::set<uint64_t> ordered(sequence.begin(), sequence.end());
  // How much of the sequence has been executed follows from the state.
  std::vector<std::pair<TraceMachine::State, size_t>> todo{{machine_.initial(), 0}};
  std::unordered_set<TraceMachine::State> reached{todo.front().first};
  while (!todo.empty()) {
    const auto [state, done] = std::move(todo.back());
    todo.pop_back();
    if (done == sequence.size()) return true;
    for (uint32_t thread = 0; thread < machine_.thread_count(); ++thread) {
      const int64_t next = machine_.next(state, thread);
      if (next < 0) continue;
      const auto event = static_cast<uint64_t>(next);
      const bool is_ordered = ordered.contains(event);
      if (is_ordered && event != sequence[done]) continue;
      if (!machine_.obstacle(state, event, order_, exempt.contains(event)).empty()) continue;
      TraceMachine::State after = machine_.execute(state, event);
      if (reached.insert(after).second) todo.emplace_back(std::move(after), done + is_ordered);
    }
  }
  return sequence.empty();
}

std::string check_schedule(const trace::Trace& trace, const std::vector<uint64_t>& schedule,
                           const std::set<uint64_t>& exempt, Reordering order) {
  const TraceMachine machine(trace);
  TraceMachine::State state = machine.initial();
  for (const uint64_t event : schedule) {
    if (machine.next(state, machine.thread_of(event)) != static_cast<int64_t>(event))
      return fmt::format("event {} is not the next one of its thread", event);
    const std::string obstacle = machine.obstacle(state, event, order, exempt.contains(event));
    if (!obstacle.empty()) return fmt::format("event {} cannot be executed: {}", event, obstacle);
    state = machine.execute(state, event);
  }
  return "";
}

}  // namespace heddle
