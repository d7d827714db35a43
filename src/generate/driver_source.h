// Driver source: the C++ of a program that can make every call of an operation table
// (driver/driver_interface.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "generate/class_model.h"
#include "generate/operation.h"

namespace heddle::generate {

// What a line of a source was written for: if the compiler refuses the line, that has to go.
struct LineOwner {
  enum class Kind : uint8_t { kNothing, kOperation, kFixture, kField, kInclude, kText };
  Kind kind = Kind::kNothing;
  uint32_t index = 0;  // of the operation, fixture, field, include or structure
};

struct DriverSource {
  std::string text;
  std::vector<LineOwner> owners;        // by line, from 1
  std::vector<std::string> structures;  // that have texts
};

// Each operation is a function heddle_call_N, where N is its number. The table's `$` are results of methods.
DriverSource calls_source(const ClassModel& model, const OperationTable& table,
                          const std::vector<std::string>& headers);

// Writes the abstract state of an object: what kind of values its fields have, private ones as well. Must be
// compiled with -fno-access-control.
DriverSource state_source(const ClassModel& model, const std::vector<std::string>& headers);

}  // namespace heddle::generate
