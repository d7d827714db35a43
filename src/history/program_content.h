// What a test's program contains, wherever it was built.
//
// heddle builds every revision in a folder of its own, and compilers write that folder into debug information
// and messages, where its name even decides in which order they list other names. Here the folder counts for
// nothing: a test has to run again only if its program is another one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "support/error.h"

namespace heddle {

class ProgramContents {
 public:
  // `home` is the folder to look through; empty: none.
  explicit ProgramContents(std::filesystem::path home) : home_(std::move(home)) {}

  // A hash of the program, the project's libraries that it is linked with, and heddle's runtime. Files that
  // were read are not read again.
  Expected<uint64_t> of(const std::string& program);

 private:
  Expected<uint64_t> file(const std::string& path);

  std::filesystem::path home_;
  std::map<std::string, uint64_t> files_;
  std::map<std::string, uint64_t> programs_;
};

}  // namespace heddle
