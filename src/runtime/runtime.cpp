#include "runtime/runtime.h"

#include <dlfcn.h>
#include <malloc.h>
#include <sys/auxv.h>
#include <sys/single_threaded.h>

#include "runtime/access.h"
#include "runtime/address_space.h"
#include "runtime/failure.h"
#include "runtime/finalizers.h"
#include "runtime/fronts.h"
#include "runtime/heap.h"
#include "runtime/modules.h"
#include "runtime/point_set.h"
#include "runtime/races.h"
#include "runtime/recorder.h"
#include "runtime/scheduler.h"
#include "runtime/signal_actions.h"
#include "runtime/signal_delivery.h"
#include "runtime/startup.h"
#include "runtime/sys.h"
#include "runtime/threads.h"
#include "runtime/world.h"

// Whether the kernel lets us set the FS base without a system call; read by switch.S.
extern "C" __attribute__((visibility("hidden"))) uint8_t heddle_has_fsgsbase;
uint8_t heddle_has_fsgsbase;

namespace heddle::rt {
namespace {
inline constexpr unsigned long kHwcap2FsGsBase = 2;
}

constinit Runtime rt{};
constinit Options options;

void* find_real(const char* name) {
  InsideScope inside;
  return dlsym(RTLD_NEXT, name);
}

extern "C" __attribute__((visibility("hidden"))) RealBase __start_heddle_reals[];
extern "C" __attribute__((visibility("hidden"))) RealBase __stop_heddle_reals[];

void resolve_reals() {
  for (RealBase* real = __start_heddle_reals; real != __stop_heddle_reals; ++real) {
    if (real->address == RealBase::kNotLookedUp) real->look_up();
  }
}

void give_up(const char* what, const char* detail) {
  char buffer[512];
  Text text(buffer, sizeof buffer);
  text.add("heddle: the runtime cannot go on: ").add(what).add(detail).add("\n");
  sys_write(2, buffer, text.size());
  sys_exit_group(3);
}

bool enlarge(trace::TableId id, size_t record_size) {
  trace::TableRecord& table = descriptor(id);
  const trace::TableRecord& larger = rt.arena->larger_tables[static_cast<size_t>(id)];
  if (larger.capacity <= table.capacity) return false;
  copy_bytes(in_arena(larger.offset), in_arena(table.offset), table.count * record_size);
  // In this order: a reader after a kill finds at least what was there.
  table.offset = larger.offset;
  asm volatile("" ::: "memory");
  table.capacity = larger.capacity;
  return true;
}

// As early as __tsan_init, when not even the environment can be read: only what the access path needs.
void init_memory() {
  if (rt.memory_ready) return;
  reserve_address_space();
  rt.memory_ready = true;
}

void init_runtime() {
  init_memory();
  if (rt.arena != nullptr) return;
  worlds_init();
  heddle_has_fsgsbase = (getauxval(AT_HWCAP2) & kHwcap2FsGsBase) != 0;
  // One kernel thread needs one arena; glibc would map a new one for each thread.
  mallopt(M_ARENA_MAX, 1);
  attach_arena();
  shadow_init();
  heap_init();
  recorder_init();
  modules_refresh();
  point_set_init();
  fronts_init();
  resolve_reals();
  rt.request = rt.arena->request;
  install_crash_handlers();
  rt.arena->ready = 1;
}

void init_executions(uintptr_t main_stack_top) {
  // libstdc++ leaves out atomic operations while glibc says that there is one thread. Whether threads were
  // made ahead of time must not matter, so there always seem to be several.
  __libc_single_threaded = 0;
  scheduler_init();
  threads_init(main_stack_top);
  adopt_signal_actions();
  finalizers_init();
}

void prepare_execution() {
  if (rt.arena->request.exploration != 0) return;  // it records elsewhere, see below
  point_set_load();
  recorder_prepare_execution();
  record_thread(*rt.current);
}

void begin_execution() {
  if (rt.arena->request.exploration != 0) {
    keep_arena_for_exploration();
    prepare_execution();
  }
  rt.request = rt.arena->request;
  rt.os_threads = (rt.request.flags & trace::request_flag::kOsThreads) != 0;
  policy_begin_execution();
  races_begin_execution();
  threads_begin_execution();
  adopt_kernel_thread();
  signals_begin_execution();
  begin_slice();
  quantum_left = static_cast<uint32_t>(options.quantum);
  rt.arena->saw_instrumented = rt.instrumented ? 1 : 0;
  rt.active = true;
}

}  // namespace heddle::rt
