// The runtime's state and the few things that every part of it uses.
//
// One thread runs at a time, so there is one global state and no locking. What is small is in global
// variables, which fit into one page, everything else in own_memory(): an execution of the fork server pays
// for every page it touches. The parts:
//   access.*        the per-access fast path, what becomes of an access
//   shadow.*        shadow memory: which accesses are ordered, which are scheduling points
//   race_shadow.*   the same when races are detected: which accesses can still race; races.* reports them
//   drop_in.*       how they are told without the tool
//   happens_before.* vector clocks: which accesses are ordered by synchronisation
//   scheduler.*     point(): which thread runs next; policy*.cpp make the choice, spin.* parks busy waiters
//   switch.S        how it gets to run: a fiber switch; kernel_threads.* hand-off between kernel threads
//   recorder.*      events, sites, contexts and objects into the arena
//   heap.*          which allocation an address belongs to
//   point_set.*     learned sharedness, across executions
//   io.*            waiting for input and output; descriptors.* knows what each descriptor is
//   signal_*        signals sent and delivered; cancel.* cancellation
//   failure.*       recognising and telling failures; deadlock analysis
//   startup.cpp     options, the arena, the fork server
//   explore.*       heddle::explore(): many executions in one process; world.* puts the program's own aside
//   address_space.* where everything lies; mappings.*, code_pages.*: what fork has to copy
//   interpose_*     the entry points: __tsan_*, pthread_*, libc
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/fiber.h"
#include "trace/arena.h"

#define HEDDLE_EXPORT extern "C" __attribute__((visibility("default")))
#define HEDDLE_LIKELY(x) __builtin_expect(!!(x), 1)
#define HEDDLE_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define HEDDLE_CALLER_PC reinterpret_cast<uintptr_t>(__builtin_return_address(0))

namespace heddle::rt {

struct Options {
  using Text = const char*;
  using Number = uint64_t;
#define HEDDLE_FLAG(type, name, initial, help) type name = initial;
#include "runtime/flags.inc"
#undef HEDDLE_FLAG
};

inline constexpr size_t kMaxFibers = 1u << 16;

// Begins as zeros with each execution.
struct ExecutionState {
  bool multithreaded;  // some created thread has not been joined
  bool exiting;        // exit() was called
  int exit_code;       // with this
  uint32_t fiber_count;
  uint32_t live_count;
  uint32_t unjoined;  // created, not main, and not joined
  uint32_t blocked_count;
  uint32_t parked_count;
  uint32_t sleeper_count;   // live threads that are asleep (sleep_set.h)
  uint32_t service_count;   // live threads of the runtime's own (timers.h)
  uint64_t timer_deadline;  // virtual time of the next expiry of a timer, or 0
  uint32_t input_waiters;   // threads whose operation waits for the outside world (io.h)
  bool os_threads;          // every fiber has a kernel thread of its own (kernel_threads.h)
  uint64_t steps;
  uint64_t clock;  // virtual nanoseconds
  uint64_t wait_counter;
  uint64_t random_state[2];
};

// Outlasts executions that follow one another in one process (world.h).
struct LastingState {
  Fiber* current;     // first: fronts.cpp reaches it from assembly
  bool memory_ready;  // shadow is mapped
  bool instrumented;  // some code called __tsan_init
  bool active;        // executing the program under control: points schedule, accesses are looked at
  bool inside;        // inside the runtime: interposed functions go straight to libc
  bool with_tool;
  Fiber** fibers;             // by index; there is always room for one more (scheduler.cpp)
  Fiber** live;               // not finished, in order of creation
  uint32_t execution;         // number of those made inside this process; 0: the program's own
  uint64_t outside_signals;   // bits of signals that the kernel has passed on (signal_delivery.h)
  trace::ArenaHeader* arena;  // never null once active: drop-in use has a private one
  char* arena_base;           // all of it, when `arena` is a second mapping of its front
  trace::RequestRecord request;
};

struct Runtime : LastingState, ExecutionState {};

extern Runtime rt __attribute__((visibility("hidden")));
extern Options options __attribute__((visibility("hidden")));

// Marks code that runs inside the runtime and may call libc functions which we interpose.
class InsideScope {
 public:
  InsideScope() : before_(rt.inside) { rt.inside = true; }
  ~InsideScope() { rt.inside = before_; }
  InsideScope(const InsideScope&) = delete;

