// `heddle predict`: what other schedules of a recorded execution could do.
#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "check/suspects.h"
#include "cli/analysed_test.h"
#include "cli/progress.h"
#include "detect/detect.h"
#include "predict/patterns.h"
#include "predict/predict.h"
#include "report/predicted_stories.h"
#include "report/text.h"
#include "trace/event_stream.h"

namespace heddle {
namespace {

using trace::OutcomeKind;

struct PredictCommandOptions : AnalysisOptions {
  std::string units = "call:1";
};

OutcomeKind outcome_kind(PredictionKind kind) {
  switch (kind) {
    case PredictionKind::kRace:
      return OutcomeKind::kRace;
    case PredictionKind::kDeadlock:
      return OutcomeKind::kDeadlock;
    case PredictionKind::kPattern:
    case PredictionKind::kNotSerializable:
      break;
  }
  return OutcomeKind::kAtomicity;
}

// One `heddle predict`.
class Prophet {
 public:
  Prophet(const PredictCommandOptions& options, AnalysisReport& report)
      : options_(options), report_(report) {}

  Expected<int> run(const trace::Trace& trace, AnalysedTest* test);

 private:
  struct Counts {
    uint64_t harmful = 0;
    uint64_t benign = 0;
    uint64_t not_reproduced = 0;
    uint64_t not_tried = 0;
    uint64_t repeated = 0;  // says the same of the same code as one before
  };

  Expected<void> look_into(const Prediction& prediction, AnalysedTest* test);
  Expected<void> tell(const Prediction& prediction, const Verdict& verdict);
  FailureStory story_of(ReportContext& context, const Prediction& prediction,
                        const std::vector<uint64_t>& events) const;
  Expected<void> try_suspects(const trace::Trace& trace, AnalysedTest& test);
  void say_summary(const PredictionResult& predicted, const AnalysedTest* test) const;

