#include "runtime/world.h"

#include "runtime/access.h"
#include "runtime/address_space.h"
#include "runtime/happens_before.h"
#include "runtime/io.h"
#include "runtime/modules.h"
#include "runtime/point_set.h"
#include "runtime/races.h"
#include "runtime/recorder.h"
#include "runtime/scheduler.h"
#include "runtime/signal_delivery.h"
#include "runtime/startup.h"
#include "runtime/sys.h"
#include "runtime/thread_data.h"
#include "runtime/thread_shell.h"
#include "runtime/threads.h"
#include "runtime/timers.h"

// The bounds of the sections that HEDDLE_WORLD and HEDDLE_EXECUTION put variables into.
#define HEDDLE_HIDDEN extern "C" __attribute__((visibility("hidden")))
HEDDLE_HIDDEN char __start_heddle_world[];
HEDDLE_HIDDEN char __stop_heddle_world[];
HEDDLE_HIDDEN char __start_heddle_execution[];
HEDDLE_HIDDEN char __stop_heddle_execution[];

namespace heddle::rt {
namespace {

// One of the sections, and what has to be in its place.
struct Section {
  char* begin;
  char* end;
  char* initial;  // as the library was loaded
  char* other;    // of the world that is not in place

  size_t size() const { return static_cast<size_t>(end - begin); }
  void keep() {
    initial = static_cast<char*>(own_memory(size()));
    other = static_cast<char*>(own_memory(size()));
    copy_bytes(initial, begin, size());
    copy_bytes(other, begin, size());
  }
  void change_places() {
    for (size_t i = 0; i < size(); ++i) {
      const char byte = begin[i];
      begin[i] = other[i];
      other[i] = byte;
    }
  }
  void reset() { copy_bytes(begin, initial, size()); }
};
Section of_world{__start_heddle_world, __stop_heddle_world, nullptr, nullptr};
Section of_execution{__start_heddle_execution, __stop_heddle_execution, nullptr, nullptr};

Runtime other_runtime;
bool inner;
uint32_t outer_quantum;
uintptr_t main_stack_top_;

// Of the process, not of a world. What has come from outside stays noted for whoever looks next.
void take_over_process_state() {
  rt.memory_ready = other_runtime.memory_ready;
  rt.instrumented = other_runtime.instrumented;
  rt.with_tool = other_runtime.with_tool;
  rt.outside_signals = other_runtime.outside_signals;
  rt.active = true;
  rt.inside = false;
}

void change_places() {
  of_world.change_places();
  of_execution.change_places();
  const Runtime there = other_runtime;
  other_runtime = rt;
  rt = there;
  take_over_process_state();
}

// What explorations that the tool does not ask for have left in the inner world belongs to an arena of its
// own. Executions go on being counted, since memory outlasts them.
void forget_inner_world() {
  const uint32_t execution = rt.execution;
  of_world.reset();
  of_execution.reset();
  rt = {};
  rt.execution = execution;
  take_over_process_state();
}

void make_inner_world(bool for_tool) {
  if (for_tool)
    use_arena_for_exploration();
  else
    make_private_arena();
  recorder_init();
  point_set_init();
  scheduler_init();
  recorder_prepare_execution();
}

}  // namespace

void worlds_init() {
  of_world.keep();
  of_execution.keep();
}

bool in_inner_world() {
  return inner;
}

void enter_inner_world(uintptr_t main_stack_top, bool for_tool) {
  outer_quantum = quantum_left;
  change_places();
  inner = true;
  if (for_tool && rt.arena != nullptr) forget_inner_world();
  if (rt.arena == nullptr) make_inner_world(for_tool);
  main_stack_top_ = main_stack_top;
  modules_refresh();
  find_thread_local_images();
  shells_lend();
  shadow_forget(true);
  point_set_forget();
  if (for_tool) return;  // its tables hold the schedule
  for (auto& table : rt.arena->arena_tables) table.count = 0;
}

void leave_inner_world() {
  shells_end_lending();
  inner = false;
  change_places();
  update_kernel_mask();
  shadow_forget(false);
  point_set_apply_all();
  begin_slice();
  quantum_left = outer_quantum;
}

void begin_inner_execution() {
  of_execution.reset();
  static_cast<ExecutionState&>(rt) = {};
  rt.execution++;
  rt.request = rt.arena->request;
  rt.arena->accesses = 0;
  rt.arena->held_back = 0;
  trace::OutcomeRecord& outcome = rt.arena->outcome;
  outcome.kind = trace::OutcomeKind::kOk;
  outcome.stack_size = 0;
  outcome.diverged_step = 0;
  outcome.abandoned = trace::Abandoned::kNo;
  outcome.message[0] = 0;

  // Each resets its HEDDLE_WORLD variables.
  point_set_begin_execution();
  recorder_begin_execution();
  policy_begin_execution();
  order_begin_execution();
  timers_begin_execution();
  races_begin_execution();
  streams_begin_execution();

  threads_init(main_stack_top_);
  threads_begin_execution();
  record_thread(*rt.current);
  // On the stack of the thread that called explore(), and as it is to the kernel.
  const Fiber& host = *other_runtime.current;
  rt.current->stack_low = host.stack_low;
  rt.current->signal_mask = host.signal_mask;
  rt.current->alt_stack = host.alt_stack;
  rt.current->alt_stack_size = host.alt_stack_size;
  update_kernel_mask();
  begin_slice();
  quantum_left = static_cast<uint32_t>(options.quantum);
}

void drop_threads() {
  Fiber* main = rt.fibers[0];
  rt.current = main;
  if (HEDDLE_UNLIKELY(rt.live_count > 1)) {
    for (uint32_t i = 0; i < rt.live_count; ++i) {
      const Fiber* fiber = rt.live[i];
      if (fiber->index != 0 && !leaves_nothing_behind(fiber)) shell_drop(fiber->thread_handle);
    }
    rt.live_count = 1;
    rt.live[0] = main;
    begin_slice();
  }
  main->op = {};
  main->blocked = main->parked = false;
  main->depth = 0;
  rt.blocked_count = rt.parked_count = rt.input_waiters = rt.service_count = 0;
  rt.timer_deadline = 0;
  rt.inside = false;
}

void end_inner_execution() {
  drop_threads();
  signals_end_execution();
  thread_names_end_execution();
  shells_take_back();
  if (HEDDLE_UNLIKELY(!shadow_put_back())) point_set_apply_all();
}

}  // namespace heddle::rt
