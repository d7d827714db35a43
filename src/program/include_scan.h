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
  std::vector<std::string> library;            // "vector", "fmt/format.h", sorted
  std::vector<std::filesystem::path> project;  // headers of the project, each after those it includes
  std::set<std::filesystem::path>
      reachable;  // files of the project that may take part, whatever conditions say
};

class IncludeScan {
 public:
  explicit IncludeScan(std::filesystem::path source) : source_(std::move(source)) {}
  // Through all files of the project. Includes under a condition count as reachable only.
  IncludedHeaders scan(const UnitCommand& unit);
  // Macros that the file defines or undefines.
  const std::vector<std::string>& macros(const std::filesystem::path& path) { return read(path).defined; }
  // Words of its conditions: macros that decide what it says.
  const std::vector<std::string>& conditions(const std::filesystem::path& path) { return read(path).tested; }
  // Whether its macros are its own affair: it defines them after all that it includes, and removes none but
  // those.
  bool keeps_macros_to_itself(const std::filesystem::path& path) { return !read(path).affects_others; }

 private:
  struct Include {
    std::string name;
    bool is_quoted = false;
    bool is_certain = false;
  };
  struct File {
    std::vector<Include> includes;
    std::vector<std::string> defined;
    std::vector<std::string> tested;
    bool affects_others = false;
  };
  struct Walk;
  const File& read(const std::filesystem::path& path);
  void follow(const std::filesystem::path& path, bool is_certain, Walk& walk);
  bool exists(const std::filesystem::path& path);

  std::filesystem::path source_;
  std::map<std::filesystem::path, File> files_;
  std::map<std::filesystem::path, bool> exists_;
};

}  // namespace heddle::program
