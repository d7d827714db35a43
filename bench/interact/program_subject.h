// ProgramSubject: a program of bench/subjects/interact: two versions, the errors that the second one has, and
// a golden version for each error, in which it alone is fixed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "change/revision.h"
#include "support/error.h"

namespace heddle::bench {

struct SeededError {
  std::string name;
  bool is_interaction = false;
  std::string needs;  // "threshold", "long-option", "second-token" or nothing
};

struct ProgramSubject {
  std::string name;
  std::filesystem::path folder;  // with base/, head.patch and fixes/
  std::string arguments;         // template of the command line
  uint32_t standard_input = 0;
  std::vector<SeededError> errors;
};

// Those with these names, or all of them, in the order of their names.
Expected<std::vector<ProgramSubject>> read_program_subjects(const std::filesystem::path& folder,
                                                            const std::vector<std::string>& names);

struct ProgramRevisions {
  Repository repository;
  Revision base;
  Revision head;
  std::vector<Revision> golden;  // by error
};

// Made anew in `folder`.
Expected<ProgramRevisions> make_revisions(const ProgramSubject& subject, const std::filesystem::path& folder);

}  // namespace heddle::bench
