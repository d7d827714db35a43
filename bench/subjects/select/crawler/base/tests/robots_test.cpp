#include "robots.h"

#include <gtest/gtest.h>

namespace crawl {
namespace {

struct MatchCase {
  const char* pattern;
  const char* target;
  bool matches;
};

class RobotsPattern : public testing::TestWithParam<MatchCase> {};

TEST_P(RobotsPattern, Matches) {
  EXPECT_EQ(RobotsRules::matches(GetParam().pattern, GetParam().target), GetParam().matches);
}

INSTANTIATE_TEST_SUITE_P(
    Table, RobotsPattern,
    testing::Values(MatchCase{"/", "/", true}, MatchCase{"/", "/x", true}, MatchCase{"/a", "/abc", true},
                    MatchCase{"/a/", "/abc", false}, MatchCase{"/a", "/b/a", false},
                    MatchCase{"*", "/x", true}, MatchCase{"/*.php", "/x.php", true},
                    MatchCase{"/*.php", "/x.php?y", true}, MatchCase{"/*.php$", "/x.php", true},
                    MatchCase{"/*.php$", "/x.php?y", false}, MatchCase{"/$", "/", true},
                    MatchCase{"/$", "/x", false}, MatchCase{"/a*b*c", "/axxbyyc", true},
                    MatchCase{"/a*b*c", "/acb", false}, MatchCase{"/a**b", "/ab", true},
                    MatchCase{"/A", "/a", false}, MatchCase{"*$", "/x", true},
                    MatchCase{"/aa*a$", "/aa", false}, MatchCase{"/aa*a$", "/aaa", true}));

struct AllowCase {
  const char* text;
  const char* target;
  bool allowed;
};

class RobotsAllow : public testing::TestWithParam<AllowCase> {};

TEST_P(RobotsAllow, Decides) {
  EXPECT_EQ(RobotsRules::parse(GetParam().text, "heron").allows(GetParam().target), GetParam().allowed);
}

constexpr const char* kGroups =
    "User-agent: *\nDisallow: /all\n\nUser-agent: Heron\nUser-agent: other\nDisallow: /own\n";
constexpr const char* kOverlap =
    "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c\nAllow: /x\nDisallow: /x\n";

INSTANTIATE_TEST_SUITE_P(
    Table, RobotsAllow,
    testing::Values(AllowCase{"", "/x", true}, AllowCase{"User-agent: *\nDisallow: /\n", "/x", false},
                    AllowCase{"User-agent: *\nDisallow:\n", "/x", true},
                    AllowCase{"User-agent: *\nDisallow: /\n", "/robots.txt", true},
                    AllowCase{kGroups, "/all", true}, AllowCase{kGroups, "/own", false},
                    AllowCase{kGroups, "/free", true}, AllowCase{kOverlap, "/a", false},
                    AllowCase{kOverlap, "/a/b", true}, AllowCase{kOverlap, "/a/b/c", false},
                    AllowCase{kOverlap, "/x", true}, AllowCase{kOverlap, "/y", true},
                    AllowCase{"user-AGENT : * # all\r\nDISALLOW : /x # no\r\n", "/x", false},
                    AllowCase{"rubbish\nUser-agent: *\nNoise: 1\nDisallow: /x\n", "/x", false},
                    AllowCase{"Disallow: /x\n", "/x", true},
                    AllowCase{"User-agent: other\nDisallow: /x\n", "/x", true}));

TEST(RobotsRules, DelayAndSitemaps) {
  const RobotsRules rules =
      RobotsRules::parse("Sitemap: http://a/s.xml\nUser-agent: *\nCrawl-delay: 1.5\nDisallow: /x\n", "heron");
  EXPECT_EQ(rules.crawl_delay(), 1500);
  EXPECT_EQ(rules.sitemaps(), std::vector<std::string>{"http://a/s.xml"});
  EXPECT_EQ(rules.size(), 1U);
  EXPECT_FALSE(RobotsRules::allow_all().crawl_delay().has_value());
}

TEST(RobotsRules, DisallowAllForbidsEverything) {
  EXPECT_FALSE(RobotsRules::disallow_all().allows("/"));
  EXPECT_TRUE(RobotsRules::allow_all().allows("/"));
}

}  // namespace
}  // namespace crawl
