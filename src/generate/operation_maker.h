// Operation maker: makes up arguments for the constructors and methods of a class.
//
// Values come from pools by type: edges of numbers, strings, enumerators, containers, objects built from
// other values, results of earlier calls, and what the user has given. What no value can be made up for is
// named, with how to help.
#pragma once

#include <cstddef>
#include <vector>

#include "generate/class_model.h"
#include "generate/operation.h"
#include "generate/user_pools.h"

namespace heddle::generate {

struct MadeOperations {
  OperationTable table;
  std::vector<Unusable> unusable;
};

// The user's `observe` and `invariant` lines become methods of the model. Deterministic.
MadeOperations make_operations(ClassModel& model, const UserPools& pools, size_t most_operations);

}  // namespace heddle::generate
