// StageReport: what one stage of a check did, for those who tell it.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace heddle {

struct StageReport {
  std::string name;
  std::string idle;                      // why there was nothing for it to do; empty if there was
  std::string trouble;                   // why it could not be done, or not all of it; empty if it could
  std::vector<std::string> notes;        // a sentence each
  std::vector<std::string> not_reached;  // for lack of time
  size_t reused = 0;                     // tests, classes, programs that an earlier check has looked into
  uint64_t executions = 0;
  std::chrono::milliseconds share{};  // of the time
  std::chrono::milliseconds spent{};
  std::chrono::milliseconds built{};  // of that, for building, which is not part of the budget
  nlohmann::ordered_json own;         // what only this stage has to say, for --json
};

}  // namespace heddle
