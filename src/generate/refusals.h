// Refusals: which operations of a table the compiler does not take, and the table without them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "generate/class_model.h"
#include "generate/operation.h"

namespace heddle::generate {

// By number in the table, the first line of what the compiler says.
using Refusals = std::map<uint32_t, std::string>;

// Those that take the results of refused calls, and of nothing else, fall with them.
void refuse_dependents(const OperationTable& table, Refusals* refusals);

// What is left, numbered anew.
OperationTable without(const OperationTable& table, const Refusals& refusals);

// One for each constructor or method that has lost calls.
std::vector<Unusable> describe(const OperationTable& table, const Refusals& refusals);

}  // namespace heddle::generate
