// Catalogue: the subjects, by what they say about themselves in their first lines. The format is described in
// bench/subjects/explore/subject.h.
#pragma once

#include <string>
#include <vector>

#include "support/error.h"

namespace heddle::bench {

// One way to run a subject.
struct SubjectRun {
  std::string subject;             // the name of its source, without the ending
  std::string group;               // the folder it lies in: paper, extracted or hard
  std::string word;                // of its command line, may be empty
  std::vector<std::string> kinds;  // of a failure, as in docs/json.md

  // Not one with dozens of threads, of which a single execution takes long.
  bool is_small() const { return word != "100"; }
  std::string title() const { return word.empty() ? subject : subject + " " + word; }
};

// A subject whose word is a number of threads.
struct ScaledSubject {
  std::string subject;
  std::vector<SubjectRun> runs;  // with more and more threads
};

struct Catalogue {
  std::vector<SubjectRun> runs;
  std::vector<ScaledSubject> scaled;
};

// Of the subjects below a folder whose names match, in the order of groups and names.
Expected<Catalogue> read_catalogue(const std::string& folder, const std::string& name_pattern);

}  // namespace heddle::bench
