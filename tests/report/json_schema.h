// As much of JSON Schema as schemas of report formats need.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace heddle {

// What is wrong with `value`, with the place of each: empty if it is valid. A keyword that this does not know
// and that could make a value invalid is told as an error, so that nothing passes for want of a check.
std::vector<std::string> schema_errors(const nlohmann::json& schema, const nlohmann::json& value);

}  // namespace heddle
