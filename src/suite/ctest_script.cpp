#include "suite/ctest_script.h"

#include <fmt/format.h>

namespace heddle {
namespace {

// A bracket argument: nothing in it means anything to CMake, but for its own end, and a line end at its
// beginning.
std::string quoted(const std::string& word) {
  std::string equals;
  while (word.find("]" + equals + "]") != std::string::npos || word.ends_with("]" + equals)) equals += '=';
  return fmt::format("[{0}[{1}{2}]{0}]", equals, word.starts_with('\n') ? "\n" : "", word);
}

}  // namespace

std::string ctest_script(const std::vector<SuiteTest>& tests, const CTestScriptOptions& options) {
  std::string script;
  for (const SuiteTest& test : tests) {
    const std::string name = quoted(options.prefix + test.name);
    script += fmt::format("add_test({}", name);
    for (const std::vector<std::string>* words : {&options.command, &test.command.argv})
      for (const std::string& word : *words) script += " " + quoted(word);
    script += ")\n";
    std::string properties;
    if (!test.command.directory.empty()) properties += " WORKING_DIRECTORY " + quoted(test.command.directory);
    if (!options.labels.empty())
      properties += " LABELS " + quoted(fmt::format("{}", fmt::join(options.labels, ";")));
    if (!properties.empty())
      script += fmt::format("set_tests_properties({} PROPERTIES{})\n", name, properties);
  }
  return script;
}

}  // namespace heddle
