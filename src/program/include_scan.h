// Which headers of libraries a unit includes, found in the text: what units have in common is precompiled,
// and asking a compiler would cost what that saves.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "program/compile_unit.h"

namespace heddle::program {

struct IncludedHeaders {
  std::vector<std::string> library;  // "vector", "fmt/format.h", sorted
  std::set<std::string> defined;     // macros that the unit's own files define or undefine
};

class IncludeScan {
 public:
  explicit IncludeScan(std::filesystem::path source) : source_(std::move(source)) {}
  // Through all files of the project. Includes under a condition are left out.
  IncludedHeaders scan(const UnitCommand& unit);

 private:
  struct File {
    std::vector<std::pair<std::string, bool>> includes;  // name, whether in quotes
    std::vector<std::string> defined;
  };
  const File& read(const std::filesystem::path& path);

  std::filesystem::path source_;
  std::map<std::filesystem::path, File> files_;
};

}  // namespace heddle::program
