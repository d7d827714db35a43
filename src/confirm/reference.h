// Reference: what a test prints when its threads do not get in each other's way.
//
// Whether a race or a broken unit of work does harm is judged by what the test prints in the end. Some of
// that may depend on which thread came first and still be right. So the test is executed without any
// preemption, in several orders of its threads: whatever it prints then is right. Lines are compared as a
// set, since the order in which threads print them is not what matters. A failure of the execution that
// predictions were made from is no harm that one of them does, either.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "confirm/judge.h"
#include "execute/fork_server.h"
#include "support/error.h"

namespace heddle {

// What an execution printed, as it is compared: equal if the lines are the same ones.
std::string comparable_output(const Execution& execution);
// The same in a number that schedules can hold.
uint64_t output_hash(const Execution& execution);

class Reference : public Judge {
 public:
  // Executes the test a few times. Executions that fail teach nothing.
  static Expected<Reference> make(ForkServer& server, const ExecutionRequest& base);

  // The test has ended like this when nothing was tried on it.
  void add(const Execution& execution);

  std::optional<std::string> objection(const Execution& execution) const override;
  uint64_t executions() const { return executions_; }

 private:
  std::set<std::string> outputs_;
  std::set<std::string> failures_;
  uint64_t executions_ = 0;
};

}  // namespace heddle
