// ChangedSubject: a subject whose base is built, to be compared with whatever is made of it.
//
//   WORK/SUBJECT/repository   the commits
//   WORK/SUBJECT/store        heddle's own folder
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "check/change_impact.h"
#include "common/subject.h"
#include "support/error.h"

namespace heddle::bench {

class ChangedSubject {
 public:
  // `compilers`: folder with heddle-cc and heddle-c++.
  static Expected<ChangedSubject> prepare(const Subject& subject, const std::filesystem::path& work,
                                          const std::filesystem::path& compilers);

  const std::string& name() const { return name_; }
  // The base's sources and headers, by path.
  const std::map<std::string, std::string>& sources() const { return sources_; }
  const ProjectBuild& base_build() const { return base_build_; }
  const TestSuite& base_suite() const { return base_suite_; }

  // Both versions, the second with these texts; nothing if it does not compile.
  Expected<std::optional<ChangeImpact>> change(const std::map<std::string, std::string>& texts,
                                               const std::string& message);

 private:
  ChangedSubject(std::string name, SubjectRepository repository)
      : name_(std::move(name)), repository_(std::move(repository)) {}

  std::string name_;
  SubjectRepository repository_;
  ChangeImpactOptions options_;
  Project project_;
  Revision base_;
  ProjectBuild base_build_;
  TestSuite base_suite_;
  std::map<std::string, std::string> sources_;
};

}  // namespace heddle::bench
