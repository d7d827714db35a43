#include "runtime/dependence.h"

#include "trace/dependence.h"

namespace heddle::rt {
namespace {

using trace::EventKind;
using trace::OperationClass;

struct Touch {
  EventKind kind;
  OperationClass how;
  uintptr_t address;
  uint64_t size;
  bool touches_more;
};

Touch touch_of(const Op& op, bool looks_only) {
  return {op.kind, trace::class_of(op.kind, looks_only ? trace::event_flag::kFailed : 0), op.object, op.size,
          op.touches_more};
}

Touch touch_of(const EventSpec& event) {
  const uint64_t size = trace::has_extent(event.kind) && event.size_or_peer != 0 ? event.size_or_peer : 1;
  return {event.kind, trace::class_of(event.kind, event.flags), event.address, size, false};
}

// Operations that touch more than they say are taken to depend on everything that could be meant.
bool depends(const Touch& a, const Touch& b) {
  if (a.how == OperationClass::kEverything || b.how == OperationClass::kEverything) return true;
  if (a.how == OperationClass::kNone || b.how == OperationClass::kNone) return false;
  if (a.touches_more || b.touches_more) return true;
  // A wait on a condition also unlocks a mutex, which a try-lock notices.
  if (a.kind == EventKind::kCondWait && b.how == OperationClass::kLockTest) return true;
  if (b.kind == EventKind::kCondWait && a.how == OperationClass::kLockTest) return true;
  return a.address < b.address + b.size && b.address < a.address + a.size &&
         trace::classes_depend(a.how, b.how);
}

}  // namespace

bool depends(const Op& pending, bool looks_only, const EventSpec& executed) {
  return depends(touch_of(pending, looks_only), touch_of(executed));
}

bool depends(const Op& pending, const Op& other) {
  return depends(touch_of(pending, false), touch_of(other, false));
}

}  // namespace heddle::rt
