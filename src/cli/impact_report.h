// What `heddle impact` says of the events that a change impacts.
#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

#include "check/change_impact.h"

namespace heddle {

// On the standard output: how many there are, and a paragraph for those that are alike.
void print_impact(const std::string& test, TestImpact& found);

// One object for each event. Files are named relative to the folder.
nlohmann::ordered_json impact_to_json(TestImpact& found, const std::filesystem::path& folder);

}  // namespace heddle
