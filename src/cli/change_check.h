// What `heddle check` and `heddle test` share: how a change is named, tried and told.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include <CLI/CLI.hpp>

#include "check/check.h"
#include "check/stages/stage.h"
#include "cli/progress.h"
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
  std::string shard;
  uint64_t seeds = 20;
  uint64_t order_seed = 1;
  bool again = false;
};

void add_change_check_options(CLI::App& command, ChangeCheckOptions& options);

struct ChangeCheckReport {
  // Tells people; schedules go into this folder, and findings get this evidence.
  std::function<void(CheckResult&, const std::filesystem::path&, const EvidenceOptions&)> tell;
  // For all other reporters; the error is empty if there was none.
  std::function<Report(const CheckResult&, const std::string&)> describe;
};

struct ChangeCheckSetting {
  CheckScope scope = CheckScope::kReaching;
  bool verifies = false;
  // `progress` outlives the stages.
  std::function<Check::Stages(Progress& progress)> stages;
};

// Gives the exit code.
Expected<int> check_change(const ChangeCheckOptions& options, const ChangeCheckSetting& setting,
                           const ChangeCheckReport& report);

}  // namespace heddle
