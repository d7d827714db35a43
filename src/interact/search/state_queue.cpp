#include "interact/search/state_queue.h"

#include <algorithm>
#include <utility>

namespace heddle::interact {
namespace {

constexpr uint64_t kCoveredFactor = 4;

// As many kinds' turns are those of a call.
constexpr uint64_t kTurnsOfCall = 4;

// The library's distributions differ between implementations.
uint64_t below(std::mt19937_64& random, uint64_t limit) {
  return random() % limit;
}

}  // namespace

StateQueue::StateQueue(Cost cost, double random_share, uint64_t seed)
    : cost_(std::move(cost)), random_share_(random_share), random_(seed) {}

StateQueue::KindIndex StateQueue::kind(const StateKind& kind) {
  const auto [known, is_new] = numbers_.try_emplace(kind, static_cast<KindIndex>(kinds_.size()));
  if (is_new) {
    kinds_.emplace_back().what = kind;
    if (kind.caller != 0)
      kinds_.back().spent_on_call =
          &spent_on_calls_[{.sequence = kind.sequence, .node = kind.node, .caller = kind.caller}];
    place_.push_back(kNone);
  }
  return known->second;
}

void StateQueue::add(KindIndex kind, const OpenState& state) {
  (state.is_rest ? kinds_[kind].rests : kinds_[kind].states).push_back(state);
  ++size_;
  if (place_[kind] != kNone) return;
  place_[kind] = static_cast<uint32_t>(filled_.size());
  filled_.push_back(kind);
}

void StateQueue::charge(KindIndex kind, uint64_t amount) {
  kinds_[kind].spent += amount;
  if (kinds_[kind].spent_on_call != nullptr) *kinds_[kind].spent_on_call += amount;
}

void StateQueue::note_empty(KindIndex kind) {
  const uint32_t place = std::exchange(place_[kind], kNone);
  filled_[place] = filled_.back();
  filled_.pop_back();
  if (place < filled_.size()) place_[filled_[place]] = place;
}

std::optional<StateQueue::Taken> StateQueue::take() {
  while (!filled_.empty()) {
    const bool is_random =
        static_cast<double>(below(random_, 1U << 20)) < random_share_ * static_cast<double>(1U << 20);
    const KindIndex chosen = is_random ? any() : cheapest();
    Kind& kind = kinds_[chosen];
    const std::optional<OpenState> state = take_of(kind, is_random);
    if (kind.states.empty() && kind.rests.empty()) note_empty(chosen);
    if (!state) continue;
    if (known_.contains(state->sequence)) {
      back_.push_back({chosen, *state});
      continue;
    }
    ++kind.turns;
    --size_;
    return Taken{chosen, *state};
  }
  if (back_.empty()) return std::nullopt;
  const Taken taken = back_.front();
  back_.pop_front();
  --size_;
  return taken;
}

StateQueue::KindIndex StateQueue::any() {
  return filled_[below(random_, filled_.size())];
}

StateQueue::KindIndex StateQueue::cheapest() {
  KindIndex best = filled_.front();
  std::pair<uint64_t, KindIndex> least{~uint64_t{0}, kNone};
  for (const KindIndex index : filled_) {
    Kind& kind = kinds_[index];
    if (kind.cost == 0) kind.cost = std::max<uint64_t>(cost_(kind.what), 1);
    const uint64_t on_call = kind.spent_on_call == nullptr ? 0 : *kind.spent_on_call / kTurnsOfCall;
    const std::pair price{kind.cost * (kind.spent + on_call) * (kind.is_covered ? kCoveredFactor : 1), index};
    if (price < least) {
      least = price;
      best = index;
    }
  }
  return best;
}

std::optional<OpenState> StateQueue::take_of(Kind& kind, bool is_random) {
  std::deque<OpenState>& from = kind.states.empty() ? kind.rests : kind.states;
  if (from.empty()) return std::nullopt;
  if (is_random) std::swap(from[below(random_, from.size())], from.back());
  const bool takes_newest = is_random || kind.turns % 2 == 0;
  const OpenState state = takes_newest ? from.back() : from.front();
  if (takes_newest)
    from.pop_back();
  else
    from.pop_front();
  return state;
}

void StateQueue::forget_costs() {
  for (Kind& kind : kinds_) kind.cost = 0;
}

}  // namespace heddle::interact
