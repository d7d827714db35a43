#include "report/suppressible_story.h"

#include <gtest/gtest.h>

#include "../symbolize/fake_symbolizer.h"
#include "report/finding.h"
#include "report/tellers.h"
#include "trace/trace_builder.h"

namespace heddle {
namespace {

using trace::OutcomeKind;

// Offsets of the program are lines: bump() on 10, called by known() on 20 or by fresh() on 30; main() starts
// threads on 40. call_back() on 50 is in a library.
FakeSymbolizer symbols() {
  FakeSymbolizer names;
  names.function("bump", 10, 10).function("known", 20, 20).function("fresh", 30, 30);
  names.function("main", 40, 40).function("call_back", 50, 50);
  names.variable("slots", 0, 64);
  return names;
}

// Two threads increment at +8 of `slots` in bump(), called on these lines.
trace::RaceRecord add_race(trace::TraceBuilder& b, const std::vector<uint64_t>& calls) {
  const auto slot = b.global(64).part(8, 4);
  auto main = b.main_thread();
  trace::RaceRecord race{};
  race.object = slot.object;
  for (trace::RaceAccess* access : {&race.first, &race.second}) {
    auto thread = main.fork();
    main.at(40);
    for (const uint64_t line : calls) thread.call(line);
    thread.write(slot).at(10);
    const trace::EventRecord& event = b.tables().events.back();
    *access = {.thread = event.thread,
               .site = event.site,
               .context = event.context,
               .size = event.size,
               .offset = event.offset,
               .event = b.tables().events.size(),
               .kind = event.kind};
  }
  for (trace::ThreadRecord& thread : b.tables().threads) thread.create_site = b.site(40);
  b.tables().races.push_back(race);
  return race;
}

bool suppresses(const std::string& text, const trace::Trace& trace, const trace::RaceRecord& race) {
  FakeSymbolizer names = symbols();
  ReportContext context(trace, names);
  Expected<Suppressions> suppressions = Suppressions::parse(text, "file");
  EXPECT_TRUE(suppressions);
  return suppressions->suppress(suppressible(context, tell_race(context, race), OutcomeKind::kRace));
}

TEST(SuppressibleStory, EveryFrameHasTheModuleOfItsOwn) {
  trace::TraceBuilder b("/bin/prog");
  const trace::RaceRecord race = add_race(b, {50, 20});
  const auto library = static_cast<uint32_t>(b.tables().modules.size());
  b.tables().modules.push_back({.path = b.tables().add_string("/lib/libcb.so"), .build_id = 0, .size = 4096});
  b.tables().sites[b.site(50)].module = library;
  const trace::Trace trace = b.build();
  for (const char* text : {"race:libcb.so", "race:/bin/prog", "race:call_back", "race:^known()$",
                           "race:^known$", "race:bank.cpp", "race_top:bump", "called_from_lib:/bin/prog"}) {
    EXPECT_TRUE(suppresses(text, trace, race)) << text;
  }
  for (const char* text : {"race_top:libcb.so", "race_top:known", "called_from_lib:libcb.so"})
    EXPECT_FALSE(suppresses(text, trace, race)) << text;
}

TEST(SuppressibleStory, WhereThreadsWereCreatedIsNotLookedAt) {
  trace::TraceBuilder b;
  const trace::RaceRecord race = add_race(b, {20});
  EXPECT_FALSE(suppresses("race:main", b.build(), race)) << "as with ThreadSanitizer";
}

TEST(SuppressibleStory, APartOfAGlobalIsNamedByTheWhole) {
  trace::TraceBuilder b("/bin/prog");
  const trace::RaceRecord race = add_race(b, {20});
  const trace::Trace trace = b.build();
  EXPECT_TRUE(suppresses("race:^slots$", trace, race));
  EXPECT_TRUE(suppresses("race:^slots+8$", trace, race));
  EXPECT_FALSE(suppresses("race:^slot$", trace, race));
}

}  // namespace
}  // namespace heddle
