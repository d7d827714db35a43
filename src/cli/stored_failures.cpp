#include "cli/stored_failures.h"

#include <fmt/format.h>

#include "cli/command_line.h"
#include "cli/outcome_output.h"
#include "report/text.h"
#include "trace/names.h"

namespace heddle {
namespace {

// "followed for 3 of 7 switches, then the head did something else".
std::string how_far(const StoredReplay& replay) {
  const std::string units = replay.unit == "switch" ? "switches" : "choices";
  if (replay.is_followed()) return fmt::format("followed for all {} {}", replay.of, units);
  return fmt::format("followed for {} of {} {}, then the head did something else", replay.followed, replay.of,
                     units);
}

}  // namespace

Expected<void> tell_replay(const StoredSchedule& stored, const StoredReplay& replay,
                           FindingListener& listener) {
  const Execution& execution = replay.execution;
  const std::string name = stored.file.filename().string();
  say(fmt::format("{} ({}): {}; {}", name, trace::to_text(*stored.schedule.failure), how_far(replay),
                  execution.failed()
                      ? fmt::format("the head fails: {}", trace::to_text(execution.outcome.kind))
                      : "the head does not fail"));
  if (!execution.failed()) return {};
  if (const Expected<void> seen = check_seen_to_the_end(execution); !seen) return {};
  ReportContext context(execution.trace, listener.symbolizer(), listener.directory());
  std::optional<FailureStory> story = tell_failure(context);
  if (!story || !listener.news(context, *story, execution.outcome.kind)) return {};
  return listener.tell(
      context, std::move(*story),
      {.kind = execution.outcome.kind,
       .confirmation = Confirmation::kExecuted,
       .notes = {fmt::format("a schedule that made the test fail before ({}) does so here; {}", name,
                             how_far(replay))},
       .schedule = &replay.schedule,
       .executions = replay.executions});
}

nlohmann::ordered_json to_json(const StoredSchedule& stored, const StoredReplay& replay) {
  return {{"schedule", stored.file.string()},
          {"followed", replay.followed},
          {"of", replay.of},
          {"unit", replay.unit},
          {"outcome", trace::to_text(replay.execution.outcome.kind)}};
}

}  // namespace heddle
