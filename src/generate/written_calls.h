// Written calls: what is done with the object besides calling its methods. They become methods of the model
// whose calls are written here in full: what the user wants to be looked at, copies, assignment, comparison.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "generate/class_model.h"
#include "generate/user_pools.h"

namespace heddle::generate {

struct WrittenCall {
  uint32_t method = 0;  // index in the model
  std::string code;
  std::string label;
};

// Lines under `observe` and `invariant`.
std::vector<WrittenCall> add_user_observers(ClassModel& model, const UserPools& pools);

// Copies and assignment, if whoever wrote the class cared for them: with a lock or an atomic in it, it is
// copyable only on purpose. And a comparison that is no method.
std::vector<WrittenCall> add_whole_object_calls(ClassModel& model);

}  // namespace heddle::generate
