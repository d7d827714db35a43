#include "random_trace.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "trace/trace_builder.h"

namespace heddle {

using trace::EventKind;
using trace::TraceBuilder;

namespace {

class Maker {
 public:
  Maker(const RandomTrace& wanted, std::mt19937_64& random) : wanted_(wanted), random_(random) {}

  trace::Trace make() {
    threads_.push_back(builder_.main_thread());
    for (uint32_t i = 0; i < wanted_.locks; ++i) locks_.push_back({.place = builder_.global()});
    for (uint32_t i = 0; i < wanted_.variables; ++i) variables_.push_back(builder_.global(16));
    semaphore_ = builder_.global();
    if (wanted_.heap) variables_.push_back(threads_[0].allocate(16));
    while (threads_.size() < wanted_.threads) threads_.push_back(threads_[below(threads_.size())].fork());
    if (!wanted_.forks) {
      std::erase_if(builder_.tables().events, [](const trace::EventRecord& event) {
        return event.kind == EventKind::kFork || event.kind == EventKind::kThreadBegin;
      });
    }
    ended_.resize(threads_.size());
    planned_.resize(threads_.size());
    uint64_t running = 0;
    for (uint32_t i = 0; i < wanted_.events; ++i) {
      if (chance(wanted_.switch_percent)) running = below(threads_.size());
      step(static_cast<uint32_t>(running));
    }
    for (uint32_t thread = 0; thread < threads_.size() && !wanted_.open_sections; ++thread) {
      while (release(thread)) {
      }
    }
    return builder_.build();
  }

 private:
  struct Lock {
    TraceBuilder::Location place;
    std::optional<uint32_t> writer;
    std::vector<uint32_t> readers;
  };

  static constexpr int kRelease = -1;
  static constexpr int kAccess = -2;

  uint64_t below(uint64_t limit) { return random_() % limit; }
  bool chance(uint32_t percent) { return below(100) < percent; }

  void step(uint32_t thread) {
    if (ended_[thread]) return;
    if (wanted_.forks && thread != 0 && chance(4)) {
      for (uint32_t other = 0; other < threads_.size(); ++other) {
        if (other == thread || ended_[other]) continue;
        while (release(thread)) {
        }
        ended_[thread] = true;
        threads_[other].join(threads_[thread]);
        return;
      }
    }
    if (!planned_[thread].empty()) return follow_plan(thread);
    if (wanted_.semaphores && chance(12)) return use_semaphore(thread);
    if (wanted_.nested && locks_.size() >= 2 && chance(wanted_.lock_percent)) return plan_section(thread);
    if (wanted_.locks != 0 && chance(wanted_.lock_percent)) {
      if (chance(45) && release(thread)) return;
      return acquire(thread, locks_[below(locks_.size())]);
    }
    access(thread);
  }

  void place(uint32_t thread) {
    if (wanted_.sites != 0) threads_[thread].at(1 + below(wanted_.sites));
  }

  void access(uint32_t thread) {
    if (variables_.empty()) return;
    TraceBuilder::Location where = variables_[below(variables_.size())];
    if (wanted_.heap && where.object == variables_.back().object && !freed_ && chance(10)) {
      freed_ = true;
      threads_[thread].free(where);
      return place(thread);
    }
    if (wanted_.parts) {
      const uint64_t begin = below(12);
      where = where.part(begin, static_cast<uint32_t>(1 + below(std::min<uint64_t>(16 - begin, 9))));
    } else {
      where = where.part(0, 8);
    }
    TraceBuilder::Thread& handle = threads_[thread];
    if (wanted_.atomics && chance(40)) {
      switch (below(4)) {
        case 0:
          handle.atomic_read(where);
          break;
        case 1:
          handle.atomic_write(where);
          break;
        case 2:
          handle.atomic_update(where);
          break;
        default:
          handle.atomic_update(where).failed();
      }
    } else if (chance(50)) {
      handle.read(where);
    } else {
      handle.write(where);
    }
    place(thread);
  }

