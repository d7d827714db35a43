// RememberedVerdict: what came of executing a suspicion, for later runs of the same build.
#pragma once

#include <cstdint>
#include <string>

namespace heddle {

struct RememberedVerdict {
  bool harmful = false;  // else benign; what was not reproduced is not remembered
  std::string why;       // it is harmful; a sentence
  std::string input;     // the file that was the test's standard input; empty if none was given
  std::string schedule;  // text of the schedule that shows it
  uint64_t time = 0;     // when; seconds since 1970

  bool operator==(const RememberedVerdict&) const = default;
};

}  // namespace heddle
