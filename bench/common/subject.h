// Subject: a project of bench/subjects/ with changes to it, and the git repository that is made of it.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "change/revision.h"
#include "support/error.h"

namespace heddle::bench {

struct Subject {
  std::string name;
  std::filesystem::path folder;      // with base/ and changes/
  std::string main_change;           // by which it is measured
  std::vector<std::string> changes;  // all of them, the main one first
};

// Those with these names, or all of them, in the order of their names.
Expected<std::vector<Subject>> read_subjects(const std::filesystem::path& folder,
                                             const std::vector<std::string>& names);

// The commits of a subject: its base, each change as one commit on it, and whatever else is tried on it.
class SubjectRepository {
 public:
  // Made anew in `folder` if the subject's files are not those that it was made of.
  static Expected<SubjectRepository> make(const Subject& subject, const std::filesystem::path& folder);

  const Repository& repository() const { return repository_; }
  Expected<Revision> base() const { return repository_.resolve(kBase); }
  Expected<Revision> change(const std::string& name) const { return repository_.resolve("change/" + name); }

  // The base's files below src/, by path.
  Expected<std::map<std::string, std::string>> sources() const;
  // A commit on the base in which these files have this text.
  Expected<Revision> commit(const std::map<std::string, std::string>& texts, const std::string& message);

 private:
  static constexpr const char* kBase = "base";

  explicit SubjectRepository(Repository repository) : repository_(std::move(repository)) {}

  Repository repository_;
};

}  // namespace heddle::bench
