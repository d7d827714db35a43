// Whether two findings, of two executions or of two versions of a program, are about the same thing.
//
// A fingerprint is made for one version. Here, less counts: two pairs of accesses to one variable in the same
// two functions are one finding, whatever each of them does with it; variables on the stack are known by
// their fields, since the name of a local says nothing; functions that a change has renamed are known by
// their new names.
#pragma once

#include <map>
#include <string>

#include "check/failure_words.h"
#include "report/finding.h"

namespace heddle {

// Functions that another version calls otherwise: names there, names here.
using RenamedFunctions = std::map<std::string, std::string>;

// One word. For executions that ended with a failure that only the test can explain, its own words decide.
std::string sameness_of(const Finding& finding, const FailureWords& words, const RenamedFunctions& renamed);

// How often a test fails tells failures apart that look the same otherwise: one that always fails, for
// whatever reason, does not fail like one that does so under some schedules.
struct FailureRate {
  uint64_t failed = 0;
  uint64_t executions = 0;

  bool is_like(const FailureRate& other) const;
};

}  // namespace heddle
