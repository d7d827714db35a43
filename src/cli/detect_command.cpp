// `heddle detect`: races, lock-order cycles and uses of freed memory in one execution.
#include <algorithm>
#include <chrono>
#include <memory>

#include <fmt/format.h>

#include "check/suspects.h"
#include "cli/analysed_test.h"
#include "detect/detect.h"
#include "report/text.h"
#include "trace/event_stream.h"

namespace heddle {
namespace {

using detect::Detections;
using detect::PairFinding;

struct DetectCommandOptions : AnalysisOptions {
  std::vector<std::string> analyses = {"races", "potential", "deadlocks"};
};

void say_summary(const Detections& found, const Suspects& suspects, const AnalysisReport& report) {
  std::string text =
      fmt::format("{} events looked at: {}", found.events, count_of(report.findings().size(), "finding"));
  if (suspects.not_reproduced() > 0)
    text += fmt::format(", {} suspected and not reproduced", suspects.not_reproduced());
  if (suspects.not_tried() > 0)
    text += fmt::format(", {} not executed for lack of time", suspects.not_tried());
  if (report.confirmed_earlier() > 0)
    text += fmt::format(", {} confirmed earlier", report.confirmed_earlier());
  if (report.suppressed() > 0) text += fmt::format(", {} suppressed", report.suppressed());
  say(text);
  if (found.left_out > 0) say(fmt::format("{} more were found than are kept", found.left_out));
  if (!found.cycles_complete) say("the search for lock-order cycles was cut off");
}

RunResult result_of(const Detections& found, const Suspects& suspects, const AnalysisReport& report) {
  RunResult result;
  result.command = "detect";
  result.executions = suspects.executions();
  result.complete = found.left_out == 0 && found.cycles_complete && suspects.not_tried() == 0;
  result.findings = report.findings();
  result.own["events"] = found.events;
  result.own["races"] = found.races.size();
  result.own["races_certain"] = std::count_if(found.races.begin(), found.races.end(),
                                              [](const PairFinding& race) { return race.certain; });
  result.own["lock_set"] = found.lock_set.size();
  result.own["potential_races"] = found.potential_races.size();
  result.own["lock_cycles"] = found.cycles.size();
  result.own["uses_after_free"] = found.uses_after_free.size();
  result.own["not_reproduced"] = suspects.not_reproduced();
  result.own["suppressed"] = report.suppressed();
  return result;
}

Expected<int> inspect(const DetectCommandOptions& options, const Reports& reports, trace::EventStream& events,
                      AnalysedTest* test, AnalysisReport& report) {
  const auto wants = [&](std::string_view analysis) {
    return std::find(options.analyses.begin(), options.analyses.end(), analysis) != options.analyses.end();
  };
  const Expected<Detections> found = detect::detect(events, {.races = wants("races"),
                                                             .reads_from = wants("races"),
                                                             .lock_set = wants("lock-set"),
                                                             .hybrid = wants("potential"),
                                                             .lock_order = wants("deadlocks")});
  if (!found) return tl::unexpected(found.error());
  const Expected<trace::Trace> names = found->findings() == 0 ? trace::Trace() : events.names();
  if (!names) return tl::unexpected(names.error());
  Progress progress;
  Suspects suspects(*names, report, test, suspect_options(report, progress, options.all));
  if (const Expected<void> looked = suspects.look_into(*found); !looked)
    return tl::unexpected(looked.error());
  say_summary(*found, suspects, report);
  say_unused(report.suppressions(), options.test.suppressions);
  RunResult result = result_of(*found, suspects, report);
  result.seconds = report.seconds();
  if (test != nullptr) result.executions += test->executions();
  return finish_analysis(reports, result, test != nullptr && test->confirms());
}

Expected<int> run(const DetectCommandOptions& options, const Invocation& invocation) {
  Expected<Suppressions> suppressions = options.test.read_suppressions();
  if (!suppressions) return tl::unexpected(suppressions.error());
  const Expected<Reports> reports = Reports::open(options.test.report);
  if (!reports) return tl::unexpected(reports.error());
  AnalysisReport report(std::move(*suppressions), options.output, reports->evidence());
  if (!options.file.empty()) {
    if (invocation.has_words || options.confirm)
      return usage_error(
          "detect looks at a trace or at a test, not at both; to execute the test, leave out the file");
    const Expected<std::unique_ptr<trace::EventStream>> events = trace::open_events(options.file);
    if (!events) return tl::unexpected(events.error());
    return inspect(options, *reports, **events, nullptr, report);
  }
  const Expected<std::vector<std::string>> words = test_words(invocation, "detect");
  if (!words) return tl::unexpected(words.error());
  Expected<std::unique_ptr<AnalysedTest>> test = AnalysedTest::record(options, *words, report);
  if (!test) return tl::unexpected(test.error());
  trace::TraceEvents events((*test)->trace());
  return inspect(options, *reports, events, test->get(), report);
}

}  // namespace

void add_detect_command(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "detect", "find races and deadlocks in one execution or trace: heddle detect [options] -- PROGRAM");
  auto options = std::make_shared<DetectCommandOptions>();
  add_analysis_options(*command, *options);
  command
      ->add_option(
          "--analysis", options->analyses,
          "what to look for: races (happens-before), potential (no common lock), lock-set, deadlocks")
      ->delimiter(',')
      ->allow_extra_args(false)  // the word after it is the trace
      ->capture_default_str()
      ->check(CLI::IsMember({"races", "potential", "lock-set", "deadlocks"}));
  command->callback([&invocation, options] {
    invocation.action = [&invocation, options] { return run(*options, invocation); };
  });
}

}  // namespace heddle
