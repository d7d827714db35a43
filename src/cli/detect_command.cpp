// `heddle detect`: races, lock-order cycles and uses of freed memory in one execution.
#include <algorithm>
#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "cli/analysed_test.h"
#include "cli/progress.h"
#include "detect/detect.h"
#include "report/predicted_stories.h"
#include "report/tellers.h"
#include "report/text.h"
#include "trace/event_stream.h"

namespace heddle {
namespace {

using detect::Detections;
using detect::LockOrderCycle;
using detect::PairFinding;
using detect::Side;
using trace::OutcomeKind;

struct DetectCommandOptions : AnalysisOptions {
  std::vector<std::string> analyses = {"races", "potential", "deadlocks"};
};

trace::RaceAccess access_of(const Side& side) {
  return {.thread = side.thread,
          .site = side.site,
          .context = side.context,
          .size = side.size,
          .offset = side.offset,
          .event = side.event + 1,
          .kind = side.kind,
          .reserved = {}};
}

trace::RaceRecord race_of(const PairFinding& pair, bool ordered) {
  return {.object = pair.object,
          .ordered = ordered ? 1u : 0u,
          .first = access_of(pair.first),
          .second = access_of(pair.second)};
}

trace::EventRecord event_of(const Side& side, uint32_t object) {
  trace::EventRecord event{};
  event.thread = side.thread;
  event.site = side.site;
  event.context = side.context;
  event.object = object;
  event.offset = side.offset;
  event.kind = side.kind;
  return event;
}

std::vector<LockCycleEdge> edges_of(const LockOrderCycle& cycle) {
  std::vector<LockCycleEdge> edges;
  for (const LockOrderCycle::Edge& edge : cycle.edges) {
    edges.push_back({.acquire = event_of(edge.wanted, edge.wanted_object),
                     .held = event_of(edge.held, edge.held_object),
                     .acquire_number = edge.wanted.event,
                     .held_number = edge.held.event});
  }
  return edges;
}

// One `heddle detect`.
class Inspection {
 public:
  Inspection(const DetectCommandOptions& options, AnalysisReport& report)
      : options_(options), report_(report) {}

  Expected<int> run(trace::EventStream& events, AnalysedTest* test);

 private:
  Expected<void> look_into_race(const PairFinding& pair, bool ordered, bool is_potential, AnalysedTest* test);
  Expected<void> look_into_cycle(const LockOrderCycle& cycle, AnalysedTest* test);
  Expected<void> tell_verified_race(const Verdict& verdict, OutcomeKind kind);
  void say_summary(const Detections& found) const;
  RunResult result_of(const Detections& found, const AnalysedTest* test) const;

