// The expressions of a recording as Z3's terms. Nodes of width 1 are booleans.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include <z3++.h>

#include "interact/concolic/recording.h"

namespace heddle::concolic {

class Z3Terms {
 public:
  Z3Terms(z3::context& context, const Recording& recording, const InputLimits& limits)
      : context_(context), recording_(recording), limits_(limits), terms_(recording.nodes.size()) {}

  z3::expr condition(uint32_t handle, bool holds);

  // All places that the terms made so far depend on, without those that the limits fix: these are constants.
  const std::map<InputPlace, z3::expr>& inputs() const { return inputs_; }
  uint64_t recorded(const InputPlace& place) const { return recorded_.at(place); }

 private:
  z3::expr make(const Node& node);
  z3::expr make_input(const Node& node);
  z3::expr make_table(const Node& node);
  z3::expr make_predicate(const Node& node);
  z3::expr make_bits(const Node& node);
  z3::expr bits(uint32_t handle);
  z3::expr as_boolean(const z3::expr& bit) { return bit == context_.bv_val(1, 1); }

  z3::context& context_;
  const Recording& recording_;
  const InputLimits& limits_;
  std::vector<std::optional<z3::expr>> terms_;
  std::map<InputPlace, z3::expr> inputs_;
  std::map<InputPlace, uint64_t> recorded_;
};

}  // namespace heddle::concolic
