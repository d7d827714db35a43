#include "report/suppressions.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(MatchesTemplate, APartIsEnough) {
  EXPECT_TRUE(matches_template("bump", "Statistics::bump"));
  EXPECT_FALSE(matches_template("bumps", "Statistics::bump"));
  EXPECT_FALSE(matches_template("bump", ""));
}

TEST(MatchesTemplate, AnchorsHoldTheEnds) {
  EXPECT_TRUE(matches_template("^Stat", "Statistics"));
  EXPECT_FALSE(matches_template("^tat", "Statistics"));
  EXPECT_TRUE(matches_template("tics$", "Statistics"));
  EXPECT_FALSE(matches_template("tic$", "Statistics"));
  EXPECT_TRUE(matches_template("^Statistics$", "Statistics"));
  EXPECT_FALSE(matches_template("^Statistics$", "Statistics::bump"));
}

TEST(MatchesTemplate, StarStandsForAnything) {
  EXPECT_TRUE(matches_template("legacy/*.cpp", "/src/legacy/pool.cpp"));
  EXPECT_FALSE(matches_template("legacy/*.cpp$", "/src/legacy/pool.cppm"));
  EXPECT_TRUE(matches_template("^a*b*c$", "aXbYc"));
  EXPECT_FALSE(matches_template("^a*b*c$", "aXcYb"));
  EXPECT_TRUE(matches_template("*", "anything"));
}

Suppressible race(std::string function, std::string variable = "") {
  return {.kind = "race",
          .frames = {{.function = std::move(function),
                      .file = "/src/stock.cpp",
                      .module = "/bin/stock",
                      .is_top = true},
                     {.function = "main", .file = "/src/main.cpp", .module = "/bin/stock"}},
          .variables = {std::move(variable)}};
}

Suppressions parse(std::string_view text) {
  Expected<Suppressions> parsed = Suppressions::parse(text, "file");
  EXPECT_TRUE(parsed) << (parsed ? "" : parsed.error().message);
  return parsed ? *parsed : Suppressions();
}

TEST(Suppressions, ByFunctionFileModuleAndVariable) {
  for (const char* text :
       {"race:Stock::add", "race:stock.cpp", "race:/bin/stock", "race:count_", "race:main"}) {
    EXPECT_TRUE(parse(text).suppress(race("Stock::add", "count_"))) << text;
  }
  EXPECT_FALSE(parse("race:Stock::sub").suppress(race("Stock::add", "count_")));
}

TEST(Suppressions, OfTheTopFrameOnly) {
  EXPECT_TRUE(parse("race_top:add").suppress(race("Stock::add")));
  EXPECT_FALSE(parse("race_top:main").suppress(race("Stock::add")));
}

TEST(Suppressions, OfTheLibraryThatDoesIt) {
  Suppressible access = race("memcpy_wrapper");
  access.frames[0].module = "/lib/libcopy.so";
  EXPECT_TRUE(parse("called_from_lib:libcopy").suppress(access));
  EXPECT_FALSE(parse("called_from_lib:/bin/stock").suppress(access)) << "that is further out";
  EXPECT_FALSE(parse("called_from_lib:memcpy_wrapper").suppress(access)) << "that is no library";
  for (const char* kind : {"deadlock", "misuse"}) {
    access.kind = kind;
    EXPECT_TRUE(parse("called_from_lib:libcopy").suppress(access)) << kind;
  }
  for (const char* kind : {"atomicity", "lost-wakeup", "crash"}) {
    access.kind = kind;
    EXPECT_FALSE(parse("called_from_lib:libcopy").suppress(access)) << kind;
  }
}

TEST(Suppressions, OfTheirKindOnly) {
  Suppressible deadlock = race("transfer");
  deadlock.kind = "deadlock";
  EXPECT_FALSE(parse("race:transfer").suppress(deadlock));
  EXPECT_TRUE(parse("deadlock:transfer").suppress(deadlock));
  deadlock.kind = "lost-wakeup";
  EXPECT_TRUE(parse("lost_wakeup:transfer").suppress(deadlock));
  deadlock.kind = "atomicity";
  EXPECT_TRUE(parse("atomicity:transfer").suppress(deadlock));
  deadlock.kind = "crash";
  EXPECT_FALSE(parse("race:transfer\ndeadlock:transfer\nmutex:transfer").suppress(deadlock));
}

TEST(Suppressions, TellWhichWereNotUsed) {
  Suppressions some = parse("# comment\n\nrace:add  \r\n  race:never\n");
  EXPECT_TRUE(some.suppress(race("Stock::add")));
  ASSERT_EQ(some.unused().size(), 1u);
  EXPECT_EQ(some.unused()[0].text(), "race:never");
  EXPECT_EQ(some.unused()[0].line, 4u);
}

TEST(Suppressions, OfReportsThatOnlyThreadSanitizerHasAreNotMissed) {
  EXPECT_TRUE(parse("thread:leaky_pool\nsignal:on_alarm\n").unused().empty());
}

TEST(Suppressions, BuiltInOnesAreNotMissed) {
  Suppressions all = Suppressions::built_in();
  EXPECT_FALSE(all.suppress(race("Stock::add")));
  EXPECT_TRUE(all.unused().empty());
  EXPECT_TRUE(all.suppress(race("std::_Sp_atomic<std::shared_ptr<int>>::load")));
}

TEST(Suppressions, ErrorsNameTheLine) {
  for (const auto& [text, expected] : {std::pair{"race:ok\nnonsense", "file:2: expected kind:pattern"},
                                       std::pair{"rice:x", "file:1: unknown kind of suppression 'rice'"},
                                       std::pair{"race:", "file:1: the pattern after race: is missing"}}) {
    const Expected<Suppressions> parsed = Suppressions::parse(text, "file");
    ASSERT_FALSE(parsed) << text;
    EXPECT_TRUE(parsed.error().message.starts_with(expected)) << parsed.error().message;
  }
}

}  // namespace
}  // namespace heddle
