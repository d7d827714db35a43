#include "interact/campaign/fast_inputs.h"

#include <algorithm>
#include <limits>

#include "support/interruption.h"

namespace heddle::interact {
namespace {

// Of the time, at most one part in so many is spent on looking at what differs as something before.
constexpr int kPartOfKnown = 8;
constexpr size_t kMostPostponed = 10'000;

constexpr uint64_t kExecutionsOfPlateau = 100'000;
constexpr uint64_t kExecutionsOfDeepPlateau = 300'000;
// A thousand times slower than here.
constexpr uint64_t kSlownessOfProcesses = 500;

}  // namespace

void FastInputs::note(const Expected<void>& done) {
  if (!done && status_) status_ = done;
}

Expected<void> FastInputs::run_slice(std::chrono::milliseconds cpu_time) {
  const Clock::time_point began = Clock::now();
  fuzz::SliceRequest request;
  request.milliseconds = static_cast<uint64_t>(std::max<int64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(options_.deadline - began).count(), 0));
  request.cpu_milliseconds = static_cast<uint64_t>(cpu_time.count());
  request.seeds = std::exchange(seeds_, {});
  request.done = std::exchange(done_, {});
  fuzz::FastTier::Handlers handlers;
  handlers.differs = [this](const fuzz::FoundDifference& found) { take_difference(found); };
  handlers.keeps = [this](const fuzz::KeptForCorpus& kept) { postpone_report(kept); };
  handlers.loses = [this](const concolic::ProgramInput& input) {
    fuzz::FoundDifference found;
    found.input = input;
    found.is_new_kind = found.damages_heap = true;
    take_difference(found);
  };
  handlers.is_interrupted = was_interrupted;
  const Expected<std::optional<fuzz::SliceReport>> report = tier_.run_slice(std::move(request), handlers);
  if (!report) return tl::unexpected(report.error());
  if (*report) take_report(**report);
  if (!was_interrupted()) look_at_postponed();
  look_for_reports();
  result_.fast.seconds += Clock::now() - began;
  result_.fast.lost_hosts = tier_.lost_hosts();
  return status_;
}

void FastInputs::take_report(const fuzz::SliceReport& report) {
  for (const fuzz::TracedInputs& traced : report.new_traces)
    traces_.push_back({statements(traced.nodes), statements(traced.changes)});
  for (const fuzz::TracedCount& count : report.counts) counts_[{count.trace, count.way}] += count.inputs;
  result_.inputs_tried += report.executions - result_.fast.executions;
  result_.inputs_differing += report.differing - last_.differing;
  result_.fast.executions = report.executions;
  result_.fast.in_processes = report.in_processes;
  result_.fast.corpus = report.corpus;
  result_.fast.edges = report.edges;
  for (const fuzz::TracedInputs& traced : report.new_traces) {
    const std::set<uint32_t> repeated(traced.repeated.begin(), traced.repeated.end());
    reached_.reach(traced.nodes, repeated);
  }
  last_ = report;
}

FastInputs::Statements FastInputs::statements(const std::vector<uint32_t>& nodes) const {
  Statements result;
  for (const uint32_t node : nodes)
    if (node < graph_.graph.nodes.size()) result.push_back(graph_.graph.nodes[node].statement);
  return result;
}

std::vector<uint32_t> FastInputs::failures_of(uint64_t wrong_for) {
  std::vector<uint32_t> failures;
  for (size_t i = 0; i < options_.golden.size() && i < 64; ++i)
    if ((wrong_for >> i & 1) != 0) failures.push_back(keeper_.failure("not as " + options_.golden[i]));
  return failures;
}

void FastInputs::take_difference(const fuzz::FoundDifference& found) {
  if (!status_ || was_interrupted()) return;
  if (found.way != 0 && !failures_.contains(found.way)) failures_[found.way] = failures_of(found.wrong_for);
  const bool is_pressing = found.is_new_kind || looked_for_ * kPartOfKnown <= Clock::now() - began_;
  if (is_pressing && Clock::now() < options_.deadline) return note(look_at(found));
  if (postponed_.size() < kMostPostponed) postponed_.push_back(found);
}

