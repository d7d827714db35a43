// LifetimeOrder: which steps come before which because threads are created and joined, whatever else they do.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/observation.h"

namespace heddle {

class LifetimeOrder {
 public:
  void clear() { past_.clear(); }

  // Steps are numbered upwards; those of a wake do nothing and can be left out.
  void push(uint32_t step, uint32_t thread, const std::vector<Operation>& operations);

  // Whether a step of one thread comes before everything that another one does from now on.
  bool precedes(uint32_t thread, uint32_t step, uint32_t other) const {
    return other < past_.size() && thread < past_[other].size() && past_[other][thread] > step;
  }

 private:
  using Past = std::vector<uint32_t>;  // by thread: the number of its last step that comes before, plus 1

  Past& past_of(uint32_t thread);
  void merge(uint32_t into, uint32_t from);

  std::vector<Past> past_;  // by thread
};

}  // namespace heddle
