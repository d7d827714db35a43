#include "runtime/world.h"

#include "runtime/access.h"
#include "runtime/address_space.h"
#include "runtime/clock.h"
#include "runtime/failure.h"
#include "runtime/happens_before.h"
#include "runtime/heap.h"
#include "runtime/io.h"
#include "runtime/modules.h"
#include "runtime/point_set.h"
#include "runtime/recorder.h"
#include "runtime/scheduler.h"
#include "runtime/signal_delivery.h"
#include "runtime/startup.h"
#include "runtime/sys.h"
#include "runtime/thread_data.h"
#include "runtime/thread_shell.h"
#include "runtime/threads.h"
#include "runtime/timers.h"

extern "C" __attribute__((visibility("hidden"))) char __start_heddle_world[];
extern "C" __attribute__((visibility("hidden"))) char __stop_heddle_world[];

namespace heddle::rt {
namespace {

char* other_world;  // the variables of the world that is not in place
Runtime other_runtime;
bool inner;
uint32_t outer_quantum;
uintptr_t main_stack_top_;

size_t world_size() {
  return static_cast<size_t>(__stop_heddle_world - __start_heddle_world);
}

void change_places() {
  for (size_t i = 0; i < world_size(); ++i) {
    const char byte = __start_heddle_world[i];
    __start_heddle_world[i] = other_world[i];
    other_world[i] = byte;
  }
  const Runtime there = other_runtime;
  other_runtime = rt;
  rt = there;
  // Of the process, not of a world. What has come from outside stays noted for whoever looks next.
  rt.memory_ready = other_runtime.memory_ready;
  rt.instrumented = other_runtime.instrumented;
  rt.with_tool = other_runtime.with_tool;
  rt.outside_signals = other_runtime.outside_signals;
  rt.active = true;
  rt.inside = false;
}

void make_inner_world(trace::ArenaHeader* arena) {
  if (arena != nullptr) {
    rt.arena = arena;
    rt.arena_base = reinterpret_cast<char*>(arena);
  } else {
    make_private_arena();
  }
  recorder_init();
  point_set_init();
  scheduler_init();
  recorder_prepare_execution();
}

}  // namespace

void worlds_init() {
  other_world = static_cast<char*>(own_memory(world_size()));
  copy_bytes(other_world, __start_heddle_world, world_size());
}

bool in_inner_world() {
  return inner;
}

void enter_inner_world(uintptr_t main_stack_top, trace::ArenaHeader* arena) {
  outer_quantum = quantum_left;
  change_places();
  inner = true;
  if (rt.arena == nullptr) make_inner_world(arena);
  main_stack_top_ = main_stack_top;
  modules_refresh();
  find_thread_local_images();
  shells_lend();
  shadow_forget(true);
  point_set_forget();
  if (arena != nullptr) return;
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
  const Fiber& host = *other_runtime.current;
  rt.request = rt.arena->request;
  rt.execution++;
  rt.fiber_count = rt.live_count = 0;
  rt.unjoined = rt.blocked_count = rt.parked_count = rt.service_count = rt.input_waiters = 0;
  rt.multithreaded = rt.exiting = false;
  rt.timer_deadline = rt.steps = rt.wait_counter = 0;
  descriptor(trace::TableId::kThreads).count = 0;
  descriptor(trace::TableId::kSteps).count = 0;
  descriptor(trace::TableId::kBlocked).count = 0;
  trace::OutcomeRecord& outcome = rt.arena->outcome;
  outcome.kind = trace::OutcomeKind::kOk;
  outcome.stack_size = 0;
  outcome.diverged_step = 0;
  outcome.message[0] = 0;

  point_set_adopt_learned();
  clock_begin_execution();
  failure_begin_execution();
  heap_begin_execution();
  io_begin_execution();
  scheduler_begin_execution();
  policy_begin_execution();
  order_begin_execution();
  threads_init(main_stack_top_);
  threads_begin_execution();
  record_thread(*rt.current);
  rt.current->stack_low = host.stack_low;
  rt.current->signal_mask = host.signal_mask;
  rt.current->alt_stack = host.alt_stack;
  rt.current->alt_stack_size = host.alt_stack_size;
  begin_slice();
  quantum_left = static_cast<uint32_t>(options.quantum);
}

void end_inner_execution() {
  rt.current = rt.fibers[0];
  if (HEDDLE_UNLIKELY(rt.live_count > 1)) {
    for (uint32_t i = 0; i < rt.live_count; ++i) {
      const Fiber* fiber = rt.live[i];
      if (fiber->index != 0 && !leaves_nothing_behind(fiber)) shell_drop(fiber->thread_handle);
    }
    forget_pending_signals();
    timers_forget();
    forget_stream_locks();
    rt.live_count = 1;
    rt.live[0] = rt.current;
    update_kernel_mask();
  }
  shells_take_back();
  if (HEDDLE_UNLIKELY(!shadow_put_back())) point_set_apply_all();
}

}  // namespace heddle::rt
