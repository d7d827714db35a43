// What `heddle impact` says of the events that a change impacts.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <tuple>

#include <nlohmann/json.hpp>

#include "check/change_impact.h"

namespace heddle {

// Of the executions of one test: what was told of one is not told again of the next.
class ImpactReport {
 public:
  // Files are named relative to the folder in JSON.
  ImpactReport(std::string test, std::filesystem::path folder)
      : test_(std::move(test)), folder_(std::move(folder)) {}

  // On the standard output: how many there are, and a paragraph for those that are alike. Adds an object for
  // each event to `json`, an array; null if nobody wants to know.
  void tell(TestImpact& found, nlohmann::ordered_json* json);

 private:
  const std::string test_;
  const std::filesystem::path folder_;
  bool is_first_ = true;
  std::set<std::tuple<std::string, std::string, std::string>> told_;  // place, what is done, words
};

// "buyers", or "buyers under round-robin" if the schedule is not the default.
std::string name_of_execution(const std::string& test, const trace::PolicySpec& policy);

}  // namespace heddle
