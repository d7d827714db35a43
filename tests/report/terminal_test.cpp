#include "report/terminal.h"

#include <cstdlib>
#include <sstream>

#include <gtest/gtest.h>

#include "golden.h"
#include "report/columns.h"
#include "report/text.h"
#include "sample_traces.h"

namespace heddle {
namespace {

std::string render(const trace::Trace& trace, TerminalOptions options = {}, bool with_source = true,
                   const ChangedLines& changed = {}) {
  FakeSymbolizer symbolizer = bank_symbols();
  ReportContext context(trace, symbolizer);
  if (with_source) context.sources.provide("bank.cpp", bank_source());
  std::optional<FailureStory> story = tell_failure(context);
  if (!story) return {};
  Finding finding = make_finding(context, *story);
  finding.schedule = "/tmp/bank.schedule";
  finding.evidence = std::make_shared<const Evidence>(make_evidence(
      context, *story,
      {.scope = {.root = {}, .changed = &changed}, .columns = columns_that_fit(options.width)}));
  std::ostringstream out;
  render_terminal(out, finding, options);
  return out.str();
}

size_t count_lines(const std::string& text) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(TerminalReport, Deadlock) {
  expect_golden("deadlock.txt", render(deadlock_trace()));
}

TEST(TerminalReport, DeadlockInACircleShowsOnlyTheThreadsInIt) {
  expect_golden("circle.txt", render(circle_trace(), {.width = 140}));
}

TEST(TerminalReport, DeadlockOfOneThread) {
  expect_golden("self_deadlock.txt", render(self_deadlock_trace()));
}

TEST(TerminalReport, LostWakeup) {
  expect_golden("lost_wakeup.txt", render(lost_wakeup_trace()));
}

TEST(TerminalReport, TellsWhatWasInjected) {
  expect_golden("injected.txt", render(injected_trace()));
}

TEST(TerminalReport, LostWakeupThatWentToAnotherWaiter) {
  expect_golden("stolen_wakeup.txt", render(stolen_wakeup_trace()));
}

TEST(TerminalReport, Assertion) {
  expect_golden("assertion.txt", render(assertion_trace()));
}

TEST(TerminalReport, Crash) {
  expect_golden("crash.txt", render(crash_trace()));
}

TEST(TerminalReport, Exception) {
  expect_golden("exception.txt", render(exception_trace()));
}

TEST(TerminalReport, Livelock) {
  expect_golden("livelock.txt", render(livelock_trace()));
}

TEST(TerminalReport, Misuse) {
  expect_golden("misuse.txt", render(misuse_trace()));
}

TEST(TerminalReport, ExitCode) {
  expect_golden("exit_code.txt", render(exit_code_trace()));
}

TEST(TerminalReport, OperationsStandInForMissingSource) {
  expect_golden("no_source.txt", render(deadlock_trace(), {}, /*with_source=*/false));
}

TEST(TerminalReport, LongExecutionsAreCutToWhatMatters) {
  std::string text = render(long_trace());
  expect_golden("long.txt", text);
  EXPECT_LT(count_lines(text), 60u);
}

TEST(TerminalReport, LongFileNamesAreCutButNotTheLine) {
  FakeSymbolizer symbolizer = bank_symbols();
  symbolizer.frames(10, {{"transfer", "transfer()", "a_very_long_file_name.cpp", 1234, 7}});
  std::ostringstream out;
  trace::Trace trace = deadlock_trace();
  Finding finding = *make_finding(trace, symbolizer);
  add_evidence(&finding, trace, symbolizer, {.columns = columns_that_fit(80)});
  render_terminal(out, finding, {.width = 80});
  EXPECT_NE(out.str().find(" a_very_…:1234 "), std::string::npos) << out.str();
}

TEST(TerminalReport, ColumnsFollowTheWidth) {
  for (size_t width : {80, 120, 200}) {
    std::istringstream lines(render(assertion_trace(), {.width = width}));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), width) << line;
  }
}

TEST(TerminalReport, LinesThatTheChangeTouchesAreMarked) {
  expect_golden("changed.txt", render(deadlock_trace(), {}, /*with_source=*/true, {{"bank.cpp", {18, 19}}}));
}

TEST(TerminalReport, WithoutEvidenceTellsWhatIsKnown) {
  FakeSymbolizer symbolizer = bank_symbols();
  std::ostringstream out;
  render_terminal(out, *make_finding(deadlock_trace(), symbolizer), {});
  EXPECT_TRUE(
      out.str().starts_with("deadlock: main/1 and main/2 wait for each other\n"
                            "  in transfer  bank.cpp:11\n"))
      << out.str();
}

TEST(TerminalReport, ColourOnlyWhenAsked) {
  EXPECT_EQ(render(deadlock_trace()).find('\x1b'), std::string::npos);
  EXPECT_NE(render(deadlock_trace(), {.colour = true}).find("\x1b[1;31mdeadlock:\x1b[0m"), std::string::npos);
}

TEST(TerminalReport, NothingToSayAboutAnExecutionThatEndedWell) {
  EXPECT_EQ(render(trace::Trace()), "");
}

TEST(TerminalReport, OutcomeWithoutTablesIsToldAsFarAsItGoes) {
  for (uint32_t kind = 1; kind < static_cast<uint32_t>(trace::OutcomeKind::kCount); ++kind) {
    trace::TraceTables tables;
    tables.outcome.kind = static_cast<trace::OutcomeKind>(kind);
    EXPECT_NE(render(trace::Trace::from_tables(std::move(tables))), "");
  }
}

TEST(TerminalReport, NoteOnADivergenceNamesNoThreadOfTheTrace) {
  trace::TraceTables tables;
  tables.outcome.kind = trace::OutcomeKind::kCrash;
  tables.outcome.diverged_step = 7;
  tables.outcome.diverged_thread = 4711;  // counts the schedule's threads
  const std::string text = render(trace::Trace::from_tables(std::move(tables)));
  EXPECT_NE(text.find("could not be followed from choice 7 on\n"), std::string::npos) << text;
}

TEST(TerminalReport, EscapeSequencesInSourceDoNotReachTheTerminal) {
  trace::Trace trace = self_deadlock_trace();
  FakeSymbolizer symbolizer = bank_symbols();
  ReportContext context(trace, symbolizer);
  std::string source(9, '\n');
  context.sources.provide("bank.cpp", source + "a.lock(); // \x1b[2J\n");
  FailureStory story = *tell_failure(context);
  Finding finding = make_finding(context, story);
  finding.evidence = std::make_shared<const Evidence>(make_evidence(context, story, {}));
  std::ostringstream out;
  render_terminal(out, finding, {});
  EXPECT_EQ(out.str().find('\x1b'), std::string::npos);
}

TEST(TerminalOptions, WidthComesFromTheEnvironment) {
  setenv("COLUMNS", "132", 1);
  EXPECT_EQ(terminal_options(-1).width, 132u);
  setenv("COLUMNS", "7", 1);
  EXPECT_EQ(terminal_options(-1).width, 40u);
  unsetenv("COLUMNS");
  EXPECT_EQ(terminal_options(-1).width, 100u);
  EXPECT_FALSE(terminal_options(-1).colour);
}

TEST(ReplayHint, QuotesFileNamesForTheShell) {
  Finding finding;
  finding.schedule = "/tmp/my bug's schedule";
  std::ostringstream out;
  render_replay_hint(out, finding);
  EXPECT_NE(out.str().find("heddle replay '/tmp/my bug'\\''s schedule'\n"), std::string::npos);
}

}  // namespace
}  // namespace heddle
