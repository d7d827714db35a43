// ImpactRun: one `heddle impact`, whichever way its executions were made: tells of each test what is impacted
// and what goes wrong, and adds it all up.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "check/change_impact.h"
#include "check/compared_test.h"
#include "check/delays.h"
#include "check/regression_filter.h"
#include "cli/analysis_report.h"
#include "cli/impact_report.h"
#include "predict/units.h"
#include "report/run_result.h"
#include "support/interruption.h"

namespace heddle {

class ImpactRun {
 public:
  struct Options {
    UnitRule units;
    std::chrono::milliseconds budget{};
    bool lists_all = false;
    bool counts_all = true;
    bool is_reported = true;              // somebody wants the result, with all impacted events
    std::filesystem::path failures;       // folder with schedules that are replayed first; may be empty
    const ProjectBuild* build = nullptr;  // of the head; null if there is only its trace
  };
  // All must outlive this.
  ImpactRun(AnalysisReport& report, const Options& options)
      : report_(report), options_(options), deadline_(std::chrono::steady_clock::now() + options.budget) {}

  // A test of the change, under the schedules that it gives.
  Expected<void> look_into(const std::string& name, ComparedTest& test, const ChangeImpact& change);
  // The one execution of it that there is.
  Expected<void> look_into(const std::string& name, TestImpact& found, const StatementsOfBoth& statements);
  // A test that cannot be looked into; the others can.
  void pass_over(const std::string& name, const Error& why);
  RunResult take_result();

 private:
  // What came of one test.
  struct Totals {
    uint64_t schedules = 0;
    uint64_t accesses = 0;
    uint64_t impacted = 0;
    uint64_t explored = 0;
    uint64_t all_patterns = 0;
    uint64_t executions = 0;  // that confirmed findings and asked the base
    uint64_t not_tried = 0;
    size_t told = 0;
    size_t known = 0;
    DelayHistory delays;
  };

  bool has_time() const { return std::chrono::steady_clock::now() < deadline_ && !was_interrupted(); }
  std::filesystem::path source() const;
  Expected<void> look_into(const std::string& name, TestImpact& found, const StatementsOfBoth& statements,
                           const AskBase& base_has_elsewhere, ImpactReport& told, Totals* totals);
  bool say_what_is_compared(const std::string& name, TestImpact& found) const;
  Expected<void> search(const std::string& name, TestImpact& found, const StatementsOfBoth& statements,
                        const AskBase& base_has_elsewhere, Totals* totals);
  void say_unreached(const std::string& name, const ComparedTest& test, const StatementMap& map,
                     nlohmann::ordered_json* own) const;
  nlohmann::ordered_json finish(const std::string& name, const Totals& totals);
  Expected<void> replay_stored(const std::string& name, ComparedTest& test, const ChangeImpact& change,
                               Totals* totals, nlohmann::ordered_json* replayed);
  void add_findings(const std::string& name, size_t told_before, const std::vector<Finding>& known,
                    Totals* totals);
  void add_findings(const std::string& name, const std::vector<Finding>& findings, FindingStatus status);

  AnalysisReport& report_;
  const Options options_;
  const std::chrono::steady_clock::time_point deadline_;
  bool complete_ = true;
  uint64_t executions_ = 0;
  uint64_t events_ = 0;
  uint64_t accesses_ = 0;
  uint64_t explored_ = 0;
  uint64_t all_patterns_ = 0;
  std::vector<Finding> findings_;
  nlohmann::ordered_json tests_ = nlohmann::ordered_json::array();
  nlohmann::ordered_json impacted_ = nlohmann::ordered_json::array();
};

}  // namespace heddle
