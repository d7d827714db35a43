#include "check/prophecies.h"

#include <optional>
#include <string>

#include <fmt/format.h>

#include "predict/patterns.h"
#include "report/predicted_stories.h"

namespace heddle {
namespace {

using trace::OutcomeKind;

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

// Reading the program's names takes long, so what tells one prediction from another must not need them all.
FailureStory story_of(ReportContext& context, const Prediction& prediction,
                      const std::vector<uint64_t>& events) {
  switch (prediction.kind) {
    case PredictionKind::kRace:
      return tell_race_between(context, events[0], events[1]);
    case PredictionKind::kDeadlock:
      return tell_lock_cycle(context, lock_cycle_of(context, events), /*is_certain=*/true);
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

}  // namespace

Expected<void> Prophecies::look_into(const std::vector<Prediction>& predictions) {
  size_t done = 0;
  for (const Prediction& prediction : predictions) {
    if (options_.looking) options_.looking(done++, predictions.size());
    if (const Expected<void> looked = look_into(prediction); !looked) return looked;
  }
  return {};
}

Expected<void> Prophecies::look_into(const Prediction& prediction) {
  const OutcomeKind kind = outcome_kind(prediction.kind);
  const bool confirms = test_ != nullptr && test_->confirms();
  std::optional<std::string> fingerprint;
  {
    ReportContext context(facts_, listener_.directory());
    FailureStory story = story_of(context, prediction, prediction.events);
    fingerprint = listener_.news(context, story, kind);
    if (!fingerprint) {
      ++counts_.no_news;
      return {};
    }
    Expected<std::optional<Confirmed>> known;
    if (confirms)
      known = test_->tell_known(*fingerprint, context, std::move(story),
                                {.kind = kind, .pattern = prediction.pattern});
    if (!known) return tl::unexpected(known.error());
    if (*known) {
      ++(**known == Confirmed::kHarmful ? counts_.harmful : counts_.benign);
      return {};
    }
  }
  if (!confirms || !test_->has_time()) {
    ++counts_.not_tried;
    return tell(prediction, {});
  }
  const Expected<Confirmer*> confirmer = test_->confirmer();
  if (!confirmer) return tl::unexpected(confirmer.error());
  const Expected<Verdict> verdict = (*confirmer)->confirm(prediction);
  if (!verdict) return tl::unexpected(verdict.error());
  executions_ += verdict->executions;
  // A pattern without harm is no finding, and may do harm under another input.
  if (kind != OutcomeKind::kAtomicity || verdict->confirmed == Confirmed::kHarmful)
    test_->remember(*fingerprint, *verdict);
  switch (verdict->confirmed) {
    case Confirmed::kHarmful:
      ++counts_.harmful;
      break;
    case Confirmed::kBenign:
      ++counts_.benign;
      // Two critical sections with another one between them are everyday life, unless it shows in the end.
      if (kind == OutcomeKind::kAtomicity && !options_.lists_all) return {};
      break;
    case Confirmed::kNotReproduced:
      ++counts_.not_reproduced;
      if (kind == OutcomeKind::kAtomicity && !options_.lists_all) return {};
      break;
  }
  return tell(prediction, *verdict);
}

Expected<void> Prophecies::tell(const Prediction& prediction, const Verdict& verdict) {
  ToldFinding told{.kind = outcome_kind(prediction.kind), .pattern = prediction.pattern};
  if (prediction.observed) told.notes.push_back("the execution that was looked at did this");
  if (verdict.executions == 0) {
    if (prediction.assumes_same_path)
      told.notes.push_back(
          "provided that the threads go on as they did, although one of them reads another value");
    ReportContext context(facts_, listener_.directory());
    told.notes.push_back("predicted; it has not been executed");
    return listener_.tell(context, story_of(context, prediction, prediction.events), told);
  }
  told.confirmation = to_confirmation(verdict.confirmed);
  told.executions = verdict.executions;
  if (verdict.confirmed == Confirmed::kNotReproduced) {
    ReportContext context(facts_, listener_.directory());
    told.notes.push_back("not reproduced: " + verdict.why);
    return listener_.tell(context, story_of(context, prediction, prediction.events), told);
  }
  told.schedule = &verdict.schedule;
  told.notes.push_back(verdict.confirmed == Confirmed::kHarmful
                           ? "harmful, as executed: " + verdict.why
                           : "benign, as far as executed: the outcome was the same in every order");
  if (prediction.kind != PredictionKind::kDeadlock && verdict.events.size() < prediction.events.size()) {
    ReportContext context(facts_, listener_.directory());
    return listener_.tell(context, story_of(context, prediction, prediction.events), told);
  }
  ReportContext context(verdict.execution.trace, listener_.symbolizer(), listener_.directory());
  if (prediction.kind == PredictionKind::kDeadlock) {
    if (std::optional<FailureStory> story = tell_failure(context))
      return listener_.tell(context, std::move(*story), told);
  }
  return listener_.tell(context, story_of(context, prediction, verdict.events), told);
}

}  // namespace heddle
