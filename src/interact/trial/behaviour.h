// Behaviour: what a program shows of itself on an input.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"

namespace heddle::interact {

struct Behaviour {
  std::string out;
  std::string err;  // the program's own name in it is "PROGRAM"; without what is in `report`
  int exit_code = 0;
  int signal = 0;
  bool timed_out = false;
  bool wrote_too_much = false;               // it was ended for that; `out` and `err` are beginnings
  std::string report;                        // a sanitizer's, in a line: "heap-buffer-overflow in f at a.c:3"
  std::map<std::string, std::string> files;  // that it left in its folder, by name; a folder's ends in "/"
  bool removed_input = false;                // the input file; one that is unchanged is not in `files`

  // A crash, a failed assertion, a sanitizer's report: wrong, whatever was expected.
  bool is_failure() const { return signal != 0 || !report.empty(); }
  // It did not end by itself.
  bool was_ended() const { return timed_out || wrote_too_much; }
};

enum class Aspect { kOut, kErr, kExit, kCrash, kReport, kFiles, kTime };

// What a user does not want to be told of: lines of the output that match are not compared.
struct IgnoredLines {
  std::vector<std::string> patterns;  // regular expressions (ECMAScript)
};

// An error if one of them is no regular expression.
Expected<void> check(const IgnoredLines& ignored);

// In what respects the two differ, as a user sees it. Two that were both ended for time or output are equal;
// of two of which one was, only that is said (kTime).
std::vector<Aspect> differing(const Behaviour& a, const Behaviour& b, const IgnoredLines& ignored);

// Whether two reports say the same of two versions of a program, in which lines have moved.
bool is_same_report(std::string_view a, std::string_view b);

}  // namespace heddle::interact
