// CallPlan: what one execution of a driver does, and CallRun: what came of it.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "generate/call_footprint.h"
#include "generate/operation.h"
#include "support/error.h"

namespace heddle::generate {

struct CallPlan {
  OperationId constructor{};
  std::vector<OperationId> before;  // by main, one after the other
  // By call of `before`: the number of the thread that makes it, while all others wait; 0: main. Empty: all
  // by main.
  std::vector<uint32_t> made_for;
  std::vector<std::vector<OperationId>> threads;  // each by a thread of its own
  std::vector<OperationId> after;                 // by main, when all threads have ended

  size_t calls() const {
    size_t count = before.size() + after.size();
    for (const std::vector<OperationId>& thread : threads) count += thread.size();
    return count;
  }
  auto operator<=>(const CallPlan&) const = default;
};

struct CallResult {
  uint32_t begun = 0;  // what number its beginning has among all beginnings and ends, from 1; 0: it has none
  uint32_t ended = 0;
  bool threw = false;
  std::string text;  // what it gave back, or what was thrown

  auto operator<=>(const CallResult&) const = default;
};

enum class RunEnd : uint8_t {
  kFinished,
  kBlocked,  // no thread can go on, or they go in circles
  kHung,     // heddle did not see it end: it waits for something outside of the program
  kRace,     // it came to its end, but not all accesses were ordered
  kFailed,   // a signal, an assertion, an exception that nobody caught, misuse of synchronisation, …
  kExited,   // a call ended the process
};

struct CallRun {
  RunEnd end = RunEnd::kFinished;
  std::string why;                  // how it ended, unless it finished: "assertion: …"
  std::vector<CallResult> results;  // in the order of the plan
  std::string state;                // abstract state of the object after all calls, if asked for
  std::string other_state;          // … and of the second one, if the plan has it
  CallFootprint last;               // of the last call, if asked for

  bool finished() const { return end == RunEnd::kFinished || end == RunEnd::kRace; }
};

// Who can carry out a plan without threads: a driver, or in tests, a model of a class.
class CallRunner {
 public:
  virtual ~CallRunner() = default;
  // `observes`: with state and footprint of the last call. Only threads of the class itself can interleave
  // with the calls: how, differs with `schedule`.
  virtual Expected<CallRun> run_alone(const CallPlan& plan, bool observes, uint64_t schedule) = 0;
  Expected<CallRun> run_alone(const CallPlan& plan, bool observes) { return run_alone(plan, observes, 0); }
};

}  // namespace heddle::generate