  const PredictCommandOptions& options_;
  AnalysisReport& report_;
  std::shared_ptr<TraceFacts> facts_;  // of the recorded execution
  Counts counts_;
  uint64_t executions_ = 0;
  uint64_t suspected_ = 0;  // findings that were suspected only, and executed
};

// Reading the program's names takes long, so what tells one prediction from another must not need them all.
FailureStory Prophet::story_of(ReportContext& context, const Prediction& prediction,
                               const std::vector<uint64_t>& events) const {
  switch (prediction.kind) {
    case PredictionKind::kRace:
      return tell_race_between(context, events[0], events[1]);
    case PredictionKind::kDeadlock:
      return tell_lock_cycle(context, lock_cycle_of(context.trace(), events), /*is_certain=*/true);
    case PredictionKind::kPattern: {
      const std::string u = context.thread(context.trace().events()[events[0]].thread);
      std::string other = u;
      for (const uint64_t event : events) {
        const std::string thread = context.thread(context.trace().events()[event].thread);
        if (thread != u) other = thread;
      }
      return tell_pattern(context, fmt::format("pattern {}", prediction.pattern),
                          pattern_sentence(prediction.pattern, u, other), events);
    }
    case PredictionKind::kNotSerializable:
      break;
  }
  return tell_pattern(context, "not serializable",
                      "no order of these units of work, one after the other, does the same", events);
}

Expected<void> Prophet::look_into(const Prediction& prediction, AnalysedTest* test) {
  const OutcomeKind kind = outcome_kind(prediction.kind);
  const bool confirms = test != nullptr && test->confirms();
  std::optional<std::string> fingerprint;
  const uint64_t suppressed = report_.suppressed();
  {
    ReportContext context(facts_);
    FailureStory story = story_of(context, prediction, prediction.events);
    fingerprint = report_.news(context, story, kind);
    if (!fingerprint) {
      if (report_.suppressed() == suppressed) ++counts_.repeated;
      return {};
    }
    Expected<std::optional<Confirmed>> known;
    if (confirms)
      known = test->tell_known(*fingerprint, context, std::move(story),
                               {.kind = kind, .pattern = prediction.pattern});
    if (!known) return tl::unexpected(known.error());
    if (*known) {
      ++(**known == Confirmed::kHarmful ? counts_.harmful : counts_.benign);
      return {};
    }
  }
  if (!confirms || !test->has_time()) {
    ++counts_.not_tried;
    return tell(prediction, {});
  }
  const Expected<Confirmer*> confirmer = test->confirmer();
  if (!confirmer) return tl::unexpected(confirmer.error());
  const Expected<Verdict> verdict = (*confirmer)->confirm(prediction);
  if (!verdict) return tl::unexpected(verdict.error());
  executions_ += verdict->executions;
  // A pattern without harm is no finding, and may do harm under another input.
  if (kind != OutcomeKind::kAtomicity || verdict->confirmed == Confirmed::kHarmful)
    test->remember(*fingerprint, *verdict);
  switch (verdict->confirmed) {
    case Confirmed::kHarmful:
      ++counts_.harmful;
      break;
    case Confirmed::kBenign:
      ++counts_.benign;
      // Two critical sections with another one between them are everyday life, unless it shows in the end.
      if (kind == OutcomeKind::kAtomicity && !options_.all) return {};
      break;
    case Confirmed::kNotReproduced:
      ++counts_.not_reproduced;
      if (kind == OutcomeKind::kAtomicity && !options_.all) return {};
      break;
  }
  return tell(prediction, *verdict);
}

Expected<void> Prophet::tell(const Prediction& prediction, const Verdict& verdict) {
  ToldFinding told{.kind = outcome_kind(prediction.kind), .pattern = prediction.pattern};
  if (prediction.observed) told.notes.push_back("the execution that was looked at did this");
  if (verdict.executions == 0) {
    if (prediction.assumes_same_path)
      told.notes.push_back(
          "provided that the threads go on as they did, although one of them reads another value");
    ReportContext context(facts_);
    told.notes.push_back("predicted; it has not been executed");
    return report_.tell(context, story_of(context, prediction, prediction.events), told);
  }
  told.confirmation = to_confirmation(verdict.confirmed);
  told.executions = verdict.executions;
  if (verdict.confirmed == Confirmed::kNotReproduced) {
    ReportContext context(facts_);
    told.notes.push_back("not reproduced: " + verdict.why);
    return report_.tell(context, story_of(context, prediction, prediction.events), told);
  }
  told.schedule = &verdict.schedule;
  told.notes.push_back(verdict.confirmed == Confirmed::kHarmful
                           ? "harmful, as executed: " + verdict.why
                           : "benign, as far as executed: the outcome was the same in every order");
  if (prediction.kind != PredictionKind::kDeadlock && verdict.events.size() < prediction.events.size()) {
    ReportContext context(facts_);
    return report_.tell(context, story_of(context, prediction, prediction.events), told);
  }
  ReportContext context(verdict.execution.trace, report_.symbolizer());
  if (prediction.kind == PredictionKind::kDeadlock) {
    if (std::optional<FailureStory> story = tell_failure(context))
      return report_.tell(context, std::move(*story), told);
  }
  return report_.tell(context, story_of(context, prediction, verdict.events), told);
}

// What the detectors suspect does not follow from the trace, and still some of it can be executed: a critical
// section may read what another one wrote and not care.
Expected<void> Prophet::try_suspects(const trace::Trace& trace, AnalysedTest& test) {
  trace::TraceEvents events(trace);
  const Expected<detect::Detections> found = detect::detect(events, {.lock_set = false});
  if (!found) return tl::unexpected(found.error());
  const size_t before = report_.findings().size();
  Progress progress;
  Suspects suspects(trace, report_, &test, suspect_options(report_, progress));
  const Expected<void> looked = suspects.look_into(*found);
  executions_ += suspects.executions();
  suspected_ += report_.findings().size() - before;
  return looked;
}

void Prophet::say_summary(const PredictionResult& predicted, const AnalysedTest* test) const {
  std::string text = fmt::format("{} predicted", predicted.predictions.size());
  if (test != nullptr && test->confirms()) {
    text += fmt::format(": {} harmful, {} benign, {} not reproduced", counts_.harmful, counts_.benign,
                        counts_.not_reproduced);
  }
  if (suspected_ > 0) text += fmt::format(", and {} more that were only suspected", suspected_);
  if (counts_.not_tried > 0) text += fmt::format(", {} not executed", counts_.not_tried);
  if (counts_.repeated > 0) text += fmt::format(", {} of the same code as another", counts_.repeated);
  if (report_.confirmed_earlier() > 0)
    text += fmt::format(", {} confirmed earlier", report_.confirmed_earlier());
  if (report_.suppressed() > 0) text += fmt::format(", {} suppressed", report_.suppressed());
  say(text);
  if (!options_.all && counts_.benign + counts_.not_reproduced > 0)
    say("atomicity patterns without harm are not listed; --all lists them");
  for (const std::string& left_out : predicted.left_out) say(left_out);
}

Expected<int> Prophet::run(const trace::Trace& trace, AnalysedTest* test) {
  const Expected<UnitRule> units = parse_unit_rule(options_.units);
  if (!units) return tl::unexpected(units.error());
  const bool confirms = test != nullptr && test->confirms();
  const PredictionResult predicted =
      predict(trace, {.units = *units, .guesses = confirms}, report_.symbolizer());
  facts_ = std::make_shared<TraceFacts>(trace, report_.symbolizer());
  Progress progress;
  size_t done = 0;
  for (const Prediction& prediction : predicted.predictions) {
    progress.update([&] {
      return fmt::format("{} of {} predictions looked into, {}", done, predicted.predictions.size(),
                         count_of(report_.findings().size(), "finding"));
    });
    ++done;
    const Expected<void> looked = look_into(prediction, test);
    if (!looked) return tl::unexpected(looked.error());
  }
  progress.clear();
  if (confirms) {
    if (const Expected<void> tried = try_suspects(trace, *test); !tried) return tl::unexpected(tried.error());
  }
  say_summary(predicted, test);
  say_unused(report_.suppressions(), options_.test.suppressions);

  RunResult result;
  result.command = "predict";
  result.seconds = report_.seconds();
  result.executions = executions_ + (test != nullptr ? test->executions() : 0);
  result.complete = predicted.left_out.empty() && (test == nullptr || counts_.not_tried == 0);
  result.findings = report_.findings();
  result.own["events"] = trace.events().size();
  result.own["patterns"] = nlohmann::ordered_json::object();
  for (const Prediction& prediction : predicted.predictions) {
    if (prediction.kind != PredictionKind::kPattern) continue;
    nlohmann::ordered_json& count = result.own["patterns"][std::to_string(prediction.pattern)];
    count = count.is_null() ? 1 : count.get<uint64_t>() + 1;
  }
  result.own["predicted"] = predicted.predictions.size();
  result.own["harmful"] = counts_.harmful;
  result.own["benign"] = counts_.benign;
  result.own["not_reproduced"] = counts_.not_reproduced;
  result.own["repeated"] = counts_.repeated;
  result.own["suppressed"] = report_.suppressed();
  return finish_analysis(options_, result, confirms);
}

Expected<int> run(const PredictCommandOptions& options, const Invocation& invocation) {
  Expected<Suppressions> suppressions = options.test.read_suppressions();
  if (!suppressions) return tl::unexpected(suppressions.error());
  AnalysisReport report(std::move(*suppressions), options.output);
  Prophet prophet(options, report);
  if (options.file.empty()) {
    const Expected<std::vector<std::string>> words = test_words(invocation, "predict");
    if (!words) return tl::unexpected(words.error());
    Expected<std::unique_ptr<AnalysedTest>> test = AnalysedTest::record(options, *words, report);
    if (!test) return tl::unexpected(test.error());
    return prophet.run((*test)->trace(), test->get());
  }
  if (options.confirm && !invocation.has_words)
    return usage_error("--confirm executes the test: give its command after --");
  const Expected<trace::Trace> trace = trace::read_execution(options.file);
  if (!trace) return tl::unexpected(trace.error());
  if (!invocation.has_words) return prophet.run(*trace, nullptr);
  const Expected<std::vector<std::string>> words = test_words(invocation, "predict");
  if (!words) return tl::unexpected(words.error());
  Expected<std::unique_ptr<AnalysedTest>> test = AnalysedTest::over(options, *trace, *words, report);
  if (!test) return tl::unexpected(test.error());
  return prophet.run(*trace, test->get());
}

}  // namespace

void add_predict_command(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "predict", "find what other schedules could do, and execute it: heddle predict [options] -- PROGRAM");
  auto options = std::make_shared<PredictCommandOptions>();
  add_analysis_options(*command, *options);
  command
      ->add_option("--units", options->units, "what counts as a unit of work: function, call:N, lock, thread")
      ->capture_default_str();
  command->callback([&invocation, options] {
    invocation.action = [&invocation, options] { return run(*options, invocation); };
  });
}

}  // namespace heddle
