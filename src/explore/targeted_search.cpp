#include "explore/targeted_search.h"

#include <algorithm>

#include "explore/deviations.h"

namespace heddle {
namespace {

constexpr uint32_t kPriceOfGoingOn = 1;  // where a plan could not be followed
constexpr size_t kMaxDeviations = 5000;  // of one execution

std::vector<Choice> choices_of(const Observation& seen) {
  std::vector<Choice> choices;
  choices.reserve(seen.steps.size());
  for (const ObservedStep& step : seen.steps) choices.push_back(step.chosen);
  return choices;
}

uint64_t hash_of(const std::vector<Choice>& choices) {
  uint64_t hash = choices.size();
  for (const Choice& choice : choices) {
    hash ^= uint64_t{choice.thread} << 8 | static_cast<uint64_t>(choice.kind);
    hash *= 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }
  return hash;
}

}  // namespace

TargetedSearch::TargetedSearch(const std::vector<Target>& targets, Options options) : options_(options) {
  for (const Target& target : targets) results_.push_back({target, std::nullopt});
}

std::optional<Plan> TargetedSearch::next() {
  if (shown_ == results_.size() || in_vain_ >= options_.patience) return std::nullopt;
  if (!started_) {
    started_ = true;
    price_ = 0;
    return Plan{};
  }
  while (!waiting_.empty()) {
    auto& [price, cheapest] = *waiting_.begin();
    if (cheapest.empty()) {
      waiting_.erase(waiting_.begin());
      continue;
    }
    const Waiting first = std::move(cheapest.front());
    cheapest.pop_front();
    waiting_size_ -= size_of(first);
    if (first.only_for && results_[*first.only_for].shown_by) continue;
    const Plan plan = plan_of(first);
    if (!planned_.insert(hash_of(plan.prefix)).second) continue;
    price_ = price;
    return plan;
  }
  exhausted_ = true;
  return std::nullopt;
}

Plan TargetedSearch::plan_of(const Waiting& waiting) const {
  Plan plan;
  plan.prefix.assign(waiting.schedule->begin(), waiting.schedule->begin() + waiting.depth);
  plan.prefix.insert(plan.prefix.end(), waiting.choices.begin(), waiting.choices.end());
  plan.known = waiting.depth;
  return plan;
}

void TargetedSearch::learn(const Observation& seen) {
  ++executed_;
  ++in_vain_;
  if (note_shown(seen)) in_vain_ = 0;
  if (shown_ == results_.size()) return;
  if (seen.diverged) {
    auto schedule = std::make_shared<const std::vector<Choice>>(choices_of(seen));
    const auto depth = static_cast<uint32_t>(schedule->size());
    add(price_ + kPriceOfGoingOn, {std::move(schedule), depth, {}, std::nullopt});
  } else {
    look_at(seen);
  }
}

void TargetedSearch::overhear(const Observation& seen) {
  note_shown(seen);
}

// Whether one more has been.
bool TargetedSearch::note_shown(const Observation& seen) {
  bool more = false;
  for (Result& result : results_) {
    if (result.shown_by || !look_for(result.target, seen).shown) continue;
    result.shown_by.emplace();
    result.shown_by->prefix = choices_of(seen);
    result.shown_by->known = result.shown_by->prefix.size();
    ++shown_;
    more = true;
  }
  return more;
}

void TargetedSearch::look_at(const Observation& seen) {
  std::vector<Target> targets;
  std::vector<size_t> numbers;
  for (size_t i = 0; i < results_.size(); ++i) {
    if (results_[i].shown_by) continue;
    targets.push_back(results_[i].target);
    numbers.push_back(i);
  }
  Deviations deviations(seen, targets);
  if (!looked_at_.insert(deviations.hash()).second) return;
  const auto schedule = std::make_shared<const std::vector<Choice>>(choices_of(seen));
  for (Deviation& deviation : deviations.list(kMaxDeviations)) {
    const auto only_for = deviation.only_for ? std::optional(numbers[*deviation.only_for]) : std::nullopt;
    add(price_ + deviation.price, {schedule, deviation.depth, std::move(deviation.choices), only_for});
  }
  left_out_ |= deviations.is_cut_off();
}

// When there are too many, the most expensive ones go.
void TargetedSearch::add(uint32_t price, Waiting waiting) {
  waiting_size_ += size_of(waiting);
  waiting_[price].push_back(std::move(waiting));
  while (waiting_size_ > options_.max_waiting) {
    std::deque<Waiting>& dearest = waiting_.rbegin()->second;
    if (!dearest.empty()) {
      left_out_ = true;
      waiting_size_ -= size_of(dearest.back());
      dearest.pop_back();
    } else {
      waiting_.erase(std::prev(waiting_.end()));
    }
  }
}

// The schedules by which targets have been shown mean something else now.
void TargetedSearch::begin_again() {
  for (Result& result : results_) result.shown_by.reset();
  shown_ = executed_ = in_vain_ = 0;
  started_ = exhausted_ = left_out_ = false;
  waiting_.clear();
  waiting_size_ = 0;
  planned_.clear();
  looked_at_.clear();
}

Claim TargetedSearch::claim() const {
  return {.interleavings = executed_,
          .meaning = std::to_string(shown_) + " of " + std::to_string(results_.size()) +
                     (results_.size() == 1 ? " target" : " targets") + " shown" +
                     (shown_ < results_.size() && is_exhausted() ? "; nothing is left to try" : "")};
}

}  // namespace heddle
