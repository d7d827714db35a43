// Expectation: what a subject of buggy/ says in its first comment lines that heddle must find in it.
//
//   // expect: detect none                                      the command finds nothing
//   // expect: predict race harmful in Stock::sell, Stock::left a finding of the command: its kind, how it
//   was
//                                                               confirmed, and functions among its places
//   // expect: predict race|use-after-free any in show          one of these kinds; confirmed in any way, but
//                                                               not tried in vain
//   // expect: predict atomicity pattern 9 harmful in Range::set  the number of the access pattern
//
// A subject of correct/ says nothing: every command must be silent about it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "support/error.h"

namespace heddle::subjects {

struct Expectation {
  std::string text;  // as it was written
  std::string command;
  std::vector<std::string> kinds;      // empty: nothing may be found
  uint32_t pattern = 0;                // 0: whichever
  std::string confirmation;            // harmful, benign or any
  std::vector<std::string> functions;  // each must be named by the finding

  bool is_met_by(const nlohmann::json& finding) const;
};

// A finding that heddle has tried to show in vain is no report.
bool is_report(const nlohmann::json& finding);

Expected<std::vector<Expectation>> read_expectations(const std::string& source_path);

}  // namespace heddle::subjects
