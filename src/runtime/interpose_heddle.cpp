// heddle's own annotations (include/heddle/heddle_c.h).
#include "heddle/heddle_c.h"
#include "runtime/explore.h"
#include "runtime/explore_report.h"
#include "runtime/failure.h"
#include "runtime/heap.h"
#include "runtime/recorder.h"
#include "runtime/sync.h"

using namespace heddle::rt;
using heddle::trace::EventKind;
using heddle::trace::OutcomeKind;

HEDDLE_EXPORT void heddle_rt_yield() {
  if (!controlled()) return;
  const uintptr_t pc = HEDDLE_CALLER_PC;
  simple_point(EventKind::kYield, 0, pc);
  record_sync(EventKind::kYield, 0, pc, heddle::trace::event_flag::kPoint);
}

HEDDLE_EXPORT void heddle_rt_fail(const char* message) {
  if (!controlled()) return;
  fail({.kind = OutcomeKind::kAssertion, .message = message, .pc = HEDDLE_CALLER_PC, .walk_stack = true});
}

HEDDLE_EXPORT void heddle_rt_note_failure(const char* kind, const char* message) {
  if (!exploring()) return;
  OutcomeKind found = OutcomeKind::kAssertion;
  for (uint32_t i = 0; i < static_cast<uint32_t>(OutcomeKind::kCount); ++i) {
    if (text_equal(kind_name(static_cast<OutcomeKind>(i)), kind)) found = static_cast<OutcomeKind>(i);
  }
  describe_failure({.kind = found, .message = message});
}

HEDDLE_EXPORT void heddle_rt_atomic_set(const char* name, const volatile void* address, size_t size) {
  if (controlled()) record_atomic_set(name, address_of(address), size, HEDDLE_CALLER_PC);
}

// For the state of an object under test, which follows the object's pointers
// (generate/driver/driver_state.h).
HEDDLE_EXPORT bool heddle_rt_is_allocated(const void* memory, size_t size) {
  if (!controlled()) return false;
  const HeapObject* object = heap_find(address_of(memory));
  return object != nullptr && !object->freed && address_of(memory) - object->base <= object->size &&
         object->size - (address_of(memory) - object->base) >= size;
}
