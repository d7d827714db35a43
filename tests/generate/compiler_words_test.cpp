// What compilers say, read back to the lines that they mean.
#include "generate/compiler_words.h"

#include <gtest/gtest.h>

namespace heddle::generate {
namespace {

TEST(CompilerWords, AreFollowedFromTemplatesInBothDialects) {
  const CompilerErrors gcc = read_compiler_words(
      "In file included from /d/calls.cpp:3:\n"
      "/inc/queue.h: In instantiation of 'T as(int) [with T = int]':\n"
      "/d/calls.cpp:40:30:   required from here\n"
      "/inc/queue.h:12:7: error: request for member 'missing'\n"
      "   12 |  x.missing();\n"
      "/inc/queue.h:9:7: note: declared here\n"
      "/d/calls.cpp: In function 'void call_3()':\n"
      "/d/calls.cpp:51:9: error: no match for call\n"
      "/d/calls.cpp:51:9: error: and another\n",
      "/d/calls.cpp");
  EXPECT_EQ(gcc.by_line, (std::map<uint32_t, std::string>{{40, "request for member 'missing'"},
                                                          {51, "no match for call"}}));
  EXPECT_TRUE(gcc.elsewhere.empty());

  const CompilerErrors clang = read_compiler_words(
      "/inc/queue.h:12:7: error: no member named 'missing'\n"
      "/inc/other.h:5:7: note: in instantiation of member function 'a' requested here\n"
      "/d/calls.cpp:40:30: note: in instantiation of function template 'as<int>' requested here\n"
      "/d/calls.cpp:51:9: error: no matching function\n"
      "/inc/queue.h:80:7: error: this header is broken\n"
      "/inc/queue.h:81:7: fatal error: and this\n",
      "/d/calls.cpp");
  EXPECT_EQ(clang.by_line, (std::map<uint32_t, std::string>{{40, "no member named 'missing'"},
                                                            {51, "no matching function"}}));
  EXPECT_EQ(clang.elsewhere.size(), 2u);
}

}  // namespace
}  // namespace heddle::generate
