// A class under test that exists only as numbers: a counter with a limit, whose calls a test can make without
// any driver. Its calls are add (+1, throws at the limit), take (−1, blocks at zero), get and reset.
#pragma once

#include <algorithm>
#include <string>

#include "generate/call_plan.h"
#include "generate/operation.h"

namespace heddle::generate {

inline constexpr OperationId kMake{0};  // limit 2
inline constexpr OperationId kAdd{1};
inline constexpr OperationId kTake{2};
inline constexpr OperationId kGet{3};
inline constexpr OperationId kReset{4};
inline constexpr OperationId kCrash{5};

inline OperationTable model_operations() {
  OperationTable table;
  const auto add = [&](bool is_constructor, uint32_t callable, const std::string& text, bool is_const) {
    Operation operation;
    operation.id = OperationId{static_cast<uint32_t>(table.operations.size())};
    operation.is_constructor = is_constructor;
    operation.callable = callable;
    operation.receiver = is_constructor ? "" : "object";
    operation.code = operation.label = text;
    operation.is_const = is_const;
    operation.has_result = true;
    table.operations.push_back(operation);
  };
  add(true, 0, "Counter(2)", false);
  add(false, 0, "add()", false);
  add(false, 1, "take()", false);
  add(false, 2, "get()", true);
  add(false, 3, "reset()", false);
  table.constructors = 1;
  return table;
}

class ModelRunner : public CallRunner {
 public:
  uint64_t runs = 0;

  using CallRunner::run_alone;
  Expected<CallRun> run_alone(const CallPlan& plan, bool /*observes*/, uint64_t /*schedule*/) override {
    ++runs;
    CallRun run;
    run.results.resize(plan.calls());
    int value = 0;
    uint32_t number = 0;
    size_t index = 0;
    std::vector<OperationId> calls = plan.before;
    calls.insert(calls.end(), plan.after.begin(), plan.after.end());
    for (const OperationId call : calls) {
      CallResult& result = run.results[index++];
      result.begun = ++number;
      run.last = footprint(call, value);
      if (call == kCrash) {
        run.end = RunEnd::kFailed;
        run.why = "crash: SIGSEGV";
        return run;
      }
      if (call == kTake && value == 0) {
        run.end = RunEnd::kBlocked;
        run.why = "lost-wakeup";
        return run;
      }
      result.threw = call == kAdd && value == 2;
      if (result.threw) {
        result.text = "throws full";
      } else if (call == kAdd) {
        result.text = std::to_string(++value);
      } else if (call == kTake) {
        result.text = std::to_string(--value);
      } else if (call == kGet) {
        result.text = std::to_string(value);
      } else {
        value = 0;
        result.text = "done";
      }
      result.ended = ++number;
    }
    run.state = value == 0 ? "empty" : value == 2 ? "full" : "some";
    return run;
  }

  // A lock around everything, but `reset` writes without it.
  static CallFootprint footprint(OperationId call, int value) {
    CallFootprint footprint = accesses_of(call, value);
    for (const CallAccess& access : footprint.accesses)
      footprint.coverage.push_back(2 * access.place + (access.writes ? 1 : 0));
    std::sort(footprint.coverage.begin(), footprint.coverage.end());
    return footprint;
  }

  static CallFootprint accesses_of(OperationId call, int value) {
    CallFootprint footprint;
    const HeldLock lock{.lock = 77, .section = 1};
    const auto access = [&](uint64_t place, bool writes, bool locked) {
      footprint.accesses.push_back({.place = place,
                                    .location = 5,
                                    .writes = writes,
                                    .atomic = false,
                                    .held = locked ? std::vector<HeldLock>{lock} : std::vector<HeldLock>{}});
    };
    const uint64_t place = static_cast<uint64_t>(call) * 10;
    if (call == kReset) {
      access(place, true, false);
      return footprint;
    }
    access(place, false, true);
    if (call == kAdd && value < 2) access(place + 1, true, true);
    if (call == kTake) access(place + 1, true, true);
    if (call == kTake && value == 0) footprint.waits.push_back(9);
    if (call == kAdd) footprint.wakes.push_back(9);
    return footprint;
  }
};

}  // namespace heddle::generate
