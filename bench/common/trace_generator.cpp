#include "common/trace_generator.h"

#include <algorithm>
#include <vector>

namespace heddle::bench {
namespace {

using trace::EventKind;
using trace::EventRecord;

constexpr uint64_t kWord = 8;
constexpr uint32_t kSites = 2000;
// Turns of a thread, so that neighbours in the trace are often of one thread, as in reality.
constexpr uint32_t kBurst = 8;

class Generator {
 public:
  explicit Generator(const TraceShape& shape)
      : shape_(shape), state_(shape.seed * 2 + 1), threads_(shape.threads), owner_(shape.locks, kFree) {
    tables_.modules.push_back({.path = tables_.add_string("generated"),
                               .build_id = tables_.add_string("0"),
                               .size = (uint64_t{shape.variables} + shape.locks) * kWord});
    tables_.contexts.push_back({});
    tables_.sites.push_back({});
    for (uint32_t i = 1; i <= kSites; ++i) tables_.sites.push_back({.offset = i, .module = 0, .reserved = 0});
    tables_.objects.push_back({});
    tables_.objects.push_back(
        {.kind = trace::ObjectKind::kGlobal, .owner = 0, .size = tables_.modules[0].size});
    for (uint32_t i = 0; i < shape.threads; ++i) {
      tables_.threads.push_back({.parent = 0, .ordinal = i});
      tables_.objects.push_back({.kind = trace::ObjectKind::kThread, .owner = i});
    }
    tables_.events.reserve(shape.events);
  }

  trace::Trace run() {
    for (uint32_t i = 1; i < shape_.threads; ++i) {
      add_thread_event(EventKind::kFork, 0, i);
      add_thread_event(EventKind::kThreadBegin, i, i);
    }
    // Room for the ends: what is held, then two events for each thread.
    const uint64_t reserve = 4 * uint64_t{shape_.threads} + 8;
    const auto has_room = [&] { return tables_.events.size() + removed_ + reserve < shape_.events; };
    while (has_room()) {
      const uint32_t thread = below(shape_.threads);
      for (uint32_t i = 0; i < kBurst && has_room(); ++i) step(thread);
    }
    for (uint32_t i = 0; i < shape_.threads; ++i)
      while (!threads_[i].held.empty()) leave(i);
    for (uint32_t i = 1; i < shape_.threads; ++i) {
      add_thread_event(EventKind::kThreadEnd, i, i);
      add_thread_event(EventKind::kJoin, 0, i);
    }
    tables_.outcome.steps = tables_.events.size();
    return trace::Trace::from_tables(std::move(tables_));
  }

 private:
  static constexpr uint32_t kFree = ~0u;
  struct Section {
    uint32_t lock;
    uint32_t left;
  };
  struct Thread {
    std::vector<Section> held;
  };

  // SplitMix64: the same on every machine.
  uint64_t random() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  uint32_t below(uint32_t end) { return static_cast<uint32_t>((random() >> 32) * end >> 32); }

  void step(uint32_t index) {
    Thread& thread = threads_[index];
    if (thread.held.empty()) {
      if (below(100) < shape_.section_percent)
        enter(index, below(shape_.locks));
      else
        use_unguarded(index);
      return;
    }
    Section& section = thread.held.back();
    if (section.left == 0) return leave(index);
    section.left--;
    if (thread.held.size() == 1 && below(100 * shape_.section_length) < shape_.nested_percent &&
        section.lock + 1 < shape_.locks)
      return enter(index, section.lock + 1 + below(shape_.locks - section.lock - 1));
    access(index, guarded_by(section.lock));
  }

  void enter(uint32_t index, uint32_t lock) {
    if (owner_[lock] != kFree) return use_unguarded(index);
    owner_[lock] = index;
    threads_[index].held.push_back({lock, 1 + below(2 * shape_.section_length - 1)});
    add_lock_event(EventKind::kLock, index, lock);
  }
  void leave(uint32_t index) {
    const uint32_t lock = threads_[index].held.back().lock;
    threads_[index].held.pop_back();
    owner_[lock] = kFree;
    add_lock_event(EventKind::kUnlock, index, lock);
  }
  void add_lock_event(EventKind kind, uint32_t thread, uint32_t lock) {
    if (lock == shape_.removed_lock) {
      ++removed_;
    } else {
      add(kind, thread, (uint64_t{shape_.variables} + lock) * kWord, 0, lock);
    }
  }

  // Half of the variables are guarded, variable i by lock i modulo their number; a quarter belong to threads,
  // and a quarter are read only.
  uint32_t guarded_by(uint32_t lock) {
    const uint32_t half = std::max(1u, shape_.variables / 2);
    const uint32_t count = (half - std::min(lock, half - 1) + shape_.locks - 1) / shape_.locks;
    return std::min(lock + shape_.locks * below(std::max(1u, count)), half - 1);
  }
  void use_unguarded(uint32_t index) {
    const uint32_t half = std::max(1u, shape_.variables / 2);
    const uint32_t quarter = std::max(1u, shape_.variables / 4);
    if (below(1000) < shape_.unguarded_permille) return access(index, below(half));
    if (below(3) == 0) {
      const uint32_t variable = std::min(half + quarter + below(quarter), shape_.variables - 1);
      return add(EventKind::kRead, index, uint64_t{variable} * kWord, kWord, variable);
    }
    const uint32_t own = std::max(1u, quarter / shape_.threads);
    access(index, std::min(half + index * own + below(own), shape_.variables - 1));
  }

  void access(uint32_t index, uint32_t variable) {
    const EventKind kind = below(100) < shape_.write_percent ? EventKind::kWrite : EventKind::kRead;
    add(kind, index, uint64_t{variable} * kWord, kWord, variable);
  }

  // A site has one kind of operation, and each variable a few sites.
  void add(EventKind kind, uint32_t thread, uint64_t offset, uint32_t size, uint32_t place) {
    EventRecord event{};
    event.thread = thread;
    event.site = 1 + (place * 8 + static_cast<uint32_t>(kind) * 2 + thread % 2) % kSites;
    event.object = 1;
    event.offset = offset;
    event.size = size;
    event.kind = kind;
    event.flags = trace::event_flag::kPoint;
    append(event);
  }
  void add_thread_event(EventKind kind, uint32_t thread, uint32_t peer) {
    EventRecord event{};
    event.thread = thread;
    event.site = 1;
    event.object = 2 + peer;
    event.peer = peer;
    event.kind = kind;
    event.flags = trace::event_flag::kPoint;
    append(event);
  }
  void append(const EventRecord& event) {
    if (tables_.steps.empty() || tables_.steps.back().thread != event.thread)
      tables_.steps.push_back(
          {.thread = event.thread, .kind = trace::StepKind::kRun, .count = 0, .reserved = 0});
    tables_.steps.back().count++;
    tables_.events.push_back(event);
  }

  const TraceShape shape_;
  uint64_t state_;
  uint64_t removed_ = 0;  // events
  trace::TraceTables tables_;
  std::vector<Thread> threads_;
  std::vector<uint32_t> owner_;  // of each lock
};

}  // namespace

trace::Trace generate_trace(const TraceShape& shape) {
  return Generator(shape).run();
}

}  // namespace heddle::bench
