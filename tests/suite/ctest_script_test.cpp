// Scripts that CTest reads: by CTest itself.
#include "suite/ctest_script.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "suite/ctest_list.h"
#include "support/process.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

SuiteTest test_of(const std::string& name, std::vector<std::string> argv) {
  SuiteTest test;
  test.name = name;
  test.command.argv = std::move(argv);
  return test;
}

TEST(CTestScript, IsReadAsItWasMeantWhateverTheNamesContain) {
  const std::vector<std::string> odd = {"plain",        "two words",   "semi;colon", "$VARIABLE ${X} @Y@",
                                        "quote\"d",     "back\\slash", "[brackets]", "ends with ]",
                                        "ends with ]=", "]]",          "",           "#hash (paren)"};
  std::vector<SuiteTest> tests;
  for (const std::string& word : odd) tests.push_back(test_of("case " + word, {"/bin/true", word}));
  const fs::path folder = fs::path(testing::TempDir()) / "ctest_script";
  fs::create_directories(folder);
  std::ofstream(folder / "CTestTestfile.cmake")
      << ctest_script(tests, {.prefix = "q.", .command = {"/usr/bin/env", "--"}, .labels = {"a", "b"}});
  const Expected<CapturedProcess> listed =
      capture_process({.argv = {"ctest", "--show-only=json-v1"}, .directory = folder.string()});
  ASSERT_TRUE(listed && listed->end.ok());
  const Expected<TestSuite> suite = parse_ctest_list(listed->out, folder.string());
  ASSERT_TRUE(suite) << suite.error().message;
  ASSERT_EQ(suite->tests.size(), odd.size());
  for (size_t i = 0; i < odd.size(); ++i) {
    EXPECT_EQ(suite->tests[i].name, "q.case " + odd[i]);
    EXPECT_EQ(suite->tests[i].command.argv,
              (std::vector<std::string>{"/usr/bin/env", "--", "/bin/true", odd[i]}));
    EXPECT_EQ(suite->tests[i].labels, (std::vector<std::string>{"a", "b"}));
  }
}

}  // namespace
}  // namespace heddle
