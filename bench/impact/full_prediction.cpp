#include "full_prediction.h"

#include <algorithm>

#include "detect/detect.h"
#include "predict/predict.h"
#include "support/interruption.h"
#include "trace/event_stream.h"

namespace heddle::bench {
namespace {

// What takes longer is not a pattern of these small programs.
constexpr std::chrono::seconds kBudget{20};

Focus focus_on(const TestImpact& test) {
  std::vector<uint64_t> events = test.impact.separated;
  for (const ImpactedEvent& impacted : test.impact.events) events.push_back(impacted.event);
  return {test.head.recording.trace().events().size(), events};
}

std::string harm_in(const std::vector<std::string>& notes) {
  for (const std::string& note : notes)
    if (note.starts_with("harmful")) return note;
  return {};
}

}  // namespace

FullPrediction::FullPrediction(const ChangeImpact& change, ComparedTest& compared, TestImpact& test,
                               Symbolizer& symbolizer)
    : test_(test),
      symbolizer_(symbolizer),
      focus_(focus_on(test)),
      statements_(change.statements()),
      base_(test.base, statements_.base, symbolizer, {}),
      harmless_(test.base, statements_.base, symbolizer),
      filter_(*this, statements_.head,
              [this, &compared](const FindingOfBoth& finding) -> Expected<bool> {
                Expected<bool> has = base_.has(finding);
                if (!has || *has) return has;
                return compared.base_has(finding, {}, test_.policy);
              }),
      confirmer_(*test.head.server, test.head.recording),
      deadline_(std::chrono::steady_clock::now() + kBudget) {}

// What has no impacted event comes first: only that can be a miss. If the same is then found with one, it is
// another example of it.
Expected<std::vector<FailingPattern>> FullPrediction::run() {
  if (const Expected<void> done = look_into_predictions({}); !done) return tl::unexpected(done.error());
  if (const Expected<void> done = look_into_suspicions(); !done) return tl::unexpected(done.error());
  is_in_focus_ = true;
  if (const Expected<void> done = look_into_predictions(focus_); !done) return tl::unexpected(done.error());
  if (const Expected<void> done = name_causes(); !done) return tl::unexpected(done.error());
  std::vector<FailingPattern> found;
  for (auto& [fingerprint, pattern] : found_) found.push_back(std::move(pattern));
  return found;
}

Expected<void> FullPrediction::look_into_predictions(const Focus& focus) {
  const trace::Trace& trace = test_.head.recording.trace();
  PredictionResult predicted = predict(trace, {.units = {}, .guesses = true, .focus = focus}, symbolizer_);
  const auto has_impacted = [&](const Prediction& prediction) {
    return std::ranges::any_of(prediction.events, [&](uint64_t event) { return is_impacted(event); });
  };
  std::ranges::stable_partition(predicted.predictions,
                                [&](const Prediction& prediction) { return !has_impacted(prediction); });
  Prophecies prophecies(trace, filter_, this, {});
  for (const Prediction& prediction : predicted.predictions) {
    has_impacted_ = has_impacted(prediction);
    if (const Expected<void> looked = prophecies.look_into(std::vector{prediction}); !looked) return looked;
  }
  return {};
}

// One at a time, to know which of them is told.
Expected<void> FullPrediction::look_into_suspicions() {
  const trace::Trace& trace = test_.head.recording.trace();
  trace::TraceEvents events(trace);
  const Expected<detect::Detections> found = detect::detect(events, {.lock_set = false});
  if (!found) return tl::unexpected(found.error());
  uint64_t first = ~uint64_t{0};
  for (const detect::PairFinding& race : found->races) first = std::min(first, race.second.event);
  const auto look_at = [&](std::vector<detect::PairFinding> detect::Detections::* kind) -> Expected<void> {
    for (const detect::PairFinding& pair : (*found).*kind) {
      detect::Detections one;
      (one.*kind).push_back(pair);
      counts_executed_ = kind != &detect::Detections::races || pair.certain || pair.second.event == first;
      const bool has = is_impacted(pair.first.event) || is_impacted(pair.second.event);
      if (Expected<void> looked = look_into(one, has); !looked) return looked;
    }
    return {};
  };
  for (const auto kind : {&detect::Detections::uses_after_free, &detect::Detections::races,
                          &detect::Detections::potential_races})
    if (Expected<void> looked = look_at(kind); !looked) return looked;
  counts_executed_ = true;
  for (const detect::LockOrderCycle& cycle : found->cycles) {
    detect::Detections one;
    one.cycles.push_back(cycle);
    const bool has = std::ranges::any_of(cycle.edges, [&](const detect::LockOrderCycle::Edge& edge) {
      return is_impacted(edge.held.event) || is_impacted(edge.wanted.event);
    });
    if (Expected<void> looked = look_into(one, has); !looked) return looked;
  }
  return {};
}

Expected<void> FullPrediction::look_into(const detect::Detections& one, bool has_impacted) {
  has_impacted_ = has_impacted;
  Suspects suspects(test_.head.recording.trace(), filter_, this, {});
  return suspects.look_into(one);
}

// One execution can show several patterns, and fails for one of them. What the base executes without harm is
// not the cause if the head fails like that with a pattern that has an impacted event.
Expected<void> FullPrediction::name_causes() {
  std::set<std::string> harms_of_impacted;
  for (const auto& [fingerprint, pattern] : found_)
    if (pattern.has_impacted || pattern.is_in_focus) harms_of_impacted.insert(pattern.harm);
  for (auto& [fingerprint, pattern] : found_) {
    if (pattern.has_impacted || pattern.is_in_focus || pattern.harm.empty()) continue;
    if (!harms_of_impacted.contains(pattern.harm) || test_.base.server == nullptr) continue;
    const Expected<bool> is_harmless = harmless_.is(pattern.asked);
    if (!is_harmless) return tl::unexpected(is_harmless.error());
    pattern.is_of_another = *is_harmless;
  }
  return {};
}

std::optional<std::string> FullPrediction::news(ReportContext& context, const FailureStory& story,
                                                trace::OutcomeKind kind) {
  Finding finding = make_finding(context, story, kind);
  if (!looked_into_.emplace(finding.fingerprint, has_impacted_).second) return std::nullopt;
  asked_ = finding.fingerprint;
  asked_about_ = finding_of_both(finding, statements_.head);
  return std::move(finding.fingerprint);
}

Expected<void> FullPrediction::tell(ReportContext& context, FailureStory story, const ToldFinding& told) {
  Finding finding = make_finding(context, story, told.kind);
  if (!is_shown(finding.kind, told.confirmation)) return {};
  if (told.confirmation == Confirmation::kExecuted && !counts_executed_) return {};
  finding.confirmation = told.confirmation;
  if (told.pattern != 0) finding.pattern = told.pattern;
  const auto [known, is_new] = found_.try_emplace(asked_, FailingPattern{});
  // What shows only in the focus is not full prediction's.
  if (is_new)
    known->second = {.finding = std::move(finding),
                     .asked = asked_about_,
                     .harm = harm_in(told.notes),
                     .has_impacted = has_impacted_,
                     .is_in_focus = is_in_focus_};
  known->second.is_in_focus |= has_impacted_;
  return {};
}

bool FullPrediction::has_time() const {
  return std::chrono::steady_clock::now() < deadline_ && !was_interrupted();
}

}  // namespace heddle::bench
