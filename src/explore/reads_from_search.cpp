#include "explore/reads_from_search.h"

#include <algorithm>

namespace heddle {
namespace {

using trace::ConstraintKind;
using trace::ConstraintRecord;

// Long ones contradict themselves.
constexpr size_t kMaxConstraints = 12;

// Executions that one schedule gets in one turn.
constexpr uint64_t kMaxEnergy = 32;

// After so many tries a pair that has not been seen is taken to be impossible.
constexpr uint32_t kMaxTries = 3;

constexpr size_t kMaxCorpus = 4096;

}  // namespace

std::vector<ConstraintRecord> constraint_records(const AbstractSchedule& schedule, const ReadsFrom& pairs) {
  std::vector<ConstraintRecord> records;
  for (const auto& [pair, wanted] : schedule) {
    if (pair.write != 0) {
      records.push_back({pair.read, pair.write,
                         wanted ? ConstraintKind::kReadsFrom : ConstraintKind::kReadsFromAnother,
                         pair.own ? 1u : 0u});
      continue;
    }
    for (const uint64_t write : pairs.writers(pair.read))
      records.push_back({pair.read, write, ConstraintKind::kReadsBefore, 0});
  }
  return records;
}

std::optional<Plan> ReadsFromSearch::next() {
  planned_.clear();
  const std::optional<ReadsFromPair> unseen = executed_ % 2 == 1 ? take_unseen() : std::nullopt;
  if (unseen) {
    planned_ = {{*unseen, true}};
  } else if (!corpus_.empty()) {
    planned_ = next_to_mutate();
    do {
      mutate(&planned_);
    } while (below(2) == 0);
  }
  Plan plan{.then = {.kind = trace::PolicyKind::kReadsFrom, .seed = seed_++}};
  plan.guidance.constraints = constraint_records(planned_, pairs_);
  return plan;
}

void ReadsFromSearch::learn(const Observation& seen) {
  executed_++;
  if (seen.diverged || seen.blocked) return;
  const ReadsFrom::Seen shown = pairs_.add(seen);
  note_shown(shown);
  if (trying_ && ++trying_->tries < kMaxTries) unseen_.insert({trying_->tries, random_(), trying_->pair});
  trying_.reset();
  const bool is_first = frequencies_[shown.combination] == 1;
  if ((!is_first && !shown.is_new) || corpus_.size() >= kMaxCorpus) return;
  // Wishes that were not granted have only been in the way.
  std::erase_if(planned_, [&](const ReadsFromConstraint& constraint) {
    return constraint.wanted != (shown.pairs.count(constraint.pair) != 0);
  });
  corpus_.push_back({planned_, shown.combination});
}

void ReadsFromSearch::overhear(const Observation& seen) {
  if (seen.steps.empty() || seen.diverged || seen.blocked) return;
  note_shown(pairs_.add(seen));
}

void ReadsFromSearch::note_shown(const ReadsFrom::Seen& shown) {
  frequencies_[shown.combination]++;
  shown_++;
  for (; looked_at_ < pairs_.possible().size(); ++looked_at_)
    unseen_.insert({0, random_(), pairs_.possible()[looked_at_]});
}

const AbstractSchedule& ReadsFromSearch::next_to_mutate() {
  for (size_t i = 0; energy_left_ == 0; ++i) {
    turn_ = (turn_ + 1) % corpus_.size();
    energy_left_ = i < corpus_.size() ? energy_of(corpus_[turn_]) : 1;
    corpus_[turn_].rounds += energy_left_ != 0 ? 1 : 0;
  }
  energy_left_--;
  return corpus_[turn_].schedule;
}

// The cut-off exponential schedule of AFLFast (Böhme, Pham, Roychoudhury, CCS 2016): none for what shows a
// combination that is more frequent than the average, else twice as much each time.
uint64_t ReadsFromSearch::energy_of(const Entry& entry) const {
  if (frequencies_.at(entry.combination) * frequencies_.size() > shown_) return 0;
  return std::min(uint64_t{1} << std::min(entry.rounds, 6u), kMaxEnergy);
}

void ReadsFromSearch::mutate(AbstractSchedule* schedule) {
  if (pairs_.possible().empty()) return;
  enum class Mutation : uint64_t { kInsert, kDrop, kSwap, kNegate, kCount };
  auto mutation = static_cast<Mutation>(below(static_cast<uint64_t>(Mutation::kCount)));
  if (schedule->empty()) mutation = Mutation::kInsert;
  if (mutation == Mutation::kInsert && schedule->size() >= kMaxConstraints) mutation = Mutation::kSwap;
  std::optional<ReadsFromConstraint> taken;
  if (mutation != Mutation::kInsert) {
    const auto at = schedule->begin() + static_cast<ptrdiff_t>(below(schedule->size()));
    taken = *at;
    schedule->erase(at);
  }
  if (mutation == Mutation::kDrop) return;
  const bool negates = mutation == Mutation::kNegate && taken->pair.write != 0;
  const ReadsFromConstraint added =
      negates ? ReadsFromConstraint{taken->pair, !taken->wanted} : draw_constraint();
  // A read can be wanted to read one thing only.
  std::erase_if(*schedule, [&](const ReadsFromConstraint& other) {
    return other.pair == added.pair || (added.wanted && other.wanted && other.pair.read == added.pair.read);
  });
  schedule->push_back(added);
}

ReadsFromConstraint ReadsFromSearch::draw_constraint() {
  const ReadsFromPair& pair = pairs_.possible()[below(pairs_.possible().size())];
  return {pair, pair.write == 0 || below(2) == 0};
}

std::optional<ReadsFromPair> ReadsFromSearch::take_unseen() {
  while (!unseen_.empty()) {
    const Unseen first = *unseen_.begin();
    unseen_.erase(unseen_.begin());
    if (pairs_.seen().count(first.pair) != 0) continue;
    trying_ = first;
    return first.pair;
  }
  return std::nullopt;
}

Claim ReadsFromSearch::claim() const {
  return {.interleavings = executed_, .meaning = "interleavings with new pairs of reads and writes"};
}

}  // namespace heddle