  void plan_section(uint32_t thread) {
    const auto outer = static_cast<int>(below(locks_.size()));
    const auto inner = static_cast<int>((outer + 1 + below(locks_.size() - 1)) % locks_.size());
    planned_[thread] = {outer, inner, kRelease, kRelease};
    if (chance(20)) planned_[thread].insert(planned_[thread].begin() + below(5), kAccess);
    follow_plan(thread);
  }

  void follow_plan(uint32_t thread) {
    std::vector<int>& plan = planned_[thread];
    const size_t events = builder_.tables().events.size();
    if (plan.front() == kRelease)
      release(thread);
    else if (plan.front() == kAccess)
      access(thread);
    else
      acquire(thread, locks_[static_cast<size_t>(plan.front())]);
    if (builder_.tables().events.size() != events) plan.erase(plan.begin());
  }

  void acquire(uint32_t thread, Lock& lock) {
    const bool mine = lock.writer == thread || std::ranges::count(lock.readers, thread) != 0;
    if (mine) return;
    const bool shared = wanted_.readers && chance(50);
    const bool tries = wanted_.try_locks && chance(30);
    if (lock.writer.has_value() || (!shared && !lock.readers.empty())) {
      if (!tries) return;
      threads_[thread].event(shared ? EventKind::kTryReadLock : EventKind::kTryLock, lock.place).failed();
      return place(thread);
    }
    if (shared) {
      lock.readers.push_back(thread);
      threads_[thread].event(tries ? EventKind::kTryReadLock : EventKind::kReadLock, lock.place);
    } else {
      lock.writer = thread;
      threads_[thread].event(tries ? EventKind::kTryLock : EventKind::kLock, lock.place);
    }
    place(thread);
  }

  bool release(uint32_t thread) {
    const size_t first = below(locks_.size() + 1);
    for (size_t i = 0; i < locks_.size(); ++i) {
      Lock& lock = locks_[(first + i) % locks_.size()];
      if (lock.writer == thread) {
        lock.writer.reset();
        threads_[thread].unlock(lock.place);
        place(thread);
        return true;
      }
      const auto reader = std::ranges::find(lock.readers, thread);
      if (reader != lock.readers.end()) {
        lock.readers.erase(reader);
        threads_[thread].read_unlock(lock.place);
        place(thread);
        return true;
      }
    }
    return false;
  }

  void use_semaphore(uint32_t thread) {
    if (semaphore_value_ == 0 && chance(20)) {
      threads_[thread].event(EventKind::kSemTryWait, semaphore_).failed();
    } else if (semaphore_value_ == 0 || chance(50)) {
      ++semaphore_value_;
      threads_[thread].sem_post(semaphore_);
    } else {
      --semaphore_value_;
      threads_[thread].sem_wait(semaphore_);
    }
    place(thread);
  }

  const RandomTrace& wanted_;
  std::mt19937_64& random_;
  TraceBuilder builder_;
  std::vector<TraceBuilder::Thread> threads_;
  std::vector<bool> ended_;
  std::vector<std::vector<int>> planned_;  // by thread: locks to take, kRelease, kAccess
  std::vector<Lock> locks_;
  std::vector<TraceBuilder::Location> variables_;
  TraceBuilder::Location semaphore_;
  uint32_t semaphore_value_ = 0;
  bool freed_ = false;
};

}  // namespace

trace::Trace RandomTrace::make(std::mt19937_64& random) const {
  return Maker(*this, random).make();
}

RandomTrace RandomTrace::anything(std::mt19937_64& random) {
  const auto chance = [&](uint32_t percent) { return random() % 100 < percent; };
  RandomTrace wanted;
  wanted.threads = 2 + random() % 3;
  wanted.events = 8 + random() % 7;
  wanted.locks = random() % 4;
  wanted.variables = 1 + random() % 3;
  wanted.lock_percent = 30 + random() % 50;
  wanted.switch_percent = 20 + random() % 80;
  wanted.forks = chance(30);
  wanted.atomics = chance(30);
  wanted.readers = chance(30);
  wanted.try_locks = chance(30);
  wanted.parts = chance(20);
  wanted.semaphores = chance(15);
  wanted.heap = chance(15);
  wanted.open_sections = chance(20);
  return wanted;
}

}  // namespace heddle
