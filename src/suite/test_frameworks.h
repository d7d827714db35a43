// GoogleTest, Catch2 and doctest: which of them a program is made with, its cases, and how to run one of
// them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/process.h"

namespace heddle {

enum class TestFramework {
  kNone,
  kGoogleTest,
  kCatch2,     // version 3 and later
  kCatch2Old,  // version 2: one header, and other options
  kDoctest
};

// From the texts that every program made with it contains. `arguments` that choose cases already mean that
// somebody has taken it apart before.
TestFramework framework_of(const std::string& program, const std::vector<std::string>& arguments);

struct TestCase {
  std::string name;                    // as the framework names it: "Suite.Case"
  std::vector<std::string> arguments;  // that run it, and no other
};

// Arguments that make the program list its cases.
std::vector<std::string> list_arguments(TestFramework framework);
// Whether that is how it ends after listing them.
bool has_listed(TestFramework framework, const CommandEnd& end);
// From what it printed. Disabled and hidden cases are left out.
std::vector<TestCase> parse_list(TestFramework framework, std::string_view printed);

}  // namespace heddle
