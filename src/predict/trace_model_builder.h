// TraceModelBuilder: makes a TraceModel in one pass over the events. Only trace_model.cpp uses it.
#pragma once

#include <array>
#include <map>
#include <utility>
#include <vector>

#include "predict/index_table.h"
#include "predict/trace_model.h"

namespace heddle {

class TraceModelBuilder {
 public:
  explicit TraceModelBuilder(TraceModel* model);

  void build();

 private:
  // Who has written a location, for each of its bytes.
  struct Written {
    EventIndex event = kNoEvent;
    uint8_t bytes = 0;
  };
  struct Location {
    Written last;
    std::vector<Written> older;  // bytes that `last` has not overwritten
    uint32_t user = 0;           // plus 1: a thread that uses it
    bool several = false;        // use it
    bool written = false;
    uint32_t next_of_object = 0;  // plus 1
  };
  struct Object {
    EventIndex freed = kNoEvent;
    uint32_t user = 0;            // plus 1: the thread that was last made to need the allocation
    uint32_t first_location = 0;  // plus 1
    uint32_t free_span = 0;       // plus 1
  };

  // The last operation of each thread, of one sort, on one object.
  using LastByThread = std::vector<std::pair<uint32_t, EventIndex>>;
  // A thread that waits at a barrier.
  struct Arrival {
    uint32_t thread = 0;
    bool released = false;  // its phase is complete, and leaving needs `of_phase`
    LastByThread of_phase;
  };
  // A synchronisation object whose operations keep their order. What the sorts are is up to the object.
  struct Chain {
    std::array<LastByThread, 2> last;
    std::vector<Arrival> arrivals;  // of a barrier
  };
  struct Holder {
    uint32_t thread = 0;
    uint32_t depth = 0;
    EventIndex acquire = kNoEvent;
    uint32_t link = 0;
  };
  struct LockState {
    std::vector<Holder> readers;
    Holder writer;  // depth 0: none
    EventIndex birth = kNoEvent;
    LastByThread initial;  // ends of sections that had begun before the trace
  };
  // An address used for synchronisation. A lock that is made anew there is another lock.
  struct Place {
    uint32_t lock = kNoLock;
    EventIndex birth = kNoEvent;
    uint32_t chain = 0;  // plus 1
  };
  struct ThreadState {
    std::vector<HeldLock> held;                             // sorted by lock
    uint32_t lockset = 0;                                   // its number
    std::array<std::pair<uint32_t, uint32_t>, 8> needed{};  // (thread + 1, events of it) needed last
  };

  void visit(EventIndex index, const trace::EventRecord& event);
  void need(EventIndex event, EventIndex target);
  void need_continuation(EventIndex event);
  void need_all(EventIndex event, const LastByThread& targets);
  void need_notifier(EventIndex event, const LastByThread& notifies, uint32_t thread);
  void leave_barrier(EventIndex event, uint32_t thread, Chain* barrier);
  static void remember(EventIndex event, uint32_t thread, LastByThread* last);

  void access(EventIndex index, const trace::EventRecord& event, EventClass event_class);
  void read_part(EventIndex index, TraceModel::Part part);
  void write_part(EventIndex index, TraceModel::Part part);
  void use_part(uint32_t thread, bool writes, Location* location);
  void free_object(EventIndex index, const trace::EventRecord& event);
  void finish_freed_objects();
  uint32_t location(uint32_t object, uint64_t granule);

  Place& place_of(const trace::EventRecord& event);
  Chain& chain_of(const trace::EventRecord& event);
  uint32_t lock_at(const trace::EventRecord& event);
  void acquire(EventIndex index, const trace::EventRecord& event, bool shared);
  void begin_section(EventIndex index, uint32_t thread, uint32_t lock, bool shared, Holder* holder);
  void release(EventIndex index, const trace::EventRecord& event, bool shared);
  void end_section(EventIndex index, uint32_t lock, const Holder& holder, bool shared);
  void attempt(EventIndex index, const trace::EventRecord& event);
  void renew(EventIndex index, const trace::EventRecord& event);
  void lockset_changed(uint32_t thread, uint32_t lock, bool shared, bool taken);
  uint32_t lockset_number(const std::vector<HeldLock>& held);

  TraceModel& model_;
  IndexTable location_numbers_;
  std::vector<Location> locations_;
  std::vector<Object> objects_;
  IndexTable span_numbers_;
  IndexTable place_numbers_;
  std::vector<Place> places_;
  std::vector<Chain> chains_;
  Chain signals_;
  bool has_once_ = false;  // so far
  std::vector<LockState> locks_;
  IndexTable acquisition_numbers_;      // (thread, lock)
  std::vector<uint32_t> acquisitions_;  // by that number: index into Lock::by_thread
  std::map<std::vector<uint64_t>, uint32_t> lockset_numbers_;
  IndexTable lockset_steps_;  // (lockset, what is taken or released): spares looking into that map
  std::vector<uint32_t> lockset_after_;
  std::vector<ThreadState> threads_;
};

}  // namespace heddle
