#include "symbolize/trace_symbols.h"

#include <gtest/gtest.h>

#include "fake_symbolizer.h"
#include "trace/trace_builder.h"

namespace heddle {
namespace {

using trace::Trace;
using trace::TraceBuilder;

const Frame kMutexLock{"std::mutex::lock", "std::mutex::lock()", "/usr/include/c++/12/bits/std_mutex.h", 100,
                       0};

std::vector<std::string> functions(const std::vector<StackFrame>& stack) {
  std::vector<std::string> names;
  for (const StackFrame& frame : stack) names.push_back(frame.frame.function);
  return names;
}

TEST(TraceSymbols, StackIsSiteThenCallSitesWithInlinedFrames) {
  TraceBuilder builder;
  auto main = builder.main_thread();
  main.call(30).call(20).read(builder.global()).at(10).leave().leave();
  FakeSymbolizer symbolizer;
  symbolizer.function("main", 30, 30).function("transfer", 20, 20);
  symbolizer.frames(10, {{"get", "get()", "bank.h", 3, 1}, {"balance", "balance()", "bank.h", 9, 1}});
  Trace trace = builder.build();
  TraceSymbols symbols(trace, symbolizer);
  const auto& event = trace.events()[0];
  EXPECT_EQ(functions(symbols.stack(event.site, event.context)),
            (std::vector<std::string>{"get", "balance", "transfer", "main"}));
}

TEST(TraceSymbols, RuntimeFramesAreNotPartOfAStack) {
  TraceBuilder builder;
  auto main = builder.main_thread();
  main.call(20).read(builder.global()).at(10).leave();
  FakeSymbolizer symbolizer;
  symbolizer.function("main", 20, 20).frames(10, {{"__tsan_read8", "__tsan_read8", "", 0, 0}});
  Trace trace = builder.build();
  TraceSymbols symbols(trace, symbolizer);
  const auto& event = trace.events()[0];
  EXPECT_EQ(functions(symbols.stack(event.site, event.context)), std::vector<std::string>{"main"});
}

TEST(TraceSymbols, LineOfInterestIsInUserCodeWhetherInlinedOrCalled) {
  TraceBuilder builder;
  auto main = builder.main_thread();
  main.call(20).lock(builder.global()).at(10).leave();
  main.lock(builder.global()).at(11);
  FakeSymbolizer symbolizer;
  symbolizer.function("transfer", 20, 20).frames(10, {kMutexLock});
  symbolizer.frames(11, {kMutexLock, {"audit", "audit()", "bank.cpp", 50, 5}});
  Trace trace = builder.build();
  TraceSymbols symbols(trace, symbolizer);
  EXPECT_EQ(symbols.site_text(trace.events()[0].site, trace.events()[0].context), "transfer bank.cpp:20:7");
  EXPECT_EQ(symbols.site_text(trace.events()[1].site, trace.events()[1].context), "audit bank.cpp:50:5");
}

TEST(TraceSymbols, LineOfInterestFallsBackToTheInnermostFrame) {
  TraceBuilder builder;
  builder.main_thread().lock(builder.global()).at(10).lock(builder.global()).at(0x99);
  FakeSymbolizer symbolizer;
  symbolizer.frames(10, {kMutexLock});
  Trace trace = builder.build();
  TraceSymbols symbols(trace, symbolizer);
  EXPECT_EQ(symbols.site_text(trace.events()[0].site), "std::mutex::lock std_mutex.h:100");
  EXPECT_EQ(symbols.site_text(trace.events()[1].site), "prog+0x99");
  EXPECT_EQ(symbols.function_identity(trace.events()[1].site, 0), "prog");
  EXPECT_EQ(symbols.site_text(0), "");
}

TEST(TraceSymbols, NamesLocations) {
  TraceBuilder builder;
  auto main = builder.main_thread();
  auto lock = builder.global(40);
  auto unnamed = builder.global();
  auto local = builder.stack(main);
  auto account = main.allocate(48);
  main.at(20);
  FakeSymbolizer symbolizer;
  symbolizer.function("open_account", 20, 20).variable("account_lock", lock.offset, 40);
  Trace trace = builder.build();
  TraceSymbols symbols(trace, symbolizer);
  EXPECT_EQ(symbols.location_text(lock.object, lock.offset), "`account_lock`");
  EXPECT_EQ(symbols.location_text(lock.object, lock.offset + 8), "`account_lock+8`");
  EXPECT_EQ(symbols.location_text(unnamed.object, unnamed.offset), "`prog+0x28`");
  EXPECT_EQ(symbols.location_text(local.object, local.offset), "a variable on the stack of main");
  EXPECT_EQ(symbols.location_text(account.object, 16),
            "field at +16 of the 48-byte object allocated at bank.cpp:20 by open_account");
  EXPECT_EQ(symbols.location_text(account.object, 0),
            "the 48-byte object allocated at bank.cpp:20 by open_account");
  EXPECT_EQ(symbols.location_label(lock.object, lock.offset), "account_lock");
  EXPECT_EQ(symbols.location_label(local.object, local.offset), "stack(main)-8");
  EXPECT_EQ(symbols.location_identity(account.object, 16), "heap open_account+16");
  EXPECT_EQ(symbols.location_identity(unnamed.object, unnamed.offset), "global");
}

TEST(TraceSymbols, NamesMembersAndLocalVariablesByTheLinesThatUseThem) {
  TraceBuilder builder;
  auto main = builder.main_thread();
  auto counter = builder.stack(main, 4);
  auto account = main.allocate(48);
  main.at(20);
  main.write(account.part(40, 8)).at(21).write(account.part(8, 8)).at(21).write(counter).at(22);
  FakeSymbolizer symbolizer;
  symbolizer.function("open_account", 20, 22).name({.name = "counter", .size = 4});
  symbolizer.name({.name = "balance", .owner = "Account", .owner_size = 48, .offset = 40, .size = 8});
  Trace trace = builder.build();
  TraceSymbols symbols(trace, symbolizer);
  symbols.sources.provide("bank.cpp", std::string(20, '\n') + "account->balance = 0;\n++counter;\n");
  EXPECT_EQ(symbols.location_text(account.object, 40),
            "`balance` of the 48-byte Account allocated at bank.cpp:20 by open_account");
  EXPECT_EQ(symbols.location_text(account.object, 8),
            "field at +8 of the 48-byte object allocated at bank.cpp:20 by open_account");
  EXPECT_EQ(symbols.location_text(counter.object, counter.offset), "`counter` on the stack of main");
}

TEST(TraceSymbols, ThreadsShowTheNameTheProgramGaveThem) {
  TraceBuilder builder;
  auto worker = builder.main_thread().fork();
  builder.tables().threads[worker.index()].name = builder.tables().add_string("worker");
  Trace trace = builder.build();
  FakeSymbolizer symbolizer;
  TraceSymbols symbols(trace, symbolizer);
  EXPECT_EQ(symbols.thread_text(0), "main");
  EXPECT_EQ(symbols.thread_text(worker.index()), "main/1 (worker)");
}

TEST(TraceSymbols, OutcomeStackPrefersTheMachinesStack) {
  TraceBuilder builder;
  auto main = builder.main_thread();
  main.read(builder.global()).at(10);
  builder.outcome(trace::OutcomeKind::kCrash, main);
  auto& outcome = builder.tables().outcome;
  outcome.site = builder.site(10);
  FakeSymbolizer symbolizer;
  symbolizer.function("transfer", 10, 10).function("main", 20, 20);
  {
    Trace trace = builder.build();
    TraceSymbols symbols(trace, symbolizer);
    EXPECT_EQ(functions(symbols.outcome_stack()), std::vector<std::string>{"transfer"});
  }
  outcome.stack_size = 2;
  outcome.stack[0] = builder.site(10);
  outcome.stack[1] = builder.site(20);
  Trace trace = builder.build();
  TraceSymbols symbols(trace, symbolizer);
  EXPECT_EQ(functions(symbols.outcome_stack()), (std::vector<std::string>{"transfer", "main"}));
}

TEST(TraceSymbols, ReportsModulesWithoutNamesOnce) {
  TraceBuilder builder;
  builder.main_thread().read(builder.global()).at(10).read(builder.global()).at(11);
  Trace trace = builder.build();
  FakeSymbolizer symbolizer;
  symbolizer.set_problem("prog has been rebuilt since");
  TraceSymbols symbols(trace, symbolizer);
  EXPECT_EQ(symbols.problems(), std::vector<std::string>{"prog has been rebuilt since"});
}

}  // namespace
}  // namespace heddle
