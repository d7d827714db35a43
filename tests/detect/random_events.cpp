#include "random_events.h"

#include <algorithm>
#include <random>
#include <vector>

#include "trace/trace_builder.h"

namespace heddle::detect {
namespace {

using trace::MemoryOrder;
using trace::TraceBuilder;

class Generator {
 public:
  Generator(uint64_t seed, const RandomEvents& shape) : random_(seed), shape_(shape) {
    for (uint32_t i = 0; i < shape.locks + shape.rwlocks; ++i) locks_.push_back({b_.global()});
    for (uint32_t i = 0; i < shape.variables; ++i) variables_.push_back(b_.global());
    for (uint32_t i = 0; i < shape.atomics; ++i) atomics_.push_back(b_.global());
    for (uint32_t i = 0; i < shape.semaphores; ++i) semaphores_.push_back({b_.global()});
    threads_.push_back({b_.main_thread()});
    for (uint32_t i = 0; i < shape.forked_first; ++i) threads_.push_back({threads_[0].handle.fork()});
  }

  trace::Trace run() {
    for (uint32_t i = 0; i < shape_.length; ++i) step();
    return b_.build();
  }

 private:
  struct Lock {
    TraceBuilder::Location where;
    int writer = -1;
    std::vector<int> readers = {};
  };
  struct Semaphore {
    TraceBuilder::Location where;
    int value = 0;
  };
  struct Thread {
    TraceBuilder::Thread handle;
    bool ended = false;
  };

  uint64_t below(uint64_t end) { return random_() % end; }

  void step() {
    const auto index = static_cast<size_t>(below(threads_.size()));
    if (threads_[index].ended) return;
    const int self = static_cast<int>(index);
    switch (below(12)) {
      case 0:
        if (threads_.size() < shape_.threads) threads_.push_back({threads_[index].handle.fork()});
        break;
      case 1:
        if (below(3) == 0) join(index);
        break;
      case 2:
      case 3:
        if (!locks_.empty()) take(self, locks_[below(locks_.size())]);
        break;
      case 4:
      case 5:
        if (!locks_.empty()) let_go(self, locks_[below(locks_.size())]);
        break;
      case 6:
        if (!semaphores_.empty()) semaphore(self, semaphores_[below(semaphores_.size())]);
        break;
      case 7:
        if (!atomics_.empty()) atomic(self, atomics_[below(atomics_.size())]);
        break;
      default:
        if (!variables_.empty()) access(self, variables_[below(variables_.size())]);
        break;
    }
  }

  // A thread that holds nothing and has no children that run may be joined.
  void join(size_t index) {
    const auto other = static_cast<size_t>(below(threads_.size()));
    if (other == 0 || other == index || threads_[other].ended) return;
    const int child = static_cast<int>(other);
    for (const Lock& lock : locks_)
      if (lock.writer == child || std::ranges::count(lock.readers, child) > 0) return;
    threads_[index].handle.join(threads_[other].handle);
    threads_[other].ended = true;
  }

  bool is_rwlock(const Lock& lock) const { return &lock - locks_.data() >= static_cast<int>(shape_.locks); }

  void take(int self, Lock& lock) {
    if (lock.writer >= 0 || std::ranges::count(lock.readers, self) > 0) return;
    TraceBuilder::Thread& thread = threads_[static_cast<size_t>(self)].handle;
    if (is_rwlock(lock) && below(2) == 0) {
      thread.read_lock(lock.where);
      lock.readers.push_back(self);
    } else if (lock.readers.empty()) {
      thread.lock(lock.where);
      lock.writer = self;
    }
  }

  void let_go(int self, Lock& lock) {
    TraceBuilder::Thread& thread = threads_[static_cast<size_t>(self)].handle;
    if (lock.writer == self) {
      thread.unlock(lock.where);
      lock.writer = -1;
    } else if (std::erase(lock.readers, self) > 0) {
      thread.read_unlock(lock.where);
    }
  }

  void semaphore(int self, Semaphore& semaphore) {
    TraceBuilder::Thread& thread = threads_[static_cast<size_t>(self)].handle;
    if (semaphore.value > 0 && below(2) == 0) {
      thread.sem_wait(semaphore.where);
      semaphore.value--;
    } else {
      thread.sem_post(semaphore.where);
      semaphore.value++;
    }
  }

  void atomic(int self, TraceBuilder::Location where) {
    TraceBuilder::Thread& thread = threads_[static_cast<size_t>(self)].handle;
    static constexpr MemoryOrder kLoads[] = {MemoryOrder::kRelaxed, MemoryOrder::kAcquire,
                                             MemoryOrder::kSeqCst};
    static constexpr MemoryOrder kStores[] = {MemoryOrder::kRelaxed, MemoryOrder::kRelease,
                                              MemoryOrder::kSeqCst};
    static constexpr MemoryOrder kUpdates[] = {MemoryOrder::kRelaxed, MemoryOrder::kAcquire,
                                               MemoryOrder::kRelease, MemoryOrder::kAcqRel};
    switch (below(4)) {
      case 0:
        thread.atomic_read(where, kLoads[below(3)]);
        break;
      case 1:
        thread.atomic_write(where, kStores[below(3)]);
        break;
      case 2:
        thread.atomic_update(where, kUpdates[below(4)]);
        if (below(3) == 0) thread.failed();
        break;
      default:
        access(self, where);  // a plain one to an atomic location
        break;
    }
  }

  void access(int self, TraceBuilder::Location where) {
    static constexpr std::pair<uint64_t, uint32_t> kParts[] = {{0, 8}, {0, 4}, {4, 4}, {2, 4}, {0, 8}};
    const auto [begin, size] = kParts[below(5)];
    TraceBuilder::Thread& thread = threads_[static_cast<size_t>(self)].handle;
    below(2) == 0 ? thread.read(where.part(begin, size)) : thread.write(where.part(begin, size));
  }

  std::mt19937_64 random_;
  RandomEvents shape_;
  TraceBuilder b_;
  std::vector<Lock> locks_;
  std::vector<TraceBuilder::Location> variables_;
  std::vector<TraceBuilder::Location> atomics_;
  std::vector<Semaphore> semaphores_;
  std::vector<Thread> threads_;
};

}  // namespace

trace::Trace random_events(uint64_t seed, const RandomEvents& shape) {
  return Generator(seed, shape).run();
}

}  // namespace heddle::detect
