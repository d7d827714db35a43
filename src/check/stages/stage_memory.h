// StageMemory: what a stage came to with one thing (a test, a class, a program), kept in the history for a
// later check of the same two builds.
//
// It is what makes a check go on after it was killed, and the same check again quick. A thing that was looked
// into to its end, or by a check with as large a budget, is not looked into again: its findings are
// taken from the history, and executed once for the report. If one of them cannot be executed any more, the
// thing is looked into as if nothing were known.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "check/stages/stage.h"

namespace heddle {

class StageMemory {
 public:
  // `settings`: whatever else decides what the stage finds.
  StageMemory(CheckState& state, std::string stage, uint64_t settings);

  // Adds what is known to the findings of the check. False: it has to be looked into. `test`: whose command
  // executes the schedules; null: their own.
  // `more`: what was kept beside.
  bool recall(const std::string& thing, const SuiteTest* test, nlohmann::json* more = nullptr);
  // Keeps what has been added to the findings since there were `before`. What was cut short by the user is
  // not kept.
  void keep(const std::string& thing, const SuiteTest* test, size_t before, bool is_complete,
            const nlohmann::json& more = {});

 private:
  uint64_t key_of(const std::string& thing, const SuiteTest* test) const;

  CheckState& state_;
  const std::string stage_;
  const uint64_t settings_;
};

}  // namespace heddle
