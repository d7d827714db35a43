// Build: which compiled program something was learned on.
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "execute/binary.h"

namespace heddle {

struct Build {
  struct Module {
    std::string name;  // file name
    std::string id;    // its binary_identity()

    auto operator<=>(const Module&) const = default;
  };

  // The program, the instrumented libraries that it is linked with, and heddle's runtime; sorted.
  std::vector<Module> modules;
  // When the last of the program's own was made. Build systems bring all of a program up to date: files that
  // have not been written since are what it was made of.
  std::filesystem::file_time_type time = std::filesystem::file_time_type::min();

  // The same for the same modules, wherever they lie.
  uint64_t id() const;
};

Build identify_build(const BinaryInfo& binary);

}  // namespace heddle
