#include "report/story.h"

#include "report/tellers.h"

namespace heddle {

namespace {

FailureStory tell_by_kind(ReportContext& context) {
  using trace::OutcomeKind;
  switch (context.trace().outcome().kind) {
    case OutcomeKind::kDeadlock:
      return tell_deadlock(context);
    case OutcomeKind::kLostWakeup:
      return tell_lost_wakeup(context);
    case OutcomeKind::kLivelock:
      return tell_livelock(context);
    case OutcomeKind::kCrash:
      return tell_crash(context);
    case OutcomeKind::kAssertion:
      return tell_assertion(context);
    case OutcomeKind::kException:
      return tell_exception(context);
    case OutcomeKind::kMisuse:
      return tell_misuse(context);
    case OutcomeKind::kRace:
    case OutcomeKind::kUseAfterFree:
      return tell_first_race(context);
    case OutcomeKind::kExitCode:
      return tell_exit_code(context);
    default:
      return tell_other(context);
  }
}

}  // namespace

std::optional<FailureStory> tell_failure(ReportContext& context) {
  if (context.trace().outcome().kind == trace::OutcomeKind::kOk) return std::nullopt;
  FailureStory story = tell_by_kind(context);
  add_injected(context, story);
  return story;
}

}  // namespace heddle
