#include "explore/statement_table.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "../symbolize/fake_symbolizer.h"
#include "execute/fork_server.h"
#include "execute/learning.h"
#include "explore/hapset_search.h"
#include "explore/observe_trace.h"
#include "history/history.h"
#include "trace/trace_builder.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

using trace::EventKind;
using trace::Trace;
using trace::TraceBuilder;

class StatementTableTest : public testing::Test {
 protected:
  // Of the first event of that kind.
  uint64_t key(const Trace& trace, EventKind kind = EventKind::kWrite) {
    table_.begin(trace);
    for (const trace::EventRecord& event : trace.events()) {
      if (event.kind == kind) return table_.key(event);
    }
    ADD_FAILURE() << "there is no such event";
    return 0;
  }

  Statement described(uint64_t key) {
    HapSet sets;
    sets.add({key, key, false});
    const auto statements = table_.describe(sets);
    return statements.count(key) != 0 ? statements.at(key) : Statement();
  }

  FakeSymbolizer symbolizer_{"/project/bank.cpp"};
  const SourceTree sources_{"/project"};
  StatementTable table_{symbolizer_, sources_};
};

TEST_F(StatementTableTest, SaysWhereAndFromWhereAnOperationIsExecuted) {
  symbolizer_.function("deposit", 10, 19).function("main", 30, 39);
  TraceBuilder builder;
  builder.main_thread().call(35).write(builder.global()).at(12);
  const Statement statement = described(key(builder.build()));
  EXPECT_EQ(statement, (Statement{.at = {.file = "bank.cpp", .line = 12, .column = 7},
                                  .operation = "write",
                                  .context = {{.file = "bank.cpp", .line = 35}},
                                  .function = "deposit"}));
}

TEST_F(StatementTableTest, GivesTheSameKeyWhateverTheTablesOfTheTrace) {
  symbolizer_.function("deposit", 10, 19).function("main", 30, 39);
  TraceBuilder first;
  first.main_thread().call(35).write(first.global()).at(12);
  TraceBuilder second;
  second.main_thread().call(36).read(second.global()).at(11).leave().call(35).write(second.global()).at(12);
  const uint64_t expected = key(first.build());
  EXPECT_EQ(key(second.build()), expected);
  StatementTable other(symbolizer_, sources_);
  const Trace trace = second.build();
  other.begin(trace);
  const auto& events = trace.events();
  EXPECT_TRUE(std::any_of(events.begin(), events.end(), [&](const trace::EventRecord& event) {
    return event.kind == EventKind::kWrite && other.key(event) == expected;
  }));
}

TEST_F(StatementTableTest, TakesInlinedFunctionsForCalls) {
  symbolizer_.function("main", 30, 39);
  symbolizer_.frames(12, {{"std::atomic::store", "", "/usr/include/atomic", 500, 3},
                          {"deposit", "", "/project/bank.cpp", 14, 5}});
  TraceBuilder builder;
  builder.main_thread().call(35).write(builder.global()).at(12);
  const Statement statement = described(key(builder.build()));
  EXPECT_EQ(statement.at, (CodePosition{.file = "/usr/include/atomic", .line = 500, .column = 3}));
  EXPECT_EQ(statement.context,
            (std::vector<CodePosition>{{.file = "bank.cpp", .line = 14}, {.file = "bank.cpp", .line = 35}}));
}

TEST_F(StatementTableTest, DoesNotCountCallsWithinTheStandardLibrary) {
  symbolizer_.function("main", 30, 39);
  symbolizer_.frames(12, {{"pthread_mutex_lock", "", "/usr/include/gthr.h", 749, 3},
                          {"std::mutex::lock", "", "/usr/include/c++/12/bits/std_mutex.h", 100, 3}});
  symbolizer_.frames(13,
                     {{"std::lock_guard::lock_guard", "", "/usr/include/c++/12/bits/std_mutex.h", 229, 3}});
  TraceBuilder builder;
  builder.main_thread().call(35).call(13).lock(builder.global()).at(12);
  const Statement statement = described(key(builder.build(), EventKind::kLock));
  EXPECT_EQ(statement.at.file, "/usr/include/gthr.h");
  EXPECT_EQ(statement.context, (std::vector<CodePosition>{{.file = "bank.cpp", .line = 35}}));
}

TEST_F(StatementTableTest, LooksAtTheFiveInnermostCalls) {
  symbolizer_.function("main", 1, 99);
  const auto key_with_calls = [&](const std::vector<uint64_t>& calls) {
    TraceBuilder builder;
    trace::TraceBuilder::Thread thread = builder.main_thread();
    for (const uint64_t call : calls) thread.call(call);
    thread.write(builder.global()).at(50);
    return key(builder.build());
  };
  EXPECT_EQ(key_with_calls({1, 2, 3, 4, 5, 6}), key_with_calls({9, 2, 3, 4, 5, 6}));
  EXPECT_NE(key_with_calls({1, 2, 3, 4, 5, 6}), key_with_calls({1, 9, 3, 4, 5, 6}));
}

