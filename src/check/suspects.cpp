#include "check/suspects.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/predicted_stories.h"
#include "report/tellers.h"

namespace heddle {
namespace {

using detect::LockOrderCycle;
using detect::PairFinding;
using detect::Side;
using trace::OutcomeKind;

trace::RaceAccess access_of(const Side& side) {
  trace::RaceAccess access{};
  access.thread = side.thread;
  access.site = side.site;
  access.context = side.context;
  access.size = side.size;
  access.offset = side.offset;
  access.event = side.event + 1;
  access.kind = side.kind;
  return access;
}

trace::RaceRecord race_of(const PairFinding& pair, bool ordered) {
  trace::RaceRecord race{};
  race.object = pair.object;
  race.ordered = ordered ? 1 : 0;
  race.first = access_of(pair.first);
  race.second = access_of(pair.second);
  return race;
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

Suspicion suspicion_of(const PairFinding& pair) {
  return {.sites = {pair.first.site, pair.second.site}};
}

}  // namespace

Confirmation to_confirmation(Confirmed confirmed) {
  switch (confirmed) {
    case Confirmed::kHarmful:
      return Confirmation::kHarmful;
    case Confirmed::kBenign:
      return Confirmation::kBenign;
    case Confirmed::kNotReproduced:
      break;
  }
  return Confirmation::kNotReproduced;
}

Expected<void> Suspects::look_into(const detect::Detections& found) {
  Expected<void> looked;
  for (const PairFinding& pair : found.uses_after_free)
    if (looked) looked = look_into_use_after_free(pair);
  // What the memory model leaves unordered cannot always be brought side by side, and still it is a race.
  if (looked) looked = look_into_races(found.races);
  for (const std::vector<PairFinding>* pairs : {&found.potential_races, &found.lock_set}) {
    for (const PairFinding& pair : *pairs)
      if (looked) looked = look_into_potential_race(pair);
  }
  for (const LockOrderCycle& cycle : found.cycles)
    if (looked) looked = look_into_cycle(cycle);
  return looked;
}

Expected<bool> Suspects::tell_if_known(const std::string& fingerprint, ReportContext& context,
                                       const FailureStory& story, OutcomeKind kind) {
  if (!can_execute()) return false;
  const Expected<std::optional<Confirmed>> known =
      test_->tell_known(fingerprint, context, story, {.kind = kind});
  if (!known) return tl::unexpected(known.error());
  return known->has_value();
}

Expected<std::optional<Verdict>> Suspects::execute(const Suspicion& suspicion,
                                                   const std::string& fingerprint) {
  if (!can_execute()) return std::nullopt;
  if (!test_->has_time()) {
    ++not_tried_;
    return std::nullopt;
  }
  const Expected<Confirmer*> confirmer = test_->confirmer();
  if (!confirmer) return tl::unexpected(confirmer.error());
  if (options_.trying) options_.trying(tried_, executions_);
  Expected<Verdict> verdict = (*confirmer)->verify(suspicion);
  if (options_.tried) options_.tried();
  ++tried_;
  if (!verdict) return tl::unexpected(verdict.error());
  test_->remember(fingerprint, *verdict);
  executions_ += verdict->executions;
  return std::optional<Verdict>(std::move(*verdict));
}

Expected<void> Suspects::tell_executed_race(const Verdict& verdict) {
  ReportContext context(verdict.execution.trace, listener_.symbolizer(), listener_.directory());
  return listener_.tell(context, tell_race_between(context, verdict.events[0], verdict.events[1]),
                        {.kind = OutcomeKind::kRace,
                         .confirmation = to_confirmation(verdict.confirmed),
                         .notes = {verdict.confirmed == Confirmed::kHarmful
                                       ? "harmful, as executed: " + verdict.why
                                       : "benign, as far as executed: both orders gave the same outcome"},
                         .schedule = &verdict.schedule,
                         .executions = verdict.executions});
}

Expected<void> Suspects::look_into_use_after_free(const PairFinding& pair) {
  ReportContext context(facts_, listener_.directory());
  FailureStory story = tell_race(context, race_of(pair, /*ordered=*/true));
  if (!listener_.news(context, story, OutcomeKind::kUseAfterFree)) return {};
  return listener_.tell(context, std::move(story),
                        {.kind = OutcomeKind::kUseAfterFree,
                         .confirmation = Confirmation::kExecuted,
                         .notes = {"it happened in the execution that was looked at"}});
}

// Tells a race that can be executed, and gives back what is to be said otherwise.
Expected<std::optional<Suspects::OpenRace>> Suspects::try_race(ReportContext& context,
                                                               const PairFinding& pair) {
  FailureStory story = tell_race(context, race_of(pair, /*ordered=*/false));
  const std::optional<std::string> fingerprint = listener_.news(context, story, OutcomeKind::kRace);
  if (!fingerprint) return std::nullopt;
  const Expected<bool> known = tell_if_known(*fingerprint, context, story, OutcomeKind::kRace);
  if (!known) return tl::unexpected(known.error());
  if (*known) return std::nullopt;
  Expected<std::optional<Verdict>> verdict = execute(suspicion_of(pair), *fingerprint);
  if (!verdict) return tl::unexpected(verdict.error());
  if (!*verdict || (*verdict)->confirmed == Confirmed::kNotReproduced)
    return OpenRace{std::move(story), std::move(*verdict)};
  if (const Expected<void> told = tell_executed_race(**verdict); !told) return tl::unexpected(told.error());
  return std::nullopt;
}

Expected<void> Suspects::look_into_race(const PairFinding& pair, bool is_first) {
  ReportContext context(facts_, listener_.directory());
  Expected<std::optional<OpenRace>> open = try_race(context, pair);
  if (!open) return tl::unexpected(open.error());
  if (!*open) return {};
  const std::optional<Verdict>& verdict = (*open)->verdict;
  ToldFinding told{.kind = OutcomeKind::kRace};
  if (pair.certain || is_first) {
    told.confirmation = Confirmation::kExecuted;
    told.notes = {"nothing ordered the two accesses in the execution that was looked at"};
  } else {
    told.confirmation = verdict ? Confirmation::kNotReproduced : Confirmation::kPredicted;
    told.notes = {"possible only if an earlier race went the other way (SHB orders the two)"};
    if (verdict) ++not_reproduced_;
    if (can_execute() && !options_.lists_all) return {};
  }
  return listener_.tell(context, std::move((*open)->story), told);
}

Expected<void> Suspects::look_into_races(const std::vector<PairFinding>& races) {
  const auto first = std::min_element(
      races.begin(), races.end(),
      [](const PairFinding& a, const PairFinding& b) { return a.second.event < b.second.event; });
  Expected<void> looked;
  for (const PairFinding& pair : races)
    if (looked) looked = look_into_race(pair, pair.second.event == first->second.event);
  return looked;
}

Expected<void> Suspects::look_into_potential_race(const PairFinding& pair) {
  ReportContext context(facts_, listener_.directory());
  Expected<std::optional<OpenRace>> open = try_race(context, pair);
  if (!open) return tl::unexpected(open.error());
  if (!*open) return {};
  const std::optional<Verdict>& verdict = (*open)->verdict;
  ToldFinding told{.kind = OutcomeKind::kRace};
  told.notes = {
      "potential: no lock is common to the two accesses; other synchronisation may still order them"};
  if (verdict) {
    ++not_reproduced_;
    told.confirmation = Confirmation::kNotReproduced;
    told.notes.push_back("not reproduced: " + verdict->why);
  }
  if (can_execute() && !options_.lists_all) return {};
  return listener_.tell(context, std::move((*open)->story), told);
}

Expected<void> Suspects::look_into_cycle(const LockOrderCycle& cycle) {
  ReportContext context(facts_, listener_.directory());
  FailureStory story = tell_lock_cycle(context, edges_of(cycle), /*is_certain=*/false);
  const std::optional<std::string> fingerprint = listener_.news(context, story, OutcomeKind::kDeadlock);
  if (!fingerprint) return {};
  const Expected<bool> known = tell_if_known(*fingerprint, context, story, OutcomeKind::kDeadlock);
  if (!known) return tl::unexpected(known.error());
  if (*known) return {};
  Suspicion suspicion{.is_deadlock = true};
  for (const LockOrderCycle::Edge& edge : cycle.edges) suspicion.sites.push_back(edge.wanted.site);
  const Expected<std::optional<Verdict>> verdict = execute(suspicion, *fingerprint);
  if (!verdict) return tl::unexpected(verdict.error());
  ToldFinding told{.kind = OutcomeKind::kDeadlock, .notes = {"locks are taken in a circle"}};
  if (*verdict) {
    told.executions = (*verdict)->executions;
    told.confirmation = to_confirmation((*verdict)->confirmed);
  }
  if (*verdict && (*verdict)->confirmed != Confirmed::kNotReproduced) {
    ReportContext executed((*verdict)->execution.trace, listener_.symbolizer(), listener_.directory());
    told.schedule = &(*verdict)->schedule;
    told.notes = {"harmful, as executed"};
    if (std::optional<FailureStory> failure = tell_failure(executed))
      return listener_.tell(executed, std::move(*failure), told);
  }
  if (*verdict) {
    ++not_reproduced_;
    told.notes.push_back("not reproduced: " + (*verdict)->why);
  }
  if (can_execute() && !options_.lists_all) return {};
  return listener_.tell(context, std::move(story), told);
}

}  // namespace heddle
