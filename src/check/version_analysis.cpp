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
  if (version.server) confirmer_.emplace(*version.server, version.recording);
}

Expected<void> VersionAnalysis::look() {
  if (!prophecies_)
    if (const Expected<void> done = predict_and_detect(); !done) return done;
  if (const Expected<void> looked = prophecies_->look_into(predicted_.predictions); !looked) return looked;
  return suspects_->look_into(detected_);
}

Expected<void> VersionAnalysis::predict_and_detect() {
  const trace::Trace& trace = version_.recording.trace();
  predicted_ = predict(trace, {.units = options_.units, .guesses = true, .focus = options_.focus},
                       listener_.symbolizer());
  trace::TraceEvents events(trace);
  Expected<detect::Detections> found = detect::detect(events, {.lock_set = false});
  if (!found) return tl::unexpected(found.error());
  detected_ = std::move(*found);
  if (!options_.focus.is_everything()) keep_those_at(sites_in(options_.focus, trace), &detected_);
  SuspectedTest* const test = this;
  prophecies_.emplace(trace, listener_, test, options_.prophecies);
  suspects_.emplace(trace, listener_, test, options_.suspects);
  return {};
}

bool VersionAnalysis::has_time() const {
  return std::chrono::steady_clock::now() < options_.deadline && !was_interrupted();
}

uint64_t VersionAnalysis::executions() const {
  if (!prophecies_ || !confirmer_) return 0;
  return confirmer_->executions() + prophecies_->executions() + suspects_->executions();
}

uint64_t VersionAnalysis::not_tried() const {
  return prophecies_ && confirmer_ ? prophecies_->counts().not_tried + suspects_->not_tried() : 0;
}

}  // namespace heddle
