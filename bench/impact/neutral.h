// What `heddle impact` says of changes that touch no behaviour: nothing should be impacted.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "common/subject.h"
#include "neutral_changes.h"

namespace heddle::bench {

struct NeutralFigures {
  std::string subject;
  NeutralKind kind = NeutralKind::kComments;
  bool is_there = false;  // there is something to apply it to
  bool compiles = false;
  uint64_t tests = 0;
  uint64_t accesses = 0;
  uint64_t impacted = 0;  // of the accesses
  uint64_t others = 0;    // impacted acquisitions, waits and notifications
};

struct NeutralOptions {
  std::filesystem::path work;
  std::filesystem::path compilers;
  size_t tests = 3;  // of each subject, those with the most threads
  std::string only;  // kinds whose names contain it
};

Expected<std::vector<NeutralFigures>> measure_neutral(const Subject& subject, const NeutralOptions& options);

// A line for each subject, a column for each kind.
std::string print_neutral(const std::vector<NeutralFigures>& figures, bool markdown);
bool is_all_empty(const std::vector<NeutralFigures>& figures);

}  // namespace heddle::bench
