// VerdictMemory: what came of suspicions that earlier runs of the same build have executed.
//
// A pair that was confirmed once is a finding of the program, not of the input that showed it. So verdicts
// are remembered for the build, whatever the test's arguments and input were (docs/history.md).
#pragma once

#include <optional>
#include <string>

#include "confirm/confirm.h"
#include "history/history.h"
#include "support/error.h"
#include "trace/schedule.h"

namespace heddle {

class VerdictMemory {
 public:
  struct Setting {
    TestCommand test;
    Build build;                  // of the test's program
    std::string input;            // --stdin, if it was given
    bool verifies_again = false;  // recall nothing, but remember what is found out now
  };

  VerdictMemory() = default;  // knows nothing, and stays so
  VerdictMemory(std::optional<History> history, Setting setting);

  struct Known {
    Confirmed confirmed = Confirmed::kHarmful;
    std::string note;          // about how it was found out, for the report
    trace::Schedule schedule;  // that shows it
  };
  // Suspicions are told apart by the fingerprints of the findings that they would be.
  Expected<std::optional<Known>> recall(const std::string& fingerprint);

  // What was not reproduced is forgotten: another input may do it. Trouble with the history is told and costs
  // nothing but the memory.
  void remember(const std::string& fingerprint, const Verdict& verdict);

 private:
  std::optional<History> history_;
  Setting setting_;
  bool can_save_ = false;
};

}  // namespace heddle
