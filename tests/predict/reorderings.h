// Reorderings: all that other schedules of the events of a small trace could do, by brute force.
//
// What predictions are tested against, so it shares nothing with predict/: it knows the records of a trace
// and what they mean, and executes events one at a time in every possible order. A reordering is correct if
// every thread executes a prefix of its events, every read sees the write that it saw in the trace, locks
// exclude each other, threads run after their fork and are joined after their end, semaphores do not go below
// zero, and a failed try-lock finds the lock taken. Operations on any other synchronisation object keep their
// order.
//
// States are remembered, not paths: a state is how far each thread is and who wrote each location last.
// Traces of up to about 14 events in 4 threads take less than a millisecond.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "trace/trace.h"

namespace heddle {

enum class Reordering {
  kCorrect,
  kSyncPreserving,  // besides, acquisitions of one lock that exclude each other keep their order
};

// Executes the events of a trace one at a time, in any correct order.
class TraceMachine {
 public:
  explicit TraceMachine(const trace::Trace& trace);

  // By thread, how many of its events have been executed; then, by cell, 1 + the last event that wrote it.
  using State = std::string;
  State initial() const;

  uint32_t thread_count() const { return static_cast<uint32_t>(threads_.size()); }
  // The next event of a thread, or -1 at its end.
  int64_t next(const State& state, uint32_t thread) const;
  // Why an event that is next in its thread cannot be executed now; empty if it can. `sees_any`: whatever it
  // reads will do.
  std::string obstacle(const State& state, uint64_t event, Reordering order, bool sees_any) const;
  State execute(const State& state, uint64_t event) const;
  // Whether a lock that an acquisition waits for is held by one of these threads.
  bool blocked_by(const State& state, uint64_t acquire, const std::set<uint32_t>& threads) const;
  uint32_t thread_of(uint64_t event) const { return events_[event].thread; }

 private:
  struct Key {
    uint32_t object = 0;
    uint64_t offset = 0;
    auto operator<=>(const Key&) const = default;
  };
  struct Held {
    Key lock;
    bool shared = false;
  };
  struct Event {
    trace::EventKind kind{};
    bool failed = false;
    bool inner = false;  // of a lock that the thread has already
    uint32_t thread = 0;
    uint32_t number = 0;
    uint32_t peer = 0;
    Key key;
    bool reads = false;
    bool writes = false;
    std::vector<uint32_t> cells;
    std::vector<uint8_t> seen;  // of a read, by cell: as in State
    int64_t allocation = -1;
    uint32_t joined = 0;  // events of the peer before a join
  };
  struct Thread {
    std::vector<uint64_t> events;
    std::vector<std::vector<Held>> held;  // by number of events executed
    int64_t fork = -1;
  };

  void make_cells(const trace::Trace& trace);
  void make_held();
  bool executed(const State& state, int64_t event) const;
  bool holds(const State& state, uint32_t thread, const Key& lock, bool exclusively) const;
  bool taken(const State& state, uint32_t except, const Key& lock, bool exclusively) const;
  bool excludes(const Event& a, const Event& b) const;
  int64_t semaphore_value(const State& state, const Key& key) const;

  std::vector<Event> events_;
  std::vector<Thread> threads_;
  uint32_t cell_count_ = 0;
};

class Reorderings {
 public:
  Reorderings(const trace::Trace& trace, Reordering order);

  // Whether some reordering ends where both events are next and can be executed, whatever they read.
  bool can_race(uint64_t first, uint64_t second) const;
  // Whether some reordering ends where all these acquisitions are next, and each waits for a lock that the
  // thread of another one holds.
  bool can_deadlock(const std::vector<uint64_t>& acquisitions) const;
  // Whether some reordering executes these events in this order, others perhaps between them, where those
  // in `exempt` may read anything.
  bool can_execute(const std::vector<uint64_t>& sequence, const std::set<uint64_t>& exempt = {}) const;

  uint64_t states() const { return reached_.size(); }

 private:
  trace::Trace trace_;
  Reordering order_;
  TraceMachine machine_;
  std::unordered_set<TraceMachine::State> reached_;
};

// Executes these events one after the other. What is wrong with that, or an empty string. Reads among
// `exempt` may see anything.
std::string check_schedule(const trace::Trace& trace, const std::vector<uint64_t>& schedule,
                           const std::set<uint64_t>& exempt, Reordering order = Reordering::kCorrect);

}  // namespace heddle
