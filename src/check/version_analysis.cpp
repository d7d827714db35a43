#include "check/version_analysis.h"

#include <algorithm>

#include "detect/detect.h"
#include "support/interruption.h"
#include "trace/event_stream.h"

namespace heddle {
namespace {

using detect::LockOrderCycle;
using detect::PairFinding;

// By site: whether one of its events is in focus.
std::vector<bool> sites_in(const Focus& focus, const trace::Trace& trace) {
  std::vector<bool> sites(trace.sites().size());
  for (uint64_t event = 0; event < trace.events().size(); ++event)
    if (focus.includes(event)) sites[trace.events()[event].site] = true;
  return sites;
}

// Of accesses, to those who look for suspicions that have an event in focus, or nothing but such events.
std::vector<detect::Relevance> relevances_for(const Focus& focus, bool only_focus, const TraceModel& model) {
  using detect::Relevance;
  std::vector<Relevance> of_locations(model.location_count());
  for (uint32_t location = 0; location < of_locations.size(); ++location)
    if (model.is_contended(location)) of_locations[location] = Relevance::kOrder;
  std::vector<bool> is_there(model.location_count());
  for (EventIndex event = 0; event < model.size(); ++event) {
    if (!focus.includes(event)) continue;
    for (const TraceModel::Part& part : model.parts_of(event)) {
      is_there[part.location] = true;
      if (model.is_contended(part.location)) of_locations[part.location] = Relevance::kCompared;
    }
  }
  const std::span<const trace::EventRecord> events = model.trace().events();
  std::vector<bool> is_freed(model.trace().objects().size());  // then a thread alone can do wrong
  for (const trace::EventRecord& event : events)
    if (event.kind == trace::EventKind::kFree) is_freed[event.object] = true;
  std::vector<Relevance> relevances(model.size());
  for (EventIndex event = 0; event < model.size(); ++event) {
    Relevance& relevance = relevances[event];
    for (const TraceModel::Part& part : model.parts_of(event)) {
      relevance = std::max(relevance, of_locations[part.location]);
      if (is_freed[events[event].object])
        relevance = std::max(relevance, is_there[part.location] ? Relevance::kCompared : Relevance::kOrder);
    }
    if (relevance != Relevance::kCompared) continue;
    if (focus.includes(event))
      relevance = Relevance::kWanted;
    else if (only_focus)
      relevance = Relevance::kOrder;
  }
  return relevances;
}

void keep_those_at(const std::vector<bool>& sites, detect::Detections* found) {
  for (std::vector<PairFinding>* pairs :
       {&found->races, &found->uses_after_free, &found->lock_set, &found->potential_races})
    std::erase_if(
        *pairs, [&](const PairFinding& pair) { return !sites[pair.first.site] && !sites[pair.second.site]; });
  std::erase_if(found->cycles, [&](const LockOrderCycle& cycle) {
    return std::none_of(cycle.edges.begin(), cycle.edges.end(), [&](const LockOrderCycle::Edge& edge) {
      return sites[edge.held.site] || sites[edge.wanted.site];
    });
  });
}

}  // namespace

VersionAnalysis::VersionAnalysis(VersionOfTest& version, FindingListener& listener, Options options)
    : version_(version), listener_(listener), options_(std::move(options)) {
  if (version.server)
    confirmer_.emplace(*version.server, version.recording, /*is_own=*/true, version.is_output_right);
}

Expected<void> VersionAnalysis::look() {
  if (const Expected<void> looked = look_into_predictions(); !looked) return looked;
  return look_into_suspicions();
}

Expected<void> VersionAnalysis::look_into_predictions() {
  if (!prophecies_) predict();
  return prophecies_->look_into(predicted_.predictions);
}

Expected<void> VersionAnalysis::look_into_suspicions() {
  if (!prophecies_) predict();
  if (!suspects_)
    if (const Expected<void> done = detect(); !done) return done;
  return suspects_->look_into(detected_);
}

void VersionAnalysis::predict() {
  const trace::Trace& trace = version_.recording.trace();
  if (!options_.focus.is_everything()) sites_ = sites_in(options_.focus, trace);
  const TraceModel model(trace);
  predicted_ = heddle::predict(model,
                               {.units = options_.units,
                                .guesses = true,
                                .focus = options_.focus,
                                .kinds = options_.kinds,
                                .only_focus = options_.only_focus},
                               listener_.symbolizer());
  if (!sites_.empty()) relevances_ = relevances_for(options_.focus, options_.only_focus, model);
  SuspectedTest* const test = this;
  prophecies_.emplace(trace, listener_, test, options_.prophecies);
}

Expected<void> VersionAnalysis::detect() {
  const trace::Trace& trace = version_.recording.trace();
  trace::TraceEvents events(trace);
  // How sure a race is matters to those who read of it or execute it.
  const bool is_told = confirmer_ || !options_.only_focus;
  Expected<detect::Detections> found = detect::detect(events, {.races = options_.kinds.races,
                                                               .reads_from = is_told,
                                                               .lock_set = false,
                                                               .hybrid = options_.kinds.races,
                                                               .lock_order = options_.kinds.deadlocks,
                                                               .relevances = relevances_});
  if (!found) return tl::unexpected(found.error());
  detected_ = std::move(*found);
  if (!sites_.empty()) keep_those_at(sites_, &detected_);
  relevances_ = {};
  SuspectedTest* const test = this;
  suspects_.emplace(trace, listener_, test, options_.suspects);
  return {};
}

bool VersionAnalysis::has_time() const {
  return std::chrono::steady_clock::now() < options_.deadline && !was_interrupted();
}

uint64_t VersionAnalysis::executions() const {
  if (!prophecies_ || !confirmer_) return 0;
  return confirmer_->executions() + prophecies_->executions() + (suspects_ ? suspects_->executions() : 0);
}

uint64_t VersionAnalysis::not_tried() const {
  if (!prophecies_ || !confirmer_) return 0;
  return prophecies_->counts().not_tried + (suspects_ ? suspects_->not_tried() : 0);
}

}  // namespace heddle
