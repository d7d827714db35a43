// TraceBuilder: traces written by hand, for tests of engines.
//
//   TraceBuilder b;
//   auto x = b.global(), m = b.global();          // two locations
//   auto main = b.main_thread();
//   auto child = main.fork();
//   child.lock(m).write(x).at(10).unlock(m);
//   main.read(x).at(20).join(child);
//   Trace trace = b.build();
//
// Events appear in the order of the calls. at(n) says that the last operation is at the site with number n:
// equal numbers are equal sites. An event without at() has a site of its own. call(n) and leave() bracket
// calling contexts.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trace/trace.h"

namespace heddle::trace {

class TraceBuilder {
 public:
  // A place in memory: what is read, written, locked, waited for.
  struct Location {
    uint32_t object = 0;
    uint64_t offset = 0;
    uint32_t size = 0;

    // The part of `bytes` bytes that begins `begin` bytes into this one.
    Location part(uint64_t begin, uint32_t bytes) const { return {object, offset + begin, bytes}; }
  };

  // A handle on one thread of the trace. Every operation appends an event and returns the handle.
  class Thread {
   public:
    uint32_t index() const { return index_; }

    Thread fork();               // also begins the new thread
    Thread& join(Thread other);  // also ends the other thread, if it has not ended
    Thread& end();

    Thread& read(Location where) { return access(EventKind::kRead, where); }
    Thread& write(Location where) { return access(EventKind::kWrite, where); }
    Thread& atomic_read(Location where, MemoryOrder order = MemoryOrder::kSeqCst);
    Thread& atomic_write(Location where, MemoryOrder order = MemoryOrder::kSeqCst);
    Thread& atomic_update(Location where, MemoryOrder order = MemoryOrder::kSeqCst);
    Thread& fence(MemoryOrder order = MemoryOrder::kSeqCst);

    Thread& lock(Location mutex) { return access(EventKind::kLock, mutex); }
    Thread& unlock(Location mutex) { return access(EventKind::kUnlock, mutex); }
    Thread& read_lock(Location mutex) { return access(EventKind::kReadLock, mutex); }
    Thread& read_unlock(Location mutex) { return access(EventKind::kReadUnlock, mutex); }
    Thread& try_lock(Location mutex) { return access(EventKind::kTryLock, mutex); }

    // cond_wait() also releases the mutex; cond_wake() ends the wait and takes the mutex again.
    Thread& cond_wait(Location condition, Location mutex);
    Thread& cond_wake(Location condition, Location mutex, Thread notifier);
    Thread& cond_time_out(Location condition, Location mutex);
    Thread& notify_one(Location condition, uint32_t woken = 1);
    Thread& notify_all(Location condition, uint32_t woken);

    Thread& sem_post(Location semaphore) { return access(EventKind::kSemPost, semaphore); }
    Thread& sem_wait(Location semaphore) { return access(EventKind::kSemWait, semaphore); }
    Thread& barrier_arrive(Location barrier) { return access(EventKind::kBarrierArrive, barrier); }
    Thread& barrier_leave(Location barrier) { return access(EventKind::kBarrierLeave, barrier); }

    Location allocate(uint32_t size);  // a new heap object, and the event of its allocation
    Thread& free(Location object) { return access(EventKind::kFree, object); }

    // Any other event: `peer` goes where the kind says (see EventRecord).
    Thread& event(EventKind kind, Location where, uint32_t peer = 0);
    Thread& event(EventKind kind);

    // Said of the thread's last operation. fork() and allocate() return something else, so say it of the
    // thread: `auto child = main.fork(); main.at(5);`.
    Thread& at(uint64_t site_number);
    Thread& flag(uint16_t flags);
    Thread& failed() { return flag(event_flag::kFailed); }
    Thread& timed_out() { return flag(event_flag::kTimedOut); }

    // Events from here on happen in a function called at this site, until leave().
    Thread& call(uint64_t site_number);
    Thread& leave();

   private:
    friend class TraceBuilder;
    Thread(TraceBuilder* builder, uint32_t index) : builder_(builder), index_(index) {}
    Thread& access(EventKind kind, Location where);
    Thread& atomic(EventKind kind, Location where, MemoryOrder order);
    Thread& together_with(EventKind kind, Location where);
    template <typename Action>
    void for_operation(Action action);
    EventRecord& append(EventKind kind, Location where);

    TraceBuilder* builder_;
    uint32_t index_;
  };

  explicit TraceBuilder(std::string_view program = "prog", std::string_view build_id = "0123456789abcdef");

  Thread main_thread() { return Thread(this, 0); }
  Location global(uint32_t size = 8);
  Location stack(Thread owner, uint32_t size = 8);

  // The site with this number, for records made by hand.
  uint32_t site(uint64_t number);
  // The tables so far, to add what has no verb of its own.
  TraceTables& tables() { return tables_; }

  TraceBuilder& outcome(OutcomeKind kind, Thread thread, std::string_view message = "");
  TraceBuilder& describe(std::vector<std::string> command, std::string policy);

  // Every event is one scheduling step. Aborts if the trace is not valid: then the test is wrong.
  Trace build() const;

 private:
  struct ThreadState {
    uint32_t children = 0;
    uint32_t context = 0;
    uint32_t object = 0;   // that fork and join name
    size_t operation = 0;  // index of the first event of its last operation
    uint64_t stack_used = 0;
    uint32_t stack_object = 0;
    bool ended = false;
  };

  uint32_t add_thread(uint32_t parent);
  Location thread_location(uint32_t thread) const { return {threads_[thread].object, 0, 0}; }
  uint32_t add_object(ObjectKind kind, uint32_t owner, uint64_t size);

  TraceTables tables_;
  std::vector<ThreadState> threads_;
  std::map<uint64_t, uint32_t> sites_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> contexts_;  // (parent, call site) → context
  uint64_t globals_used_ = 0;
  uint32_t globals_object_ = 0;
  std::vector<std::string> command_;
  std::string policy_;
};

}  // namespace heddle::trace
