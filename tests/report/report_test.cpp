#include "report/report.h"

#include <gtest/gtest.h>

#include "report/reporter.h"
#include "sample_traces.h"

namespace heddle {
namespace {

using trace::EventKind;

Report full_report() {
  Report report;
  report.result.command = "check";
  report.result.seconds = 12.5;
  report.result.executions = 42;
  report.result.own["selected"] = 1;
  Finding& finding = report.result.findings.emplace_back();
  finding.kind = "race";
  finding.fingerprint = "0123456789abcdef";
  finding.message = "two threads write `balance`";
  finding.status = FindingStatus::kNew;
  finding.confirmation = Confirmation::kHarmful;
  finding.sites = {{"src/bank.cpp", 25, 3, "deposit"}};
  finding.threads = {"main/1", "main/2"};
  finding.tests = {"stock"};
  finding.executions_to_find = 3;
  report.root = "/src";
  report.verdict = "1 new finding";
  report.base = ReportedRevision{.name = "main", .commit = "abc", .build_seconds = 2, .build_cached = true};
  report.head = ReportedRevision{.name = "the working tree", .is_working_tree = true};
  report.tests = {
      {.name = "stock", .fate = TestFate::kFailed, .executions = 42, .findings = {finding.fingerprint}},
      {.name = "docs",
       .fate = TestFate::kNotSelected,
       .is_selected = false,
       .reasons = {"it has one thread"}}};
  report.change = {{.path = "src/bank.cpp",
                    .how = "changed",
                    .changed_lines = {25},
                    .functions = {{.name = "deposit", .line = 24, .end = 26, .how = "changed"}},
                    .impacted_lines = {25},
                    .impacted_accesses = 2}};
  report.graph = ReportedGraph{{{.kind = "change", .place = {.file = "src/bank.cpp", .line = 25}}},
                               {{.from = 0, .to = 0, .is_reached = true}}};
  report.counts = {{.seconds = 1, .executions = 20, .findings = 0, .coverage = 7}};
  report.stages = {{.name = "build", .seconds = 4}};
  report.notes = {"1 test was not reached"};
  return report;
}

TEST(Report, IsMadeAgainFromItsJson) {
  const nlohmann::ordered_json json = to_json(full_report());
  const Expected<Report> again = read_report(nlohmann::json::parse(json.dump()));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(to_json(*again).dump(2), json.dump(2));
}

TEST(Report, JsonOfSomethingElseIsRefused) {
  EXPECT_FALSE(read_report(nlohmann::json::parse(R"({"version": 1})")));
  EXPECT_FALSE(read_report(nlohmann::json::parse(R"([1])")));
  EXPECT_FALSE(read_report(nlohmann::json::parse(R"({"heddle": "1", "findings": [{"kind": 7}]})")));
}

TEST(Reporters, AreFoundByName) {
  for (const Reporter& reporter : reporters()) EXPECT_EQ(find_reporter(reporter.name), &reporter);
  EXPECT_EQ(find_reporter("nobody"), nullptr);
}

class RecordedDeadlock : public testing::Test {
 protected:
  void SetUp() override {
    context_.sources.provide("bank.cpp", bank_source());
    recorded_ = record_execution(context_, *tell_failure(context_), {.root = {}, .changed = &changed_});
  }

  size_t event_of(uint32_t thread, EventKind kind, const std::string& object) const {
    for (size_t i = 0; i < recorded_.events.size(); ++i) {
      const RecordedExecution::Event& event = recorded_.events[i];
      if (event.thread == thread && event.kind == kind && recorded_.objects[event.object].name == object)
        return i;
    }
    ADD_FAILURE() << "no such event of " << object;
    return 0;
  }

  const ChangedLines changed_ = {{"bank.cpp", {19}}};
  trace::Trace trace_ = deadlock_trace();
  FakeSymbolizer symbolizer_ = bank_symbols();
  ReportContext context_{trace_, symbolizer_};
  RecordedExecution recorded_;
};

TEST_F(RecordedDeadlock, NamesWhatEventsDoAndWhere) {
  const RecordedExecution::Event& lock = recorded_.events[event_of(1, EventKind::kLock, "a")];
  EXPECT_EQ(recorded_.places[lock.place].text, "a.lock();");
  EXPECT_EQ(recorded_.places[lock.place].function, "transfer");
  EXPECT_TRUE(recorded_.threads[1].takes_part);
  EXPECT_EQ(recorded_.threads[1].name, "main/1");
  EXPECT_EQ(verb(lock), "lock");
}

TEST_F(RecordedDeadlock, LocksThatAreNeverReleasedAreHeldToTheEnd) {
  const size_t begin = event_of(1, EventKind::kLock, "a");
  const auto held = std::find_if(recorded_.held.begin(), recorded_.held.end(),
                                 [&](const RecordedExecution::Held& lock) { return lock.begin == begin; });
  ASSERT_NE(held, recorded_.held.end());
  EXPECT_EQ(held->end, recorded_.events.size());
  EXPECT_EQ(held->thread, 1u);
}

}  // namespace
}  // namespace heddle
