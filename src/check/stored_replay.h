// Schedules that made a test fail before, executed on the head of a change.
//
// On the build that it was made for, a schedule is followed step by step. One of the base is carried over to
// the head statement by statement (carried_schedule.h). Of one that an older version was made to fail with
// there is nothing but its steps: it is followed as far as it goes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "check/change_impact.h"
#include "report/finding.h"
#include "trace/schedule.h"

namespace heddle {

struct StoredSchedule {
  std::filesystem::path file;
  trace::Schedule schedule;
};
// Those in a folder that end in a failure of this test: it has the same program, by its name, and the same
// arguments. The latest ones first, and not very many.
std::vector<StoredSchedule> stored_schedules(const std::filesystem::path& folder, const TestCommand& test);

struct StoredReplay {
  Execution execution;       // of the head, with a trace of its own
  trace::Schedule schedule;  // that shows it again
  uint64_t followed = 0;
  uint64_t of = 0;
  std::string unit;                // of these numbers: "choice", "switch"
  std::optional<Finding> in_base;  // how the base fails under the schedule
  uint64_t executions = 0;

  bool is_followed() const { return followed == of; }
};

// `head` is a server of the head that has learned what is shared.
Expected<StoredReplay> replay_stored(const trace::Schedule& schedule, const ChangeImpact& change,
                                     const TestOfBoth& test, ForkServer& head, Symbolizer& symbolizer);

}  // namespace heddle
