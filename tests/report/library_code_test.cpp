// How reports deal with code that is not the user's: system headers, and libraries that are not instrumented.
#include <sstream>

#include <gtest/gtest.h>

#include "../symbolize/fake_symbolizer.h"
#include "report/event_facts.h"
#include "report/interleaving.h"
#include "report/terminal.h"
#include "trace/trace_builder.h"

namespace heddle {
namespace {

using trace::EventKind;
using trace::OutcomeKind;
using trace::Trace;
using trace::TraceBuilder;

Frame header_frame(const std::string& function) {
  return {function, function + "()", "/usr/include/c++/12/bits/std_thread.h", 200, 0};
}

// A site in libstdc++.so.
uint32_t library_site(TraceBuilder& builder) {
  auto& tables = builder.tables();
  tables.modules.push_back({tables.add_string("/lib/x86_64-linux-gnu/libstdc++.so.6"), 0, 1 << 20});
  tables.sites.push_back({0x500, static_cast<uint32_t>(tables.modules.size() - 1), 0});
  return static_cast<uint32_t>(tables.sites.size() - 1);
}

TEST(LibraryCode, StepsOfLibrariesForThemselvesAreNotShown) {
  TraceBuilder builder;
  auto x = builder.global();
  builder.main_thread().write(x).at(10).write(x).at(900).write(x).at(11);
  builder.outcome(OutcomeKind::kAssertion, builder.main_thread());
  FakeSymbolizer symbolizer;
  symbolizer.function("work", 10, 11).frames(900, {header_frame("std::__invoke_impl")});
  Trace trace = builder.build();
  ReportContext context(trace, symbolizer);
  Interleaving interleaving = select_interleaving(context, *tell_failure(context));
  ASSERT_EQ(interleaving.rows.size(), 2u);
  EXPECT_EQ(interleaving.rows[1].step.event, 2u);
}

TEST(LibraryCode, SynchronisationInLibrariesIsShownAsWhatItDoes) {
  TraceBuilder builder;
  auto main = builder.main_thread();
  auto child = main.fork();
  main.at(10).join(child).at(900);
  builder.outcome(OutcomeKind::kAssertion, main);
  FakeSymbolizer symbolizer;
  symbolizer.function("main", 10, 10).frames(900, {header_frame("std::thread::join")});
  Trace trace = builder.build();
  ReportContext context(trace, symbolizer);
  FailureStory story = *tell_failure(context);
  std::ostringstream out;
  Finding finding = make_finding(context, story);
  finding.evidence = std::make_shared<const Evidence>(make_evidence(context, story, {}));
  render_terminal(out, finding, {});
  EXPECT_NE(out.str().find("join main/1"), std::string::npos) << out.str();
  EXPECT_EQ(out.str().find("std_thread.h"), std::string::npos) << out.str();
}

TEST(LibraryCode, FailureInsideALibraryIsPutAfterTheLastLineOfItsCaller) {
  TraceBuilder builder;
  auto x = builder.global();
  auto main = builder.main_thread();
  main.call(30).read(x).at(20);            // sell(), called by main in line 30
  main.call(21).write(x).at(900).leave();  // something it called in line 21, which has returned
  uint32_t context = builder.tables().events[0].context;
  builder.outcome(OutcomeKind::kException, main, "St13runtime_error: sold out");
  builder.tables().outcome.site = library_site(builder);
  builder.tables().outcome.context = context;
  FakeSymbolizer symbolizer;
  symbolizer.function("main", 30, 30)
      .function("sell", 20, 21)
      .frames(900, {header_frame("std::atomic::store")});
  Trace trace = builder.build();
  ReportContext report(trace, symbolizer);
  FailureStory story = *tell_failure(report);
  EXPECT_EQ(report.place_text(story.places.at(0)), "after bank.cpp:21 in sell");
  EXPECT_EQ(story.details.at(0).lines,
            (std::vector<std::string>{"#0  sell  bank.cpp:21", "#1  main  bank.cpp:30"}));
  EXPECT_EQ(make_finding(report, story).sites.at(0).function, "sell");
}

TEST(LibraryCode, WhatStdThreadPassesOnIsNoSharedData) {
  TraceBuilder builder;
  auto main = builder.main_thread();
  auto state = main.call(10).allocate(16);
  main.at(900).write(state).at(900).leave();
  auto child = main.fork();
  child.read(state).at(20);
  builder.outcome(OutcomeKind::kAssertion, child);
  FakeSymbolizer symbolizer;
  symbolizer.function("main", 10, 10)
      .function("work", 20, 20)
      .frames(900, {header_frame("std::thread::thread")});
  Trace trace = builder.build();
  TraceSymbols symbols(trace, symbolizer);
  EXPECT_TRUE(symbols.is_thread_state(state.object));
  EXPECT_TRUE(recent_conflicts(symbols, child.index()).empty());
}

}  // namespace
}  // namespace heddle
