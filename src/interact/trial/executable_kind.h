// What of an executable decides on the environment that it is run in.
#pragma once

#include <filesystem>

namespace heddle::interact {

struct ExecutableKind {
  bool has_sanitizer = false;  // one that needs address space without end
  bool takes_preload = false;  // libraries of heddle's own kind can be loaded into it
};

ExecutableKind kind_of_executable(const std::filesystem::path& program);

}  // namespace heddle::interact
