// Where heddle keeps what belongs to a project: builds, and the history.
#pragma once

#include <filesystem>
#include <string>

#include "support/error.h"

namespace heddle {

// Where heddle's links for compilers are: beside itself.
std::filesystem::path own_folder();

// `chosen`, or `.heddle` below the project's root, or a cache folder if that cannot be written, which is
// said. It is made, and tells git to look away.
Expected<std::filesystem::path> prepare_store(const std::string& chosen, const std::filesystem::path& root);

}  // namespace heddle
