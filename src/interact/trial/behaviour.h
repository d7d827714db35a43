// Behaviour: what a program shows of itself on an input.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace heddle::interact {

struct Behaviour {
  std::string out;
  std::string err;  // the program's own name in it is "PROGRAM"
  int exit_code = 0;
  int signal = 0;
  bool timed_out = false;
  bool wrote_too_much = false;               // it was ended for that; `out` and `err` are beginnings
  std::string report;                        // a sanitizer's, in a line: "heap-buffer-overflow in f at a.c:3"
  std::map<std::string, std::string> files;  // that it left in its folder, by name

  // A crash, a failed assertion, a sanitizer's report: wrong, whatever was expected.
  bool is_failure() const { return signal != 0 || !report.empty(); }
};

enum class Aspect { kOut, kErr, kExit, kCrash, kReport, kFiles, kTime };

// What a user does not want to be told of: lines of the output that match are not compared.
struct IgnoredLines {
  std::vector<std::string> patterns;  // regular expressions (ECMAScript)
};

// In what respects the two differ, as a user sees it. Two that were both ended for time or output are equal.
std::vector<Aspect> differing(const Behaviour& a, const Behaviour& b, const IgnoredLines& ignored);

}  // namespace heddle::interact
