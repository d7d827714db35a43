// What `heddle test` says of a change.
#pragma once

#include <filesystem>
#include <string>

#include "check/check.h"
#include "report/report.h"
#include "support/error.h"

namespace heddle {

struct TestReport {
  bool lists_known = false;
  bool measures = false;

  // Writes the schedules of new findings into `folder`, and tells them.
  void tell(CheckResult& result, const std::filesystem::path& folder, const EvidenceOptions& evidence) const;
  Report describe(const CheckResult& result, const std::string& error) const;
};

}  // namespace heddle
