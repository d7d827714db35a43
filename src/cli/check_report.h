// What `heddle check` says of its result: on the terminal, and as JSON.
#pragma once

#include <filesystem>
#include <string>

#include "check/check.h"
#include "report/run_result.h"
#include "support/error.h"

namespace heddle {

// Writes the schedules of what is new to `folder`, and tells it: the first few findings in full, all of them
// in a line each, then what limits what was said.
Expected<void> tell_check(CheckResult& result, const std::filesystem::path& folder);

// Also of a check that has failed: `error`, if there is one, says why.
RunResult describe_check(const CheckResult& result, const std::string& error);

}  // namespace heddle
