// PathSlice: which constraints of a path matter for the other side of one of its branches: those that have
// inputs in common with it, directly or through others. The rest stays true if no other input changes.
#pragma once

#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include "interact/concolic/recording.h"

namespace heddle::concolic {

class PathSlice {
 public:
  // The recording must outlive it.
  explicit PathSlice(const Recording& recording);

  // Branches before the event, in order, each condition once.
  std::vector<size_t> constraints_for(size_t event) const;

  // The places that a node depends on, by their number.
  const std::vector<uint32_t>& inputs_of(uint32_t handle) const { return sets_[set_of_[handle]]; }
  const std::vector<InputPlace>& places() const { return places_; }
  uint64_t recorded(const InputPlace& place) const { return recorded_.at(place); }

 private:
  uint32_t united(uint32_t a, uint32_t b);
  uint32_t interned(std::vector<uint32_t> inputs);

  const Recording& recording_;
  std::vector<InputPlace> places_;
  std::map<InputPlace, uint64_t> recorded_;
  std::vector<uint32_t> set_of_;             // by handle
  std::vector<std::vector<uint32_t>> sets_;  // sorted; [0] is empty
  std::map<std::vector<uint32_t>, uint32_t> set_numbers_;
  std::unordered_map<uint64_t, uint32_t> unions_;
  std::vector<std::vector<size_t>> events_of_;  // by place: the branches that depend on it
};

}  // namespace heddle::concolic
