#include "report/trace_text.h"

#include <sstream>

#include <gtest/gtest.h>

#include "golden.h"
#include "sample_traces.h"

namespace heddle {
namespace {

std::string dump(const trace::Trace& trace, const DumpFilter& filter = {}) {
  FakeSymbolizer symbolizer = bank_symbols();
  TraceSymbols symbols(trace, symbolizer);
  std::ostringstream out;
  render_trace_dump(out, symbols, filter);
  return out.str();
}

TEST(TraceDump, OneLineForEachEvent) {
  expect_golden("dump_lost_wakeup.txt", dump(lost_wakeup_trace()));
}

TEST(TraceDump, ShowsWhoHoldsWhatAtTheEnd) {
  expect_golden("dump_deadlock.txt", dump(deadlock_trace()));
}

TEST(TraceDump, FiltersByThreadKindAndRange) {
  DumpFilter filter{.thread = "main/1", .kind = trace::EventKind::kAtomicRead, .first = 4, .last = 10};
  expect_golden("dump_filtered.txt", dump(livelock_trace(), filter));
}

TEST(TraceDump, SaysThatEventsFoundNoRoom) {
  trace::TraceTables tables;
  tables.events_lost = 3;
  EXPECT_TRUE(dump(trace::Trace::from_tables(std::move(tables))).starts_with("3 events more found no room"));
}

TEST(TraceStats, CountsWhatIsThere) {
  trace::Trace trace = livelock_trace();
  trace.describe({"./bank", "--fast"}, "random seed 7");
  FakeSymbolizer symbolizer = bank_symbols();
  TraceSymbols symbols(trace, symbolizer);
  std::ostringstream out;
  render_trace_stats(out, symbols);
  expect_golden("stats.txt", out.str());
}

}  // namespace
}  // namespace heddle
