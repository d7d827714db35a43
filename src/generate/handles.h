// Handles: results of calls whose end means something, so that tests keep them.
#pragma once

#include <string>

#include "generate/class_model.h"

namespace heddle::generate {

// Whether a call that gives this type gives an object that may do something when it ends: a lease, a lock, a
// subscription. Numbers, texts, structures of these and containers of them do not.
bool is_handle(const ClassModel& model, const std::string& type);

}  // namespace heddle::generate
