// What `heddle test` says of a change.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "check/check.h"
#include "report/run_result.h"
#include "support/error.h"

namespace heddle {

struct TestReport {
  bool lists_known = false;
  bool measures = false;

  // Writes the schedules of new findings into `folder`, and tells them.
  Expected<void> tell(CheckResult& result, const std::filesystem::path& folder) const;
  RunResult describe(const CheckResult& result, const std::string& error) const;
};

// How soon the order of the tests reveals the regression races that were found.
struct OrderMeasure {
  size_t races = 0;              // distinct, new ones
  size_t races_of_selected = 0;  // that the selected tests show
  double apfd = 0;               // over all tests; 0 if there are no races
  double apfd_of_selected = 0;
};
OrderMeasure measure_order(const CheckResult& result);

}  // namespace heddle
