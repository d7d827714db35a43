// `heddle predict`: what other schedules of a recorded execution could do.
#include <memory>

#include <fmt/format.h>

#include "check/prophecies.h"
#include "check/suspects.h"
#include "cli/analysed_test.h"
#include "cli/progress.h"
#include "detect/detect.h"
#include "predict/predict.h"
#include "report/text.h"
#include "trace/event_stream.h"

namespace heddle {
namespace {

struct PredictCommandOptions : AnalysisOptions {
  std::string units = "call:1";
};

// One `heddle predict`.
class Prophet {
 public:
  Prophet(const PredictCommandOptions& options, const Reports& reports, AnalysisReport& report)
      : options_(options), reports_(reports), report_(report) {}

  Expected<int> run(const trace::Trace& trace, AnalysedTest* test);

 private:
  Expected<void> look_into(const trace::Trace& trace, const std::vector<Prediction>& predictions,
                           AnalysedTest* test);
  Expected<void> try_suspects(const trace::Trace& trace, AnalysedTest& test);
  void say_summary(const PredictionResult& predicted, const AnalysedTest* test) const;

  const PredictCommandOptions& options_;
  const Reports& reports_;
  AnalysisReport& report_;
  Prophecies::Counts counts_;
  uint64_t repeated_ = 0;  // say the same of the same code as one before
  uint64_t executions_ = 0;
  uint64_t suspected_ = 0;  // findings that were suspected only, and executed
};

Expected<void> Prophet::look_into(const trace::Trace& trace, const std::vector<Prediction>& predictions,
                                  AnalysedTest* test) {
  Progress progress;
  Prophecies prophecies(trace, report_, test, prophecy_options(report_, progress, options_.all));
  const uint64_t suppressed = report_.suppressed();
  const Expected<void> looked = prophecies.look_into(predictions);
  progress.clear();
  counts_ = prophecies.counts();
  repeated_ = counts_.no_news - (report_.suppressed() - suppressed);
  executions_ += prophecies.executions();
  return looked;
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
  if (repeated_ > 0) text += fmt::format(", {} of the same code as another", repeated_);
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
  const Expected<void> looked = look_into(trace, predicted.predictions, test);
  if (!looked) return tl::unexpected(looked.error());
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
  result.own["repeated"] = repeated_;
  result.own["suppressed"] = report_.suppressed();
  return finish_analysis(reports_, result, confirms);
}

Expected<int> run(const PredictCommandOptions& options, const Invocation& invocation) {
  Expected<Suppressions> suppressions = options.test.read_suppressions();
  if (!suppressions) return tl::unexpected(suppressions.error());
  const Expected<Reports> reports = Reports::open(options.test.report);
  if (!reports) return tl::unexpected(reports.error());
  AnalysisReport report(std::move(*suppressions), options.output, reports->evidence());
  Prophet prophet(options, *reports, report);
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
