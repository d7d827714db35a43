// ComparedSchedules: under which schedules the two versions of a test are executed to be compared.
//
// What differs between the versions should come from the change. So first the test is executed as it is; then
// under schedules that an operation more or less hardly disturbs: threads that nobody interrupts, in another
// order. If threads take turns, an operation that is added shifts all turns that follow; under random
// schedules it makes all choices that follow others. Then the versions part for no good reason: these come
// last, or to reach what was not reached.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "trace/policy.h"
#include "trace/trace.h"

namespace heddle {

class ComparedSchedules {
 public:
  // `wanted`: that do different things. At least 1.
  explicit ComparedSchedules(uint32_t wanted) : wanted_(wanted) {}

  // Nothing: these are enough.
  std::optional<trace::PolicySpec> next();
  // One more than were wanted, since there is code that none has reached; only a few of them are given.
  std::optional<trace::PolicySpec> next_for_unreached();
  // Those that come first, whatever they show.
  std::vector<trace::PolicySpec> planned() const;
  // Whether an execution has done something else than those before. One that has not does not count.
  bool add(const trace::Trace& head);

 private:
  const uint32_t wanted_;
  uint32_t proposed_ = 0;
  uint32_t for_unreached_ = 0;
  std::set<uint64_t> seen_;  // hashes of executions
};

}  // namespace heddle
