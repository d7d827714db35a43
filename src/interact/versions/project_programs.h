// ProjectPrograms: the executables of a build, by the names that a user may give them.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "interact/versions/call_log.h"
#include "support/error.h"

namespace heddle::interact {

struct ProjectProgram {
  std::filesystem::path file;
  std::string shown;              // relative to the build or the sources
  std::set<std::string> targets;  // of CMake, that its own objects belong to
  const CallRecord* link = nullptr;
};

class ProjectPrograms {
 public:
  // `log` must outlive it.
  ProjectPrograms(const CallLog& log, std::filesystem::path source, std::filesystem::path build);

  const std::vector<ProjectProgram>& all() const { return programs_; }
  // By path, the end of a path, file name or target. An error if there is none or several; it names those
  // that there are, the nearest first.
  Expected<ProjectProgram> find(const std::string& name) const;
  // The same without an error; nothing also if there are several.
  const ProjectProgram* find_one(const std::string& name) const;

  // Relative to the build or the sources.
  std::string shown(const std::filesystem::path& file) const;

 private:
  std::vector<const ProjectProgram*> matching(const std::string& name) const;
  Expected<ProjectProgram> find_copy(const std::string& name) const;

  const CallLog& log_;
  std::filesystem::path source_;
  std::filesystem::path build_;
  std::vector<ProjectProgram> programs_;
};

// Whether `end` is the path, or its last parts.
bool ends_with_path(const std::filesystem::path& path, const std::filesystem::path& end);

// The names, those that are most like `name` first, as a text: "a, b, c and 7 more".
std::string nearest_first(const std::string& name, std::vector<std::string> names);

}  // namespace heddle::interact