  const DetectCommandOptions& options_;
  AnalysisReport& report_;
  trace::Trace names_;
  uint64_t executions_ = 0;
  uint64_t not_reproduced_ = 0;
  uint64_t not_tried_ = 0;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

bool can_execute(const AnalysedTest* test) {
  return test != nullptr && test->confirms();
}

Expected<void> Inspection::tell_verified_race(const Verdict& verdict, OutcomeKind kind) {
  ReportContext context(verdict.execution.trace, report_.symbolizer());
  AnalysisReport::Told told{.kind = kind,
                            .confirmation = to_confirmation(verdict.confirmed),
                            .schedule = &verdict.schedule,
                            .executions = verdict.executions};
  told.notes = {verdict.confirmed == Confirmed::kHarmful
                    ? "harmful, as executed: " + verdict.why
                    : "benign, as far as executed: both orders gave the same outcome"};
  return report_.tell(context, tell_race_between(context, verdict.events[0], verdict.events[1]), told);
}

Expected<void> Inspection::look_into_race(const PairFinding& pair, bool ordered, bool is_potential,
                                          AnalysedTest* test) {
  const OutcomeKind kind = ordered ? OutcomeKind::kUseAfterFree : OutcomeKind::kRace;
  ReportContext context(names_, report_.symbolizer());
  FailureStory story = tell_race(context, race_of(pair, ordered));
  if (!report_.is_news(context, story, kind)) return {};
  AnalysisReport::Told told{.kind = kind};
  if (ordered) {
    told.confirmation = Confirmation::kExecuted;
    told.notes = {"it happened in the execution that was looked at"};
    return report_.tell(context, std::move(story), told);
  }
  std::string why;
  if (can_execute(test) && test->has_time()) {
    const Expected<Verdict> verdict =
        test->confirmer().verify({.sites = {pair.first.site, pair.second.site}});
    if (!verdict) return tl::unexpected(verdict.error());
    executions_ += verdict->executions;
    told.executions = verdict->executions;
    if (verdict->confirmed != Confirmed::kNotReproduced) return tell_verified_race(*verdict, kind);
    why = verdict->why;
  } else if (can_execute(test)) {
    ++not_tried_;
  }
  if (!is_potential && pair.certain) {
    told.confirmation = Confirmation::kExecuted;
    told.notes = {"nothing ordered the two accesses in the execution that was looked at"};
    return report_.tell(context, std::move(story), told);
  }
  if (!why.empty()) {
    ++not_reproduced_;
    told.confirmation = Confirmation::kNotReproduced;
    told.notes = {"not reproduced: " + why};
    if (is_potential && !options_.all) return {};
  } else if (is_potential) {
    told.notes = {
        "potential: no lock is common to the two accesses; other synchronisation may still order them"};
  } else {
    told.notes = {"possible only if an earlier race went the other way (SHB orders the two)"};
  }
  return report_.tell(context, std::move(story), told);
}

Expected<void> Inspection::look_into_cycle(const LockOrderCycle& cycle, AnalysedTest* test) {
  ReportContext context(names_, report_.symbolizer());
  FailureStory story = tell_lock_cycle(context, edges_of(cycle), /*is_certain=*/false);
  if (!report_.is_news(context, story, OutcomeKind::kDeadlock)) return {};
  AnalysisReport::Told told{.kind = OutcomeKind::kDeadlock, .notes = {"locks are taken in a circle"}};
  if (can_execute(test) && test->has_time()) {
    Suspicion suspicion{.is_deadlock = true};
    for (const LockOrderCycle::Edge& edge : cycle.edges) suspicion.sites.push_back(edge.wanted.site);
    const Expected<Verdict> verdict = test->confirmer().verify(suspicion);
    if (!verdict) return tl::unexpected(verdict.error());
    executions_ += verdict->executions;
    told.executions = verdict->executions;
    told.confirmation = to_confirmation(verdict->confirmed);
    if (verdict->confirmed != Confirmed::kNotReproduced) {
      ReportContext executed(verdict->execution.trace, report_.symbolizer());
      told.schedule = &verdict->schedule;
      told.notes = {"harmful, as executed"};
      if (std::optional<FailureStory> failure = tell_failure(executed))
        return report_.tell(executed, std::move(*failure), told);
    }
    ++not_reproduced_;
    told.notes.push_back("not reproduced: " + verdict->why);
    if (!options_.all) return {};
  }
  return report_.tell(context, std::move(story), told);
}

void Inspection::say_summary(const Detections& found) const {
  std::string text =
      fmt::format("{} events looked at: {}", found.events, count_of(report_.findings().size(), "finding"));
  if (not_reproduced_ > 0) text += fmt::format(", {} suspected and not reproduced", not_reproduced_);
  if (not_tried_ > 0) text += fmt::format(", {} not executed for lack of time", not_tried_);
  if (report_.suppressed() > 0) text += fmt::format(", {} suppressed", report_.suppressed());
  say(text);
  if (found.left_out > 0) say(fmt::format("{} more were found than are kept", found.left_out));
  if (!found.cycles_complete) say("the search for lock-order cycles was cut off");
}

RunResult Inspection::result_of(const Detections& found, const AnalysedTest* test) const {
  RunResult result;
  result.command = "detect";
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  result.executions = executions_ + (test != nullptr ? test->executions() : 0);
  result.complete = found.left_out == 0 && found.cycles_complete && not_tried_ == 0;
  result.findings = report_.findings();
  result.own["events"] = found.events;
  result.own["races"] = found.races.size();
  result.own["races_certain"] = std::count_if(found.races.begin(), found.races.end(),
                                              [](const PairFinding& race) { return race.certain; });
  result.own["lock_set"] = found.lock_set.size();
  result.own["potential_races"] = found.potential_races.size();
  result.own["lock_cycles"] = found.cycles.size();
  result.own["uses_after_free"] = found.uses_after_free.size();
  result.own["not_reproduced"] = not_reproduced_;
  result.own["suppressed"] = report_.suppressed();
  return result;
}

Expected<int> Inspection::run(trace::EventStream& events, AnalysedTest* test) {
  const auto wants = [&](std::string_view analysis) {
    return std::find(options_.analyses.begin(), options_.analyses.end(), analysis) != options_.analyses.end();
  };
  detect::DetectOptions options{.races = wants("races"),
                                .reads_from = wants("races"),
                                .lock_set = wants("lock-set"),
                                .hybrid = wants("potential"),
                                .lock_order = wants("deadlocks")};
  const Expected<Detections> found = detect::detect(events, options);
  if (!found) return tl::unexpected(found.error());
  names_ = events.names();
  Progress progress;
  const auto look = [&](const std::vector<PairFinding>& pairs, bool ordered,
                        bool is_potential) -> Expected<void> {
    for (const PairFinding& pair : pairs) {
      progress.update([&] { return count_of(report_.findings().size(), "finding"); });
      const Expected<void> looked = look_into_race(pair, ordered, is_potential, test);
      if (!looked) return looked;
    }
    return {};
  };
  Expected<void> looked = look(found->uses_after_free, true, false);
  if (looked) looked = look(found->races, false, false);
  if (looked) looked = look(found->potential_races, false, true);
  if (looked) looked = look(found->lock_set, false, true);
  for (const LockOrderCycle& cycle : found->cycles) {
    if (looked) looked = look_into_cycle(cycle, test);
  }
  progress.clear();
  if (!looked) return tl::unexpected(looked.error());
  say_summary(*found);
  report_.say_unused_suppressions();
  return finish_analysis(options_, result_of(*found, test), can_execute(test));
}

Expected<int> run(const DetectCommandOptions& options, const Invocation& invocation) {
  AnalysisReport report({.suppressions = options.suppressions, .output = options.output});
  if (const Expected<void> opened = report.open(); !opened) return tl::unexpected(opened.error());
  Inspection inspection(options, report);
  if (!options.file.empty()) {
    if (invocation.has_words || options.confirm)
      return usage_error(
          "detect looks at a trace or at a test, not at both; to execute the test, leave out the file");
    const Expected<std::unique_ptr<trace::EventStream>> events = trace::open_events(options.file);
    if (!events) return tl::unexpected(events.error());
    return inspection.run(**events, nullptr);
  }
  const Expected<std::vector<std::string>> words = test_words(invocation, "detect");
  if (!words) return tl::unexpected(words.error());
  Expected<std::unique_ptr<AnalysedTest>> test = AnalysedTest::record(options, *words, report);
  if (!test) return tl::unexpected(test.error());
  trace::TraceEvents events((*test)->trace());
  return inspection.run(events, test->get());
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
      ->capture_default_str()
      ->check(CLI::IsMember({"races", "potential", "lock-set", "deadlocks"}));
  command->callback([&invocation, options] {
    invocation.action = [&invocation, options] { return run(*options, invocation); };
  });
}

}  // namespace heddle