TEST_F(StatementTableTest, NamesAddressesWithoutDebugInformation) {
  TraceBuilder builder("/project/build/prog");
  builder.main_thread().write(builder.global()).at(12);
  const Statement statement = described(key(builder.build()));
  EXPECT_EQ(to_text(statement.at), "build/prog+0xc");
  EXPECT_EQ(statement.function, "prog+0xc");
}

TEST_F(StatementTableTest, KnowsStatementsThatTimedOut) {
  TraceBuilder builder;
  builder.main_thread().write(builder.global()).at(12);
  const uint64_t timed_out = key(builder.build()) ^ kTimedOutMark;
  EXPECT_TRUE(described(timed_out).timed_out);
  EXPECT_EQ(key_of(described(timed_out)), timed_out);
}

// What is left of a program and what is known of it, from one exploration to the next.
class Exploration {
 public:
  Exploration(const std::string& program, const std::string& history)
      : server_(*ForkServer::start({.argv = {program}})), history_(*History::open(history)) {}

  // Until the search is over; returns how many executions that took.
  uint64_t explore() {
    TestMemory memory = *history_.load(server_.command(), build());
    server_.add_points(memory.points);
    EXPECT_TRUE(learn_points(server_));
    const std::unique_ptr<Symbolizer> symbolizer = make_symbolizer();
    StatementTable table(*symbolizer, history_.sources());
    TraceObserver observer(&table);
    HapSetSearch search({}, memory.sets);
    uint64_t executions = 0;
    while (const std::optional<Plan> plan = search.next()) {
      const Expected<Execution> execution = server_.run(observer.request_for(*plan, search.detail()));
      EXPECT_TRUE(execution) << execution.error().message;
      EXPECT_EQ(execution->outcome.kind, trace::OutcomeKind::kOk);
      search.learn(observer.observe(*execution, search.detail()));
      ++executions;
    }
    learned_.sets = *search.sets();
    learned_.statements = table.describe(*search.sets());
    learned_.statements.insert(memory.statements.begin(), memory.statements.end());
    learned_.points = server_.points();
    return executions;
  }

  void save() {
    const Expected<void> saved = history_.save(server_.command(), build(), learned_);
    EXPECT_TRUE(saved) << saved.error().message;
  }

  Build build() const { return identify_build(server_.binary()); }
  const TestMemory& learned() const { return learned_; }

 private:
  ForkServer server_;
  History history_;
  TestMemory learned_;
};

class StatementsOfPrograms : public testing::TestWithParam<const char*> {
 protected:
  StatementsOfPrograms() {
    std::string name = testing::TempDir() + "/history-XXXXXX";
    folder_ = ::mkdtemp(name.data());
  }
  ~StatementsOfPrograms() override { fs::remove_all(folder_); }

  // Programs of both versions have the same name, in folders of their own.
  static std::string program(int version) {
    return std::string(HEDDLE_STATEMENT_PROGRAMS) + "/" + GetParam() + std::to_string(version) +
           "/statements";
  }
  std::string history() const { return history_file(folder_.string()); }

  fs::path folder_;
};

TEST_P(StatementsOfPrograms, NameLinesOfTheSource) {
  Exploration exploration(program(1), history());
  exploration.explore();
  std::set<std::string> places;
  for (const auto& [key, statement] : exploration.learned().statements) {
    ASSERT_EQ(key_of(statement), key);
    for (const std::string& file : files_of(statement))
      EXPECT_TRUE(file.ends_with("statement_program.cpp") || file.starts_with("/usr/")) << file;
    if (statement.at.file.ends_with("statement_program.cpp"))
      places.insert(statement.operation + " " + std::to_string(statement.at.line));
  }
  for (const char* place : {"read 14", "write 14", "read 20", "write 20", "read 23", "write 23"})
    EXPECT_EQ(places.count(place), 1u) << place;
}

TEST_P(StatementsOfPrograms, AreTheSameInTheNextBuild) {
  Exploration first(program(1), history());
  first.explore();
  Exploration second(program(2), history());
  second.explore();
  EXPECT_NE(first.build().id(), second.build().id());
  EXPECT_EQ(first.learned().sets, second.learned().sets);
}

TEST_P(StatementsOfPrograms, NeedNotBeLearnedAgain) {
  for (const int version : {1, 2}) {
    Exploration exploration(program(version), history());
    if (version == 1) {
      EXPECT_GT(exploration.explore(), 2u);
      exploration.save();
    } else {
      EXPECT_EQ(exploration.explore(), 1u);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Compilers, StatementsOfPrograms, testing::Values("gcc", "clang"));

}  // namespace
}  // namespace heddle
