// pthread_once (which std::call_once uses) and the guards of function-local statics.
#include <pthread.h>

#include "runtime/call_once.h"
#include "runtime/shadow.h"
#include "runtime/sync.h"

namespace heddle::rt {
namespace {

using trace::EventKind;
using trace::WaitKind;
namespace flag = trace::event_flag;

// Both kinds of guard are a word with three states: untouched, running (with the thread), done. The inline
// check that compilers emit looks at the lowest byte of a static's guard only, so "running" leaves it 0.
inline constexpr uint32_t kDone = 1;
uint32_t running(uint32_t thread_id) {
  return thread_id << 8;
}

bool not_running(const Op& op) {
  const uint32_t word = *reinterpret_cast<const volatile uint32_t*>(op.object);
  return word == 0 || word == kDone;
}
uint32_t runner(const Op& op) {
  return *reinterpret_cast<const volatile uint32_t*>(op.object) >> 8;
}

// True if the caller is to run the initialiser.
bool begin(uint32_t* word, uintptr_t pc) {
  Op op;
  op.kind = EventKind::kOnceBegin;
  op.wait = WaitKind::kOnce;
  op.object = address_of(word);
  op.pc = pc;
  op.enabled = not_running;
  op.holder = runner;
  point(op);
  if (*word == kDone) {
    record_sync(EventKind::kOncePassed, address_of(word), pc, flag::kPoint);
    return false;
  }
  *word = running(self_id());
  note_held(address_of(word), pc, false);
  record_sync(EventKind::kOnceBegin, address_of(word), pc, flag::kPoint);
  return true;
}

void end(uint32_t* word, bool done, uintptr_t pc) {
  // Who finds the guard of a static done does not ask any further, so the look itself has to be recorded.
  if ((rt.request.flags & trace::request_flag::kRecordShared) != 0)
    shadow_touch_atomic(address_of(word), 1, true);
  simple_point(EventKind::kOnceEnd, address_of(word), pc);
  *word = done ? kDone : 0;
  note_released(rt.current, address_of(word));
  record_sync(EventKind::kOnceEnd, address_of(word), pc, flag::kPoint | (done ? 0 : flag::kFailed));
  wake(address_of(word));
}

void abandon(void* word) {
  end(static_cast<uint32_t*>(word), false, HEDDLE_PROGRAM_PC);
}

}  // namespace
}  // namespace heddle::rt

using namespace heddle::rt;

HEDDLE_EXPORT int pthread_once(pthread_once_t* once, void (*initialise)()) {
  static HEDDLE_REAL Real<int(pthread_once_t*, void (*)())> real_once{"pthread_once"};
  if (!controlled()) return real_once(once, initialise);
  const uintptr_t pc = HEDDLE_PROGRAM_PC;
  auto* word = reinterpret_cast<uint32_t*>(once);
  if (*word == 2) return 0;  // glibc's "done", from before the program was controlled
  if (!begin(word, pc)) return 0;
  heddle_call_guarded(initialise, abandon, word);
  end(word, true, pc);
  return 0;
}

HEDDLE_EXPORT int __cxa_guard_acquire(uint32_t* guard) {
  if (!controlled()) return (*guard & 0xff) == 0;
  return begin(guard, HEDDLE_PROGRAM_PC) ? 1 : 0;
}

HEDDLE_EXPORT void __cxa_guard_release(uint32_t* guard) {
  if (controlled())
    end(guard, true, HEDDLE_PROGRAM_PC);
  else
    *guard = kDone;
}

HEDDLE_EXPORT void __cxa_guard_abort(uint32_t* guard) {
  if (controlled())
    end(guard, false, HEDDLE_PROGRAM_PC);
  else
    *guard = 0;
}
