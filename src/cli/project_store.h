// Where heddle keeps what it makes of a project.
#pragma once

#include <filesystem>
#include <string>

#include "support/error.h"

namespace heddle {

// The folder that the user chose, or .heddle in the project, or, if the project cannot be written, one in the
// user's cache. It exists, and tells git to look away.
Expected<std::filesystem::path> prepare_store(const std::string& chosen, const std::filesystem::path& root);

// Where heddle itself is, and beside it its links for compilers.
std::filesystem::path own_folder();
// Where heddle/heddle.h is, as installed or in the build tree.
std::filesystem::path own_includes();

}  // namespace heddle
