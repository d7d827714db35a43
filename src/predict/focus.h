// Focus: the events that predictions are to be about. Each prediction has at least one of them.
//
// Searches begin with these events, so that a few of them in a long trace cost little; they do not look at
// everything and then choose.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heddle {

class Focus {
 public:
  Focus() = default;  // on every event
  // `chosen`: indices into the events of a trace that has so many.
  Focus(size_t events, std::span<const uint64_t> chosen) : is_everything_(false), chosen_(events) {
    for (const uint64_t event : chosen) chosen_[event] = true;
  }

  // On the events for which `includes(event)` holds.
  template <typename Includes>
  static Focus where(size_t events, Includes&& includes) {
    Focus focus(events, {});
    for (uint64_t event = 0; event < events; ++event)
      if (includes(event)) focus.chosen_[event] = true;
    return focus;
  }

  bool is_everything() const { return is_everything_; }
  bool includes(uint64_t event) const { return is_everything_ || chosen_[event]; }

 private:
  bool is_everything_ = true;
  std::vector<bool> chosen_;
};

// Sorts of predictions.
struct WantedKinds {
  bool races = true;
  bool deadlocks = true;
  bool atomicity = true;
};

}  // namespace heddle
