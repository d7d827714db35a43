// A class's model as JSON, between heddle-class-reader and heddle.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "generate/class_model.h"

namespace heddle::generate {

void to_json(nlohmann::json& json, const ClassModel& model);
// Throws what nlohmann::json throws if it is not one.
void from_json(const nlohmann::json& json, ClassModel& model);

}  // namespace heddle::generate
