// ClassSubject: a class of bench/subjects/generate, and what there is to know of its bug.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "generate/class_model.h"
#include "generate/class_sources.h"
#include "generate/concurrent_trial.h"
#include "generate/operation.h"
#include "support/error.h"

namespace heddle::bench {

struct ClassSubject {
  std::string name;
  std::string class_name;  // with template arguments
  generate::ClassSources sources;
  bool has_bug = false;
  bool is_race_free = true;
  std::vector<std::string> kinds;    // outcomes by which the bug shows
  std::vector<std::string> broken;   // methods that have it
  std::vector<std::string> methods;  // and those that take part in it
};

// Those whose names are in the list, or all of them if it is empty; in the order of their names.
Expected<std::vector<ClassSubject>> read_class_subjects(const std::filesystem::path& folder,
                                                        const std::vector<std::string>& names);

// Whether the failure is the subject's bug: of one of its kinds, with a broken method in some thread, and in
// each of them one that takes part.
bool shows_bug(const ClassSubject& subject, const generate::TestFailure& failure,
               const generate::ClassModel& model, const generate::OperationTable& operations);

}  // namespace heddle::bench
