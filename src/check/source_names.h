// SourceNames: how files of a build are called wherever the build lies.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "report/finding.h"

namespace heddle {

class SourceNames {
 public:
  // A project's sources, and where they were built; the one may lie in the other.
  SourceNames(const std::filesystem::path& source, const std::filesystem::path& build);

  // "src/queue.cpp" of the sources, "<build>/version.h" of what the build made. Nothing for other files:
  // they are not the project's.
  std::optional<std::string> name_of(const std::string& file);

 private:
  std::filesystem::path source_;
  std::filesystem::path build_;
  std::map<std::string, std::optional<std::string>> names_;  // asked before
};

// Its sites by these names: as somebody says it who knows the project and not where heddle has built it.
void name_sites(SourceNames& names, Finding* finding);

}  // namespace heddle
