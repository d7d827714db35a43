// Walks over the expressions that an expression consists of, without recursion: chains are as long as loops
// run.
#pragma once

#include <vector>

#include "interact/concolic/arithmetic.h"
#include "interact/concolic/recording.h"

namespace heddle::concolic {

// Calls `finish(node)` for the node and all below it which are not `is_done(node)`, operands first.
template <typename IsDone, typename Finish>
void for_each_needed(const Recording& recording, uint32_t handle, IsDone is_done, Finish finish) {
  std::vector<uint32_t> open = {handle};
  while (!open.empty()) {
    const uint32_t current = open.back();
    if (is_done(current)) {
      open.pop_back();
      continue;
    }
    const Node& node = recording.nodes[current];
    const uint32_t operands[] = {node.a, node.b, node.c};
    bool is_ready = true;
    for (uint32_t i = 0; i < operand_count(node.operation); ++i) {
      if (is_done(operands[i])) continue;
      open.push_back(operands[i]);
      is_ready = false;
    }
    if (!is_ready) continue;
    finish(current);
    open.pop_back();
  }
}

}  // namespace heddle::concolic
