#include "check/reached_code.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

StatementMap map_of(const std::string& before, const std::string& after) {
  StatementMap::Files files;
  files.base.push_back(parse_source("a.cpp", before));
  files.head.push_back(parse_source("a.cpp", after));
  return StatementMap(std::move(files));
}

// Lines of a.cpp.
std::vector<uint32_t> unreached_lines(const ReachedCode& code, const StatementMap& map) {
  std::vector<uint32_t> lines;
  for (const StatementId& id : code.unreached()) lines.push_back(map.find_head(id)->range.first_line);
  return lines;
}

using Lines = std::vector<uint32_t>;

// As if every line of the function had a block of its own.
ReachedCode visible_code(const StatementMap& map) {
  ReachedCode code(map);
  for (uint32_t line = 1; line < 20; ++line)
    for (uint32_t column = 1; column < 20; ++column) code.can_show("a.cpp", line, column);
  return code;
}

TEST(ReachedCode, IsAllThatIsUnderTheSameCondition) {
  const StatementMap map = map_of("int f(int n) {\n  return n;\n}\nint g() {\n  return 1;\n}\n",
                                  "int f(int n) {\n  if (n > 1) {\n    ++n;\n    n += 2;\n  } else {\n"
                                  "    n += 3;\n  }\n  return n;\n}\nint g() {\n  return 2;\n}\n");
  ReachedCode code = visible_code(map);
  EXPECT_TRUE(code.unreached().empty()) << "functions that are not entered do not count";
  code.reach("a.cpp", 8, 3);
  EXPECT_EQ(unreached_lines(code, map), (Lines{3, 4, 6}));
  code.reach("a.cpp", 4, 5);
  EXPECT_EQ(unreached_lines(code, map), Lines{6});
  code.reach("a.cpp", 6, 5);
  EXPECT_TRUE(code.unreached().empty());
  code.reach("a.cpp", 9, 1);
  code.reach("other.cpp", 1, 1);
  EXPECT_TRUE(code.unreached().empty());
}

TEST(ReachedCode, IncludesTheConditionsThatLedThere) {
  const StatementMap map =
      map_of("int f(int n) {\n  return n;\n}\n",
             "int f(int n) {\n  if (n > 1) {\n    n += 2;\n    if (n > 2) {\n      ++n;\n"
             "    }\n  }\n  return n;\n}\n");
  ReachedCode code = visible_code(map);
  code.reach("a.cpp", 5, 7);
  EXPECT_TRUE(code.unreached().empty());
}

TEST(ReachedCode, LeavesOutWhatWouldNotShow) {
  const StatementMap map = map_of("int f(int n) {\n  return n;\n}\n",
                                  "int f(int n) {\n  if (n > 1)\n    n = 2;\n  if (n > 2)\n    n = 3;\n"
                                  "  return n;\n}\n");
  ReachedCode code(map);
  code.reach("a.cpp", 1, 1);
  code.reach("a.cpp", 6, 3);
  EXPECT_TRUE(code.unreached().empty());
  code.can_show("a.cpp", 5, 5);
  EXPECT_EQ(unreached_lines(code, map), Lines{5});
}

}  // namespace
}  // namespace heddle
