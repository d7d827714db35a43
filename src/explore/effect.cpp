#include "explore/effect.h"

namespace heddle {

using trace::EventKind;
using trace::OperationClass;

// Stands for the ends of threads, each of which is one byte of it.
constexpr uint64_t kThreadsObject = ~uint64_t{0};

Effect effect_of(const Operation& operation) {
  const bool failed = (operation.flags & trace::event_flag::kFailed) != 0;
  const auto if_not_failed = static_cast<uint16_t>(operation.flags & ~trace::event_flag::kFailed);
  Effect effect{.kind = trace::class_of(operation.kind, operation.flags),
                .at_most = trace::class_of(operation.kind, if_not_failed),
                .timed = (operation.flags & trace::event_flag::kTimed) != 0,
                .peer = operation.peer,
                .value = operation.value,
                .event = operation.kind,
                .object = operation.object,
                .begin = operation.offset,
                .end = operation.offset + operation.size,
                .statement = operation.statement};
  switch (operation.kind) {
    case EventKind::kLock:
    case EventKind::kReadLock:
      effect.waits = effect.acquires = !failed;
      break;
    case EventKind::kTryLock:
    case EventKind::kTryReadLock:
    case EventKind::kOnceBegin:
      effect.acquires = !failed;
      break;
    case EventKind::kOncePassed:
      effect.waits = true;
      break;
    case EventKind::kUnlock:
    case EventKind::kReadUnlock:
    case EventKind::kOnceEnd:
      effect.releases = !failed;
      break;
    default:
      break;
  }
  return effect;
}

bool may_fail(const Effect& effect) {
  switch (effect.event) {
    case EventKind::kAtomicUpdate:
    case EventKind::kTryLock:
    case EventKind::kTryReadLock:
    case EventKind::kSemTryWait:
      return true;
    default:
      return effect.timed || effect.kind != effect.at_most;
  }
}

Effects effects_of(const std::vector<Operation>& operations, const Choice& chosen) {
  Effects effects;
  effects.reserve(operations.size());
  for (const Operation& operation : operations) {
    Effect effect = effect_of(operation);
    const bool wakes = effect.event == EventKind::kCondWake;
    if (wakes && chosen.kind == trace::StepKind::kRun) effect.kind = effect.at_most = OperationClass::kNone;
    if (effect.event == EventKind::kThreadEnd || effect.event == EventKind::kJoin) {
      effect.object = kThreadsObject;
      effect.begin = effect.event == EventKind::kJoin ? effect.peer : chosen.thread;
      effect.end = effect.begin + 1;
    }
    if (effect.kind != OperationClass::kNone || effect.event == EventKind::kFork || wakes)
      effects.push_back(effect);
  }
  return effects;
}

bool depend(const Effects& a, const Effects& b) {
  for (const Effect& x : a) {
    for (const Effect& y : b) {
      if (depend(x, y)) return true;
    }
  }
  return false;
}

}  // namespace heddle