 private:
  bool before_;
};

// True when an interposed function should act for the program rather than pass through to libc.
inline bool controlled() {
  return HEDDLE_LIKELY(rt.active && !rt.inside);
}

// Executions can follow one another in one process (world.h), so every static variable of the runtime is of
// one of three kinds, and tests/runtime/state_test.sh sees to it that each says which:
//   HEDDLE_EXECUTION  belongs to one execution: has its initial value again when the next one begins
//   HEDDLE_WORLD      outlasts executions, mostly to keep memory. Its owner puts it back in a function
//                     x_begin_execution() that begin_inner_execution() calls (world.cpp)
//   neither           belongs to the process, and is listed with the reason in
//   tests/runtime/process_state.txt
#define HEDDLE_EXECUTION __attribute__((section("heddle_execution")))
#define HEDDLE_WORLD __attribute__((section("heddle_world")))

// The next definition of a function that we interpose, or of another one that we must not link with:
// `static HEDDLE_REAL Real<signature> real_x{"x"}`. All are looked up at start, before any execution, so that
// executions do not pay for it; those needed before that are looked up on first use.
#define HEDDLE_REAL __attribute__((section("heddle_reals"))) constinit

void* find_real(const char* name);
void resolve_reals();

// As large as it is aligned: the section is walked as an array.
struct alignas(16) RealBase {
  static constexpr uintptr_t kNotLookedUp = 0;
  static constexpr uintptr_t kNotThere = 1;

  const char* name;
  uintptr_t address;

  void look_up() {
    const auto found = reinterpret_cast<uintptr_t>(find_real(name));
    address = found != 0 ? found : kNotThere;
  }
};

template <typename Function>
class Real : private RealBase {
 public:
  explicit constexpr Real(const char* symbol) : RealBase{symbol, kNotLookedUp} {}
  // Null if there is none.
  Function* get() { return exists() ? reinterpret_cast<Function*>(address) : nullptr; }
  template <typename... Args>
  auto operator()(Args... args) {
    if (HEDDLE_UNLIKELY(!resolved())) look_up();
    return reinterpret_cast<Function*>(address)(args...);
  }
  bool exists() {
    if (HEDDLE_UNLIKELY(!resolved())) look_up();
    return address != kNotThere;
  }
  bool resolved() const { return address != kNotLookedUp; }
};

// Says why the runtime cannot go on, and ends the process with exit code 3.
[[noreturn]] void give_up(const char* what, const char* detail = "");

inline uint64_t mix_hash(uint64_t hash, uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15ull + (hash << 6) + (hash >> 2);
  return hash * 0xff51afd7ed558ccdull ^ (hash >> 32);
}

uint64_t next_random();                     // xorshift128+, seeded per execution
inline uint64_t random_below(uint64_t n) {  // n > 0; the bias is below 2^-32 for the small n in use
  return static_cast<uint64_t>((static_cast<unsigned __int128>(next_random()) * n) >> 64);
}

inline char* in_arena(uint64_t offset) {
  return (offset < trace::kArenaHeaderRoom ? reinterpret_cast<char*>(rt.arena) : rt.arena_base) + offset;
}
template <typename Record>
inline Record* table(trace::TableId id) {
  return reinterpret_cast<Record*>(in_arena(rt.arena->tables[static_cast<size_t>(id)].offset));
}
template <typename Record>
inline Record* table(trace::ArenaTableId id) {
  return reinterpret_cast<Record*>(in_arena(rt.arena->arena_tables[static_cast<size_t>(id)].offset));
}
inline trace::TableRecord& descriptor(trace::TableId id) {
  return rt.arena->tables[static_cast<size_t>(id)];
}
inline trace::TableRecord& descriptor(trace::ArenaTableId id) {
  return rt.arena->arena_tables[static_cast<size_t>(id)];
}

// Moves a full table to a larger place; false if there is none.
bool enlarge(trace::TableId id, size_t record_size);
inline bool enlarge(trace::ArenaTableId, size_t) {
  return false;
}

// Appends a record; false if the table is full. The count is raised last, for readers after a kill.
template <typename Record, typename Id>
inline bool append(Id id, const Record& record) {
  trace::TableRecord& d = descriptor(id);
  if (HEDDLE_UNLIKELY(d.count >= d.capacity) && !enlarge(id, sizeof(Record))) return false;
  table<Record>(id)[d.count] = record;
  asm volatile("" ::: "memory");
  d.count++;
  return true;
}

// Start-up, in order: memory (as early as __tsan_init), then options and arena (from a constructor), then
// what every execution has in common, with the calling code as the main thread.
void init_memory();
void init_runtime();
void init_executions(uintptr_t main_stack_top);
// Ahead of an execution, what it can leave to the fork server: a child would pay for more pages.
void prepare_execution();
// The moment the program's own code begins: from here on the execution is controlled.
void begin_execution();

}  // namespace heddle::rt
