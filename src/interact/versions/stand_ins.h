// The folder that comes first in PATH while a project is built: the recorder under the name of every compiler
// that there is.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "support/error.h"

namespace heddle::interact {

// Makes the folder, or brings it up to date. Several may do so at the same time.
Expected<void> make_stand_ins(const std::filesystem::path& folder, const std::filesystem::path& recorder);

// What a build needs to use it, and to be recorded in full.
std::vector<std::pair<std::string, std::string>> recording_environment(const std::filesystem::path& folder);

}  // namespace heddle::interact
