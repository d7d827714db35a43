#include "explore/surw_search.h"

#include <algorithm>
#include <utility>

#include "trace/reads_from.h"

namespace heddle {
namespace {

// The first executions show what there is; later ones correct the estimates as paths come to light.
constexpr uint64_t kFirstObserved = 3;
constexpr uint64_t kObservedInterval = 32;

// A program whose statements meet in ever new combinations has no use for more.
constexpr size_t kMaxGroups = 4096;

// The event that the step was chosen for, or that came with it.
bool is_point(const Operation& operation) {
  return (operation.flags & trace::event_flag::kPoint) != 0;
}

bool is_of_use(const Operation& operation) {
  return is_point(operation) && operation.object != 0 && trace::takes_part_in_reads_from(operation.kind);
}

struct VariableUse {
  std::set<uint32_t> threads;
  std::set<uint64_t> statements;
  bool changes = false;
  bool is_preferred = false;
};

}  // namespace

Detail SurwSearch::detail() const {
  const bool observes = executed_ < kFirstObserved || executed_ % kObservedInterval == 0;
  return observes ? Detail::kEvents : Detail::kOutcome;
}

std::optional<Plan> SurwSearch::next() {
  Plan plan{.then = {.kind = trace::PolicyKind::kSurw, .seed = seed_++}};
  if (groups_.empty()) return plan;
  const size_t drawn = draw();
  plan.guidance.statements =
      drawn < groups_.size() ? groups_[drawn] : Statements(shared_.begin(), shared_.end());
  plan.guidance.estimates = estimates_of(plan.guidance.statements);
  return plan;
}

// Of the groups; their number stands for all statements.
size_t SurwSearch::draw() {
  constexpr uint64_t kOthers = 4;  // every so often, since what is preferred may depend on the rest
  if (preferred_.empty() || random_() % kOthers == 0) return random_() % (groups_.size() + 1);
  return preferred_[random_() % preferred_.size()];
}

void SurwSearch::learn(const Observation& seen) {
  executed_++;
  overhear(seen);
}

void SurwSearch::overhear(const Observation& seen) {
  if (seen.steps.empty() || seen.diverged || seen.blocked) return;
  count_events(seen);
  find_groups(seen);
}

// Of those that have been seen the smallest number counts, if it is not 0. Any more is likely to be a thread
// that has waited in a loop, and to expect that would make it wait even longer.
void SurwSearch::count_events(const Observation& seen) {
  std::map<std::pair<uint64_t, uint32_t>, uint64_t> counts;
  for (const ObservedStep& step : seen.steps) {
    for (const Operation& operation : step.operations) {
      if (operation.kind == trace::EventKind::kFork) creators_[operation.peer] = step.chosen.thread;
      if (is_point(operation)) counts[{operation.place, step.chosen.thread}]++;
    }
  }
  if (seen.outcome != trace::OutcomeKind::kOk) return;  // it has ended early
  for (const auto& [event, count] : counts) {
    const auto [known, is_new] = counts_.insert({event, count});
    if (!is_new) known->second = std::min(known->second, count);
  }
}

void SurwSearch::find_groups(const Observation& seen) {
  std::map<std::pair<uint64_t, uint64_t>, VariableUse> uses;  // by object and offset
  for (const ObservedStep& step : seen.steps) {
    for (const Operation& operation : step.operations) {
      if (!is_of_use(operation)) continue;
      VariableUse& use = uses[{operation.object, operation.offset}];
      use.threads.insert(step.chosen.thread);
      use.statements.insert(operation.place);
      use.is_preferred |= operation.is_preferred;
      use.changes |= trace::can_be_read_from(operation.kind);
    }
  }
  for (const auto& [location, use] : uses) {
    if (use.threads.size() < 2 || !use.changes || groups_.size() >= kMaxGroups) continue;
    Statements group(use.statements.begin(), use.statements.end());
    if (!known_groups_.insert(group).second) continue;
    shared_.insert(group.begin(), group.end());
    if (use.is_preferred) preferred_.push_back(groups_.size());
    groups_.push_back(std::move(group));
  }
}

std::vector<uint64_t> SurwSearch::estimates_of(const Statements& statements) const {
  std::vector<uint64_t> estimates;
  for (const uint64_t statement : statements) {
    for (auto count = counts_.lower_bound({statement, 0}); count != counts_.end(); ++count) {
      const auto [of_statement, thread] = count->first;
      if (of_statement != statement) break;
      if (estimates.size() <= thread) estimates.resize(thread + 1);
      estimates[thread] += count->second;
    }
  }
  // Creators have smaller numbers than what they create.
  for (size_t thread = estimates.size(); thread-- > 1;) {
    const auto creator = creators_.find(static_cast<uint32_t>(thread));
    if (creator != creators_.end()) estimates[creator->second] += estimates[thread];
  }
  return estimates;
}

Claim SurwSearch::claim() const {
  return {.interleavings = executed_, .meaning = "random interleavings (surw)"};
}

}  // namespace heddle