Expected<void> FastInputs::look_at(const fuzz::FoundDifference& found) {
  const Clock::time_point began = Clock::now();
  InputKeeper::Candidate candidate;
  candidate.input = found.input;
  candidate.tier = Tier::kFast;
  candidate.at_execution = found.at_execution;
  candidate.is_small = true;
  candidate.asks_guarded = found.damages_heap;
  Statements nodes = statements(found.nodes);
  candidate.sequence = statements(found.changes);
  if (!found.has_trace) {
    const Expected<SearchedInput> executed = search_.execute(found.input);
    if (executed) {
      candidate.sequence = executed->sequence;
      nodes = executed->nodes;
    }
  }
  const Expected<std::vector<uint32_t>> failures = keeper_.try_input(candidate);
  if (!failures) return tl::unexpected(failures.error());
  if (found.way != 0) {
    failures_[found.way] = *failures;
    done_.push_back(found.way);
  }
  looked_at_.push_back({candidate.sequence, nodes, *failures, 1});
  if (!found.is_new_kind) looked_for_ += Clock::now() - began;
  return {};
}

void FastInputs::look_at_postponed() {
  while (!postponed_.empty() && status_ && Clock::now() < options_.deadline &&
         looked_for_ * kPartOfKnown <= Clock::now() - began_) {
    note(look_at(postponed_.front()));
    postponed_.pop_front();
  }
}

void FastInputs::postpone_report(const fuzz::KeptForCorpus& kept) {
  if (!kept.has_trace || kept.changes.empty() || without_report_.size() >= kMostPostponed) return;
  if (sequences_.insert(kept.changes).second) {
    without_report_.push_front(kept);
  } else {
    without_report_.push_back(kept);
  }
}

void FastInputs::look_for_reports() {
  while (!without_report_.empty() && status_ && !was_interrupted() && Clock::now() < options_.deadline &&
         keeper_.has_time_for_report()) {
    note(look_for_report(without_report_.front()));
    without_report_.pop_front();
  }
}

Expected<void> FastInputs::look_for_report(const fuzz::KeptForCorpus& kept) {
  InputKeeper::Candidate candidate;
  candidate.input = kept.input;
  candidate.sequence = statements(kept.changes);
  candidate.tier = Tier::kFast;
  candidate.at_execution = result_.fast.executions;
  candidate.asks_guarded = true;
  const Expected<std::vector<uint32_t>> failures = keeper_.try_input(candidate);
  if (!failures) return tl::unexpected(failures.error());
  looked_at_.push_back({candidate.sequence, statements(kept.nodes), *failures, 1});
  return {};
}

bool FastInputs::is_on_plateau() const {
  const uint64_t least =
      tier_.lives_in_host() ? kExecutionsOfPlateau : kExecutionsOfPlateau / kSlownessOfProcesses;
  return last_.is_exhausted || last_.since_new >= std::max(least, last_.executions / 4);
}

bool FastInputs::is_on_deep_plateau() const {
  const uint64_t least =
      tier_.lives_in_host() ? kExecutionsOfDeepPlateau : kExecutionsOfDeepPlateau / kSlownessOfProcesses;
  return last_.is_exhausted || last_.since_new >= std::max(least, last_.executions / 4 * 3);
}

std::vector<concolic::ProgramInput> FastInputs::take_nearest() {
  std::vector<concolic::ProgramInput> result;
  for (const concolic::ProgramInput& input : last_.nearest)
    if (sent_nearest_.insert(input).second) result.push_back(input);
  return result;
}

std::vector<TriedInput> FastInputs::tried() const {
  std::vector<TriedInput> result = looked_at_;
  for (const auto& [what, inputs] : counts_) {
    const auto& [trace, way] = what;
    if (trace >= traces_.size()) continue;
    const auto failures = failures_.find(way);
    result.push_back(
        {traces_[trace].changes, traces_[trace].nodes,
         failures == failures_.end() ? std::vector<uint32_t>() : failures->second,
         static_cast<uint32_t>(std::min<uint64_t>(inputs, std::numeric_limits<uint32_t>::max()))});
  }
  return result;
}

}  // namespace heddle::interact
