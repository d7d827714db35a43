// Driver source: the C++ of a program that can make every call of an operation table
// (driver/driver_interface.h).
#pragma once

#include <string>
#include <vector>

#include "generate/class_model.h"
#include "generate/operation.h"
#include "generate/source_text.h"

namespace heddle::generate {

// Each operation is a function heddle_call_N, where N is its number. The table's `$` are results of methods.
DriverSource calls_source(const ClassModel& model, const OperationTable& table,
                          const std::vector<std::string>& headers);

}  // namespace heddle::generate
