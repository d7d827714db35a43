// What `heddle check` and `heddle test` share: how a change is named, tried and told.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include <CLI/CLI.hpp>

#include "check/check.h"
#include "cli/reports.h"
#include "cli/revision_options.h"
#include "report/report.h"
#include "support/error.h"

namespace heddle {

struct ChangeCheckOptions : RevisionOptions {
  std::string store;
  std::string budget;  // empty: the project's
  std::string output;
  ReportOptions report;
  std::string suppressions;
  uint64_t seeds = 20;
  uint64_t order_seed = 1;
  bool again = false;
};

void add_change_check_options(CLI::App& command, ChangeCheckOptions& options);

// What is done with the time that the tests have left.
struct FurtherResult {
  std::vector<Finding> findings;  // new ones
  nlohmann::ordered_json own;     // for JSON; null: nothing was done
};

struct ChangeCheckReport {
  // Tells people; schedules go into this folder, and findings get this evidence.
  std::function<void(CheckResult&, const std::filesystem::path&, const EvidenceOptions&)> tell;
  // For all other reporters; the error is empty if there was none.
  std::function<Report(const CheckResult&, const std::string&)> describe;
  // May be empty. `store` is heddle's own folder.
  std::function<Expected<FurtherResult>(const CheckResult&, const Repository&, const Project&,
                                        const std::filesystem::path& store, const EvidenceOptions&)>
      further;
};

// Gives the exit code.
Expected<int> check_change(const ChangeCheckOptions& options, CheckScope scope, bool verifies,
                           const ChangeCheckReport& report);

}  // namespace heddle
