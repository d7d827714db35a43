#include "random_events.h"

#include <algorithm>
#include <random>
#include <vector>

#include "trace/trace_builder.h"

namespace heddle::detect {
namespace {

using trace::EventKind;
using trace::MemoryOrder;
using trace::TraceBuilder;

class Generator {
 public:
  Generator(uint64_t seed, const RandomEvents& shape) : random_(seed), shape_(shape) {
    for (uint32_t i = 0; i < shape.locks + shape.rwlocks; ++i) locks_.push_back({b_.global()});
    for (uint32_t i = 0; i < shape.variables; ++i) variables_.push_back(b_.global());
    for (uint32_t i = 0; i < shape.atomics; ++i) atomics_.push_back(b_.global());
    for (uint32_t i = 0; i < shape.semaphores; ++i) semaphores_.push_back({b_.global()});
    for (uint32_t i = 0; i < shape.barriers; ++i) barriers_.push_back({b_.global()});
    for (uint32_t i = 0; i < shape.futexes; ++i) futexes_.push_back(b_.global());
    for (uint32_t i = 0; i < shape.onces; ++i) onces_.push_back({b_.global()});
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
  struct Barrier {
    TraceBuilder::Location where;
    std::vector<size_t> waiting = {};
  };
  struct Once {
    TraceBuilder::Location where;
    enum class State { kNew, kRunning, kDone } state = State::kNew;
    size_t runner = 0;
  };
  // Who waits at `where` goes on once it is released.
  struct Thread {
    TraceBuilder::Thread handle;
    bool ended = false;
    enum class Waits { kNo, kAtBarrier, kAtFutex } waits = Waits::kNo;
    TraceBuilder::Location where = {};
    bool released = false;
    uint32_t waker = 0;
  };

  uint64_t below(uint64_t end) { return random_() % end; }

  void step() {
    const auto index = static_cast<size_t>(below(threads_.size()));
    if (threads_[index].ended) return;
    if (threads_[index].waits != Thread::Waits::kNo) return go_on(threads_[index]);
    const int self = static_cast<int>(index);
    switch (below(16)) {
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
      case 8:
        if (!atomics_.empty()) atomic(self, atomics_[below(atomics_.size())]);
        break;
      case 9:
        if (!barriers_.empty()) arrive(index, barriers_[below(barriers_.size())]);
        break;
      case 10:
        if (!futexes_.empty()) futex(index, futexes_[below(futexes_.size())]);
        break;
      case 11:
        if (!onces_.empty()) once(index, onces_[below(onces_.size())]);
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
    if (threads_[other].waits != Thread::Waits::kNo) return;
    for (const Once& once : onces_)
      if (once.state == Once::State::kRunning && once.runner == other) return;
    const int child = static_cast<int>(other);
    for (const Lock& lock : locks_)
      if (lock.writer == child || std::ranges::count(lock.readers, child) > 0) return;
    threads_[index].handle.join(threads_[other].handle);
    threads_[other].ended = true;
  }

  bool is_rwlock(const Lock& lock) const { return &lock - locks_.data() >= static_cast<int>(shape_.locks); }

  void take(int self, Lock& lock) {
    if (lock.writer == self || std::ranges::count(lock.readers, self) > 0) return;
    TraceBuilder::Thread& thread = threads_[static_cast<size_t>(self)].handle;
    const bool tries = shape_.try_locks && below(3) == 0;
    const bool reads = is_rwlock(lock) && below(2) == 0;
    const EventKind read_kind = tries ? EventKind::kTryReadLock : EventKind::kReadLock;
    const EventKind kind = reads ? read_kind : tries ? EventKind::kTryLock : EventKind::kLock;
    if (lock.writer >= 0 || (!reads && !lock.readers.empty())) {
      if (tries) thread.event(kind, lock.where).failed();
      return;
    }
    thread.event(kind, lock.where);
    if (reads)
      lock.readers.push_back(self);
    else
      lock.writer = self;
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
    const bool tries = shape_.try_locks && below(3) == 0;
    if (semaphore.value > 0 && below(2) == 0) {
      thread.event(tries ? EventKind::kSemTryWait : EventKind::kSemWait, semaphore.where);
      semaphore.value--;
    } else if (semaphore.value == 0 && tries) {
      thread.event(EventKind::kSemTryWait, semaphore.where).failed();
    } else {
      thread.sem_post(semaphore.where);
      semaphore.value++;
    }
  }

  // The last to arrive goes on at once, the others some time later: perhaps after arrivals at the next phase.
  void arrive(size_t index, Barrier& barrier) {
    threads_[index].handle.barrier_arrive(barrier.where);
    threads_[index].waits = Thread::Waits::kAtBarrier;
    threads_[index].where = barrier.where;
    barrier.waiting.push_back(index);
    if (barrier.waiting.size() < kBarrierThreads) return;
    for (const size_t waiting : barrier.waiting) threads_[waiting].released = true;
    barrier.waiting.clear();
    go_on(threads_[index]);
  }

  void futex(size_t index, TraceBuilder::Location where) {
    Thread& self = threads_[index];
    if (index != 0 && below(2) == 0) {
      self.handle.event(EventKind::kFutexWait, where);
      self.waits = Thread::Waits::kAtFutex;
      self.where = where;
      return;
    }
    const auto waits = [&](const Thread& thread) {
      return thread.waits == Thread::Waits::kAtFutex && !thread.released &&
             thread.where.offset == where.offset;
    };
    const auto woken = std::ranges::find_if(threads_, waits);
    self.handle.event(EventKind::kFutexWake, where, woken != threads_.end() ? 1 : 0);
    if (woken == threads_.end()) return;
    woken->released = true;
    woken->waker = static_cast<uint32_t>(index);
  }

  static void go_on(Thread& thread) {
    if (!thread.released) return;
    if (thread.waits == Thread::Waits::kAtBarrier)
      thread.handle.barrier_leave(thread.where);
    else
      thread.handle.event(EventKind::kFutexAwake, thread.where, thread.waker + 1);
    thread.waits = Thread::Waits::kNo;
    thread.released = false;
  }

  void once(size_t index, Once& once) {
    TraceBuilder::Thread& thread = threads_[index].handle;
    if (once.state == Once::State::kNew) {
      thread.event(EventKind::kOnceBegin, once.where);
      once.state = Once::State::kRunning;
      once.runner = index;
    } else if (once.state == Once::State::kDone) {
      thread.event(EventKind::kOncePassed, once.where);
    } else if (once.runner == index) {
      const bool fails = below(3) == 0;
      thread.event(EventKind::kOnceEnd, once.where);
      if (fails) thread.failed();
      once.state = fails ? Once::State::kNew : Once::State::kDone;
    }
  }

  void fence(TraceBuilder::Thread& thread) {
    static constexpr MemoryOrder kFences[] = {MemoryOrder::kAcquire, MemoryOrder::kRelease,
                                              MemoryOrder::kAcqRel, MemoryOrder::kSeqCst};
    thread.fence(kFences[below(4)]);
  }

  void atomic(int self, TraceBuilder::Location where) {
    TraceBuilder::Thread& thread = threads_[static_cast<size_t>(self)].handle;
    static constexpr MemoryOrder kLoads[] = {MemoryOrder::kRelaxed, MemoryOrder::kAcquire,
                                             MemoryOrder::kSeqCst};
    static constexpr MemoryOrder kStores[] = {MemoryOrder::kRelaxed, MemoryOrder::kRelease,
                                              MemoryOrder::kSeqCst};
    static constexpr MemoryOrder kUpdates[] = {MemoryOrder::kRelaxed, MemoryOrder::kAcquire,
                                               MemoryOrder::kRelease, MemoryOrder::kAcqRel};
    if (shape_.fences && below(4) == 0) return fence(thread);
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
  std::vector<Barrier> barriers_;
  std::vector<TraceBuilder::Location> futexes_;
  std::vector<Once> onces_;
  std::vector<Thread> threads_;
};

}  // namespace

trace::Trace random_events(uint64_t seed, const RandomEvents& shape) {
  return Generator(seed, shape).run();
}

}  // namespace heddle::detect
