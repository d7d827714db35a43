// What `heddle check` says of its result: on the terminal, and as JSON.
#pragma once

#include <filesystem>
#include <string>

#include "check/check.h"
#include "report/report.h"
#include "support/error.h"

namespace heddle {

// Writes the schedules of what is new to `folder`, and tells it: the first few findings in full, all of them
// in a line each, then what limits what was said.
void tell_check(CheckResult& result, const std::filesystem::path& folder, const EvidenceOptions& evidence);

// The same but for the last line, which sums up.
void tell_findings(CheckResult& result, const std::filesystem::path& folder, bool lists_known,
                   const EvidenceOptions& evidence);
// "3 of 12 tests tried in 60 executions".
std::string tests_tried(const CheckResult& result);
// "; 3 tests not tried: the time was not enough", or nothing.
std::string tests_left(const CheckResult& result);
// The verdict in a sentence.
std::string verdict_of(const CheckResult& result);
// The same if the base does not build.
std::string summary_without_base(const CheckResult& result);

// Also of a check that has failed: `error`, if there is one, says why.
Report describe_check(const CheckResult& result, const std::string& error);

}  // namespace heddle
