// Expectation: what a program of this folder says about itself in its first comment lines.
//
//   // expect: deadlock            the outcome: `ok`, or the failures that count as found (words of
//                                  HEDDLE_OUTCOME_KINDS, separated by spaces)
//   // executions: 200             random schedules within which a failure must be found, or which a correct
//                                  program must pass (default 1000)
//   // steps: 100                  scheduling steps that no execution of it needs more than (optional)
//   // message: held by            what the failure's message must contain (optional)
//   // inject: wakeups             what goes wrong now and then, as for --inject (optional)
//   // addresses: matter           it does other things when its memory lies elsewhere (optional)
//   // timeouts: idle              timed waits end only when nobody can run, under any policy (optional)
//   // detect: race                races count as failures, and must show in the first execution (optional)
//   // preload: libjemalloc.so.2   run it with this library in LD_PRELOAD (optional)
//   // flags: -mcx16               more compiler flags (read by CMake)
//   // optimize: -O0 -O2           build it at these levels as well (read by CMake)
//   // library: yes                build it once more with -DLIBRARY, as a library that it is linked with
//   (CMake)
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "execute/injection.h"
#include "support/error.h"
#include "trace/layout.h"

namespace heddle::programs {

struct Expectation {
  std::vector<trace::OutcomeKind> kinds;  // never empty; kOk stands alone
  uint64_t executions = 1000;
  uint64_t steps = 50'000;  // more is a livelock
  std::string message;
  Injection injection;
  bool addresses_matter = false;
  std::string preload;
  bool timeouts_when_idle = false;
  bool detects_races = false;

  bool is_ok() const { return kinds.front() == trace::OutcomeKind::kOk; }
  bool allows(trace::OutcomeKind kind) const;
};

Expected<Expectation> read_expectation(const std::string& source_path);

}  // namespace heddle::programs
