// RunResult: what a command did and found, for `--json FILE` (schema: docs/json.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "report/finding.h"
#include "support/error.h"

namespace heddle {

struct RunResult {
  std::string command;      // "run", "explore", …
  double seconds = 0;       // wall clock
  uint64_t executions = 0;  // completed executions of the strategy
  std::optional<uint64_t> learning_executions;
  std::optional<uint64_t> blocked_executions;
  bool complete = false;  // nothing that the command could have looked at was left out
  std::vector<Finding> findings;
  nlohmann::ordered_json own = nlohmann::ordered_json::object();  // the command's own fields
};

nlohmann::ordered_json to_json(const Finding& finding);
nlohmann::ordered_json to_json(const RunResult& result);
// The other way; `own` is all of it. Throws nlohmann's exceptions if something is not of the type it should
// be.
RunResult read_run_result(const nlohmann::json& json);

// Of heddle: "0.1.0".
const char* heddle_version();

// As the text of a file.
std::string dump(const nlohmann::ordered_json& json);

// Replaces `path` as a whole, so that a reader never sees half a file. "-" is the standard output.
Expected<void> write_json(const std::string& path, const RunResult& result);
Expected<void> write_json(const std::string& path, const nlohmann::ordered_json& json);

}  // namespace heddle
