// The checks behind `heddle doctor`: what works on this machine and for a binary, and what to do if not.
#pragma once

#include <string>
#include <vector>

namespace heddle {

struct Diagnosis {
  enum class Level { kOk, kWarning, kBad };

  Level level = Level::kOk;
  std::string what;    // what was looked at and how it is
  std::string advice;  // what to do about it; empty if there is nothing to do
};

std::vector<Diagnosis> check_machine();
std::vector<Diagnosis> check_binary(const std::string& path);

}  // namespace heddle
