// Evaluates the expressions of a recording for other values of the input, without a solver.
#pragma once

#include <optional>
#include <vector>

#include "interact/concolic/recording.h"

namespace heddle::concolic {

class Evaluator {
 public:
  // Places without a value in `values` keep the recorded one. Both must outlive the evaluator.
  Evaluator(const Recording& recording, const Assignment& values)
      : recording_(recording), values_(values), known_(recording.nodes.size()) {}

  uint64_t value(uint32_t handle);

 private:
  uint64_t compute_node(const Node& node) const;

  const Recording& recording_;
  const Assignment& values_;
  std::vector<std::optional<uint64_t>> known_;
};

// What a table holds at an offset; zero outside of it.
uint64_t table_value(const std::vector<unsigned char>& table, uint64_t offset, uint32_t width);

}  // namespace heddle::concolic
