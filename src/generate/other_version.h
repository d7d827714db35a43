// OtherVersion: whether an earlier version of a class fails in the same way as this one.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>

#include "generate/concurrent_trial.h"
#include "generate/driver_build.h"
#include "generate/driver_session.h"
#include "generate/requirements.h"
#include "support/error.h"
#include "symbolize/symbolizer.h"

namespace heddle::generate {

// The plan in the operations of another table: the same code for each call. Nothing if there is no such call.
std::optional<CallPlan> translate(const CallPlan& plan, const OperationTable& from, const OperationTable& to);

class OtherVersion {
 public:
  // The symbolizer must outlive this.
  static Expected<std::unique_ptr<OtherVersion>> start(Driver driver, const std::filesystem::path& plan_file,
                                                       Symbolizer& symbolizer);

  // `operations`: of the version that has failed.
  Expected<bool> fails_like(const TestFailure& failure, const OperationTable& operations, uint64_t seed,
                            std::chrono::steady_clock::time_point deadline);

 private:
  OtherVersion(Driver driver, std::unique_ptr<DriverSession> session, Symbolizer& symbolizer)
      : driver_(std::move(driver)), session_(std::move(session)), symbolizer_(symbolizer) {}

  const Driver driver_;
  const std::unique_ptr<DriverSession> session_;
  Symbolizer& symbolizer_;
};

}  // namespace heddle::generate
