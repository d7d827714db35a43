#include "explore/bounded_search.h"

#include <algorithm>

namespace heddle {

std::vector<Choice> in_turn(std::vector<Choice> alternatives, const Choice& first) {
  std::sort(alternatives.begin(), alternatives.end());
  const auto at = std::find(alternatives.begin(), alternatives.end(), first);
  if (at != alternatives.end()) std::rotate(alternatives.begin(), at, alternatives.end());
  return alternatives;
}

// One schedule after another: first those of the current price that branch off the current path, deepest
// first, then those that were put off.
std::optional<Plan> BoundedSearch::next() {
  if (!started_) {
    started_ = true;
    put_off_.resize(size_t{bound_} + 1);
    return Plan{};
  }
  over_ = !advance() && !take_put_off();
  if (over_) return std::nullopt;
  return plan_of_path();
}

void BoundedSearch::learn(const Observation& seen) {
  executed_++;
  if (seen.diverged) {
    diverged_ = true;
    return;
  }
  const size_t first_new = prefix_.size() + path_.size();
  for (size_t depth = first_new; depth < seen.steps.size(); ++depth) add_node(seen.steps[depth]);
  put_off_alternatives(first_new);
}

void BoundedSearch::add_node(const ObservedStep& step) {
  Node node{step.alternatives.size() < 2 ? std::vector<Choice>{step.chosen}
                                         : in_turn(step.alternatives, step.chosen)};
  node.is_preferred = node.alternatives.size() < 2 || is_preferred(step);
  if (node.alternatives.size() > 1 && !may_pay_at(step)) {
    const std::optional<Choice> previous = chosen_before(prefix_.size() + path_.size());
    std::vector<Choice> free;
    for (size_t i = 0; i < node.alternatives.size(); ++i) {
      if (price_of(previous, node.alternatives, i) == 0) free.push_back(node.alternatives[i]);
    }
    node.alternatives = std::move(free);
  }
  path_.push_back(std::move(node));
}

void BoundedSearch::begin_again() {
  price_ = 0;
  started_ = over_ = diverged_ = false;
  executed_ = cut_off_ = 0;
  detours_ = 0;
  prefix_.clear();
  path_.clear();
  put_off_.clear();
}

// Whom a notify wakes is no step of its own: the notifier runs on.
std::optional<Choice> BoundedSearch::chosen_before(size_t depth) const {
  while (depth-- > 0) {
    const bool in_prefix = depth < prefix_.size();
    const Node* node = in_prefix ? nullptr : &path_[depth - prefix_.size()];
    const Choice& choice = in_prefix ? prefix_[depth] : node->alternatives[node->chosen];
    if (choice.kind != trace::StepKind::kWake) return choice;
  }
  return std::nullopt;
}

// To the next schedule of the same price.
bool BoundedSearch::advance() {
  while (!path_.empty()) {
    Node& node = path_.back();
    const std::optional<Choice> previous = chosen_before(prefix_.size() + path_.size() - 1);
    while (++node.chosen < node.alternatives.size()) {
      if (price_of(previous, node.alternatives, node.chosen) == 0) return true;
    }
    path_.pop_back();
  }
  return false;
}

bool BoundedSearch::take_put_off() {
  while (put_off_[price_].empty()) {
    if (price_ == bound_) return false;
    price_++;
  }
  const auto first = put_off_[price_].begin();
  const PutOff next = std::move(first->second.front());
  first->second.pop_front();
  if (first->second.empty()) put_off_[price_].erase(first);
  detours_ = next.detours;
  prefix_.assign(next.schedule->begin(), next.schedule->begin() + next.depth);
  prefix_.push_back(next.choice);
  return true;
}

void BoundedSearch::put_off_alternatives(size_t first_new) {
  std::shared_ptr<const std::vector<Choice>> schedule;
  for (size_t depth = first_new; depth < prefix_.size() + path_.size(); ++depth) {
    const Node& node = path_[depth - prefix_.size()];
    for (size_t i = 1; i < node.alternatives.size(); ++i) {
      const uint32_t price = price_of(chosen_before(depth), node.alternatives, i);
      if (price == 0) continue;
      if (price_ + price > bound_) {
        cut_off_++;
        continue;
      }
      if (!schedule) schedule = std::make_shared<const std::vector<Choice>>(plan_of_path().prefix);
      const uint32_t detours = detours_ + (node.is_preferred ? 0 : 1);
      put_off_[price_ + price][detours].push_back(
          {schedule, static_cast<uint32_t>(depth), node.alternatives[i], detours});
    }
  }
}

Plan BoundedSearch::plan_of_path() const {
  Plan plan;
  plan.prefix = prefix_;
  plan.prefix.reserve(prefix_.size() + path_.size());
  for (const Node& node : path_) plan.prefix.push_back(node.alternatives[node.chosen]);
  plan.known = plan.prefix.size();  // each was made, or seen to be possible
  return plan;
}

Claim BoundedSearch::claim() const {
  return {.complete = false,
          .interleavings = executed_,
          .meaning = cut_off_ != 0 || !over_ ? meaning() : meaning() + "; there are no others"};
}

Claim DepthFirstSearch::claim() const {
  Claim claim = BoundedSearch::claim();
  claim.complete = is_over() && !has_diverged();
  claim.meaning = "all there are";
  return claim;
}

// Not if the thread has yielded: then the default is another one.
uint32_t PreemptionBoundedSearch::price_of(const std::optional<Choice>& previous,
                                           const std::vector<Choice>& alternatives, size_t index) const {
  if (!previous) return 0;
  const Choice goes_on{previous->thread, trace::StepKind::kRun};
  return alternatives[0] == goes_on && alternatives[index].thread != previous->thread ? 1 : 0;
}

std::string PreemptionBoundedSearch::meaning() const {
  return "all interleavings with at most " + std::to_string(preemptions_) +
         (preemptions_ == 1 ? " preemption" : " preemptions");
}

std::string DelayBoundedSearch::meaning() const {
  return "all interleavings with at most " + std::to_string(delays_) + (delays_ == 1 ? " delay" : " delays");
}

}  // namespace heddle
