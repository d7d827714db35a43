// State source: the C++ that writes the abstract state of an object under test, on driver/driver_state.h.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "generate/class_model.h"
#include "generate/source_text.h"

namespace heddle::generate {

// Reads what kind of values the object's fields have, private ones as well, and those of the classes within
// it. Must be compiled with -fno-access-control. `left_out` are of the fields of such a source:
// "Owner::field", and "Class" for all that is known of a class within.
DriverSource state_source(const ClassModel& model, const std::vector<std::string>& headers,
                          const std::set<std::string>& left_out);

}  // namespace heddle::generate
