// VersionTrial: one version of a program, whose runners are made when they are first needed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "interact/trial/differential.h"

namespace heddle::interact {

class VersionTrial {
 public:
  VersionTrial(VersionPrograms programs, std::filesystem::path folder, RunLimits limits)
      : programs_(std::move(programs)), folder_(std::move(folder)), limits_(std::move(limits)) {}

  bool has_guarded() const { return !programs_.guarded.empty(); }

  Expected<ProgramRunner*> plain() { return runner(&plain_, programs_.plain, "plain", limits_); }
  Expected<Behaviour> run(const concolic::ProgramInput& input, unsigned variation);

  // What the sanitizer says each time. Nothing: that is not known, since its runs do not end, or differ. It
  // may use more memory and time than the plain form, so nothing else that it does counts.
  Expected<std::optional<std::string>> report(const concolic::ProgramInput& input);

  uint64_t executions() const { return executions_; }

 private:
  Expected<ProgramRunner*> runner(std::optional<ProgramRunner>* slot, const std::filesystem::path& program,
                                  const char* form, const RunLimits& limits);

  VersionPrograms programs_;
  std::filesystem::path folder_;
  RunLimits limits_;
  std::optional<ProgramRunner> plain_;
  std::optional<ProgramRunner> guarded_;
  uint64_t executions_ = 0;
};

}  // namespace heddle::interact
