// Branches of real programs are found in the flow.
#include "interact/search/site_map.h"

#include <cstdio>
#include <set>

#include <gtest/gtest.h>

#include "searched_program.h"
#include "tools.h"

namespace heddle::interact {
namespace {

using concolic::Site;
using concolic::SiteKind;
using Match = SiteMap::Match;

bool decides(const Site& site) {
  return !site.in_library && (site.kind == SiteKind::kBranch || site.kind == SiteKind::kSwitchCase);
}

// Of the branches in the program's own file.
double share_that_maps_exactly(SearchedProgram& searched, const std::string& file) {
  const std::vector<Site>& sites = searched.runner().sites();
  const SiteMap map(searched.graph(), sites);
  size_t all = 0;
  size_t exact = 0;
  for (uint32_t i = 0; i < sites.size(); ++i) {
    if (!decides(sites[i]) || !sites[i].file.ends_with("/" + file)) continue;
    ++all;
    const SiteMap::Mapped& mapped = map.of(i);
    exact += mapped.match == Match::kExact ? 1 : 0;
    EXPECT_NE(mapped.match, Match::kNowhere) << sites[i].place.line;
    EXPECT_FALSE(mapped.if_taken.empty());
    EXPECT_FALSE(mapped.if_not_taken.empty());
    EXPECT_LE(searched.graph().statements[mapped.statement].range.first_line, sites[i].place.line);
    EXPECT_GE(searched.graph().statements[mapped.statement].range.last_line, sites[i].place.line);
  }
  std::printf("%s: %zu of %zu branches are at their statement\n", file.c_str(), exact, all);
  EXPECT_GT(all, 10u);
  return static_cast<double>(exact) / static_cast<double>(all);
}

TEST(SiteMap, NearlyAllBranchesOfACProgramAreAtTheirStatement) {
  SearchedProgram searched("map-c", "main.c", kFieldCutter,
                           {{"limit = strtoul(optarg, NULL, 10)", "limit = 0"}});
  EXPECT_GE(share_that_maps_exactly(searched, "main.c"), 0.95);
}

TEST(SiteMap, NearlyAllBranchesOfACxxProgramAreAtTheirStatement) {
  SearchedProgram searched("map-cxx", "main.cpp", kWordCounter, {{"special_ = true", "special_ = false"}});
  EXPECT_GE(share_that_maps_exactly(searched, "main.cpp"), 0.95);
}

const char kShapes[] = R"(#include <stdlib.h>
#define BOTH(a, b) ((a) && (b))
static int twice(int c) {
  if (c == 'q') return 1;  // Q
  return 2;  // NOT-Q
}
int main(int argc, char** argv) {
  const char* text = argv[1];
  int n = 0;
  for (int i = 0; text[i] != '\0'; ++i) n += 3;  // BODY
  if (text[0] == 'a' && text[1] == 'b') n = 1; else n = 2;  // LINE
  if (BOTH(text[0] == 'x', text[1] == 'y'))
    n = 4;  // MACRO
  switch (text[2]) {
    case 'u': n = 5; break;  // CASE-U
    case 'v': n = 6; break;  // CASE-V
    default: n = 7;  // DEFAULT
  }
  while (n < atoi(text))
    ++n;  // WHILE
  return n + twice(text[3]);  // RETURN
}
)";

class SiteMapShapes : public testing::Test {
 protected:
  SiteMapShapes()
      : searched_("map-shapes", "main.c", kShapes, {{"n = 7", "n = 8"}}),
        map_(searched_.graph(), searched_.runner().sites()) {}

  // Where the branches of a line go: the statements of either side, by their lines.
  std::set<uint32_t> lines_after(uint32_t line, bool side) {
    std::set<uint32_t> lines;
    const std::vector<Site>& sites = searched_.runner().sites();
    for (uint32_t i = 0; i < sites.size(); ++i) {
      if (!decides(sites[i]) || sites[i].place.line != line) continue;
      for (const PointIndex p : side ? map_.of(i).if_taken : map_.of(i).if_not_taken)
        if (const StatementIndex s = searched_.graph().flow.flow.points[p].statement; s != kNone)
          lines.insert(searched_.graph().statements[s].range.first_line);
    }
    return lines;
  }

  SearchedProgram searched_;
  SiteMap map_;
};

TEST_F(SiteMapShapes, SidesOfBranchesLeadToTheirStatements) {
  EXPECT_TRUE(lines_after(4, true).contains(4));
  EXPECT_TRUE(lines_after(4, false).contains(5));
  EXPECT_TRUE(lines_after(12, true).contains(13));
  EXPECT_TRUE(lines_after(12, false).contains(14));
  EXPECT_TRUE(lines_after(14, true).contains(15));
  EXPECT_TRUE(lines_after(14, true).contains(16));
  EXPECT_TRUE(lines_after(14, false).contains(17));
  EXPECT_TRUE(lines_after(19, true).contains(20) || lines_after(19, false).contains(20));
  EXPECT_TRUE(lines_after(19, true).contains(21) || lines_after(19, false).contains(21));
}

TEST_F(SiteMapShapes, StatementsOfOneLineAreToldApart) {
  std::set<std::string> then;
  const std::vector<Site>& sites = searched_.runner().sites();
  for (uint32_t i = 0; i < sites.size(); ++i) {
    if (!decides(sites[i]) || sites[i].place.line != 11) continue;
    for (const auto* side : {&map_.of(i).if_taken, &map_.of(i).if_not_taken})
      for (const PointIndex p : *side)
        then.insert(searched_.graph().statements[searched_.graph().flow.flow.points[p].statement].text);
  }
  EXPECT_TRUE(then.contains("n = 1 ;") || then.contains("n = 1")) << *then.begin();
  EXPECT_TRUE(then.contains("n = 2 ;") || then.contains("n = 2")) << *then.rbegin();
}

// What the compiler has kept no place of.
TEST_F(SiteMapShapes, WithoutAPlaceTheNearestStandsForIt) {
  std::vector<Site> sites(4);
  for (Site& site : sites) site.file = searched_.runner().sites().front().file;
  sites[0].function = "main";
  sites[0].place = {11, 1};
  sites[1].function = "twice";
  sites[1].place = {500, 1};
  sites[2].function = "twice";
  sites[2].file = "/elsewhere/other.c";
  sites[2].place = {1, 1};
  sites[3].function = "nobody";
  sites[3].file = "/elsewhere/other.c";
  const SiteMap map(searched_.graph(), sites);
  EXPECT_EQ(map.of(0).match, Match::kLine);
  EXPECT_EQ(searched_.graph().statements[map.of(0).statement].range.first_line, 11u);
  EXPECT_EQ(map.of(1).match, Match::kFunction);
  EXPECT_GE(searched_.graph().statements[map.of(1).statement].range.first_line, 5u);
  EXPECT_LE(searched_.graph().statements[map.of(1).statement].range.first_line, 6u);
  EXPECT_EQ(map.of(2).match, Match::kFunction);
  EXPECT_FALSE(map.of(2).points.empty());
  EXPECT_EQ(map.of(3).match, Match::kNowhere);
  EXPECT_TRUE(map.of(3).points.empty());
}

}  // namespace
}  // namespace heddle::interact
