// What a history keeps of executed tests.
#include "history/test_records.h"

#include "history/activity_code.h"
#include "history/database.h"
#include "project.h"
#include "record.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

class Records : public testing::Test {
 protected:
  void save(const TestRecord& record, const TreeVersion& tree = kTree) {
    const Expected<void> saved = history_.records().save(record, tree);
    ASSERT_TRUE(saved) << saved.error().message;
  }
  std::optional<KnownTest> load(const std::string& test, uint64_t tree) {
    Expected<std::optional<KnownTest>> known = history_.records().load(test, tree);
    EXPECT_TRUE(known);
    return std::move(*known);
  }
  std::vector<std::string> covering(const std::string& function, uint32_t line = 0) {
    Expected<std::vector<std::string>> tests =
        history_.records().tests_covering("src/queue.cpp", function, line);
    EXPECT_TRUE(tests);
    return *tests;
  }

  Project project_;
  History history_ = open_history(project_.history());
};

void expect_same(const TestRecord& a, const TestRecord& b) {
  EXPECT_EQ(a.key, b.key);
  EXPECT_EQ(a.outcome, b.outcome);
  EXPECT_EQ(a.message, b.message);
  EXPECT_EQ(a.microseconds, b.microseconds);
  EXPECT_EQ(a.threads, b.threads);
  EXPECT_EQ(a.has_blocks, b.has_blocks);
  EXPECT_EQ(a.complete, b.complete);
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.findings, b.findings);
  ASSERT_EQ(a.functions.size(), b.functions.size());
  for (size_t i = 0; i < a.functions.size(); ++i) EXPECT_EQ(*a.functions[i], *b.functions[i]);
}

TEST_F(Records, AreReadAsTheyWereSaved) {
  TestRecord record = record_of("Queue.Fills");
  record.outcome = "race";
  record.message = "two writes";
  record.findings = {{"aaaa", "race", "two writes"}, {"bbbb", "race", "a read and a write"}};
  save(record);
  const std::optional<KnownTest> known = load("Queue.Fills", kTree.content);
  ASSERT_TRUE(known);
  expect_same(known->record, record);
  EXPECT_TRUE(known->is_of_tree);
  EXPECT_EQ(known->tree, kTree);
  EXPECT_FALSE(load("Queue.Drains", kTree.content));
}

TEST_F(Records, OfAnotherProgramOrCommandAreNotFound) {
  save(record_of("t"));
  for (const TestKey& key : {TestKey{"t", 7, 2}, TestKey{"t", 8, 1}, TestKey{"u", 7, 1}})
    EXPECT_FALSE(history_.records().find(key)->has_value());
  ASSERT_TRUE(history_.records().find({"t", 7, 1})->has_value());
}

TEST_F(Records, OfAnOlderTreeSayWhichItWas) {
  save(record_of("t", 1), kTree);
  std::optional<KnownTest> known = load("t", kLaterTree.content);
  ASSERT_TRUE(known);
  EXPECT_FALSE(known->is_of_tree);
  EXPECT_EQ(known->tree, kTree);

  // The later tree turns out to have the same program.
  ASSERT_TRUE(history_.records().save_tree({"t", 7, 1}, kLaterTree));
  known = load("t", kLaterTree.content);
  EXPECT_TRUE(known->is_of_tree);
  EXPECT_EQ(known->tree, kLaterTree);
  EXPECT_TRUE(load("t", kTree.content)->is_of_tree);
}

TEST_F(Records, OfTheWantedTreeGoBeforeLaterOnes) {
  TestRecord later = record_of("t", 2);
  later.time = 2000;
  save(record_of("t", 1), kTree);
  save(later, kLaterTree);
  EXPECT_EQ(load("t", kTree.content)->record.key.program, 1u);
  EXPECT_EQ(load("t", kLaterTree.content)->record.key.program, 2u);
  EXPECT_EQ(load("t", 33)->record.key.program, 2u);
}

TEST_F(Records, OfATestThatHungAreReplacedByWhatItDidLater) {
  TestRecord hung = record_of("t");
  hung.outcome = "hang";
  hung.functions.clear();
  hung.time = 3000;
  save(hung);
  EXPECT_FALSE(history_.records().find(hung.key)->value().is_lasting());
  save(record_of("t"));
  EXPECT_EQ(history_.records().find(hung.key)->value().outcome, "ok");
  EXPECT_EQ(load("t", kTree.content)->record.functions.size(), 2u);
}

TEST_F(Records, TellWhichTestsCoverAFunctionOrALine) {
  save(record_of("both"));
  TestRecord one = record_of("one");
  one.functions.pop_back();
  save(one);
  EXPECT_EQ(covering("Queue::pop"), (std::vector<std::string>{"both", "one"}));
  EXPECT_EQ(covering("Queue::push"), (std::vector<std::string>{"both"}));
  EXPECT_EQ(covering("Queue::push", 1002), (std::vector<std::string>{"both"}));
  EXPECT_TRUE(covering("Queue::push", 1003).empty());
  EXPECT_EQ(covering("", 1002), (std::vector<std::string>{"both"}));
  EXPECT_TRUE(covering("Queue::clear").empty());
  EXPECT_TRUE(history_.records().tests_covering("other.cpp", "Queue::pop")->empty());
  EXPECT_EQ(history_.records().tests_covering("", "Queue::pop")->size(), 2u);
}

TEST_F(Records, AreLoadedTogetherAndShareWhatIsTheSame) {
  save(record_of("b"));
  save(record_of("a"));
  const Expected<std::vector<KnownTest>> all = history_.records().load_all(kTree.content);
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 2u);
  EXPECT_EQ((*all)[0].record.key.test, "a");
  EXPECT_EQ((*all)[0].record.functions[0], (*all)[1].record.functions[0]);  // the same object
}

TEST_F(Records, TrialsAreFoundForTheSameSettingsOnly) {
  const TestKey key{"t", 7, 1};
  const TrialMemory clean{.executions = 21, .suppressed = 0, .fingerprints = {}};
  const TrialMemory racy{.executions = 21, .suppressed = 2, .fingerprints = {"aaaa", "bbbb"}};
  ASSERT_TRUE(history_.records().save_trial(key, 1, clean));
  ASSERT_TRUE(history_.records().save_trial(key, 2, racy));
  EXPECT_EQ(**history_.records().find_trial(key, 1), clean);
  EXPECT_EQ(**history_.records().find_trial(key, 2), racy);
  EXPECT_FALSE(history_.records().find_trial(key, 3)->has_value());
}

TEST_F(Records, AFurtherTrialAddsWhatItHasFound) {
  const TestKey key{"t", 1, 2};
  ASSERT_TRUE(history_.records().save_trial(key, 1, {.executions = 5, .suppressed = 0, .fingerprints = {}}));
  ASSERT_TRUE(
      history_.records().save_trial(key, 1, {.executions = 6, .suppressed = 0, .fingerprints = {"b"}}));
  ASSERT_TRUE(
      history_.records().save_trial(key, 1, {.executions = 7, .suppressed = 0, .fingerprints = {"a"}}));
  const TrialMemory expected{.executions = 7, .suppressed = 0, .fingerprints = {"a", "b"}};
  EXPECT_EQ(**history_.records().find_trial(key, 1), expected);
}

TEST_F(Records, AreMergedAndExportedWithTheRest) {
  save(record_of("here"));
  Project other;
  History theirs = open_history(other.history());
  ASSERT_TRUE(theirs.records().save(record_of("there"), kLaterTree));
  ASSERT_TRUE(history_.merge_from(other.history()));
  expect_same(load("there", kLaterTree.content)->record, record_of("there"));

  const std::string exported = (project_.root() / "exported.db").string();
  ASSERT_TRUE(history_.copy_to(exported));
  EXPECT_FALSE(history_.copy_to(exported));  // it exists
  History copy = open_history(exported);
  EXPECT_EQ(copy.records().load_all(0)->size(), 2u);
}

// A history of heddle's second version, made by its own statements.
TEST_F(Records, CanBeAddedToAHistoryOfTheSecondVersion) {
  Project old;
  fs::create_directories(fs::path(old.history()).parent_path());
  {
    Database database(old.history(), Database::Mode::kReadWrite, std::chrono::seconds(1));
    database.execute(
        "CREATE TABLE test (id INTEGER PRIMARY KEY, program TEXT NOT NULL, arguments TEXT NOT NULL, "
        "environment TEXT NOT NULL) STRICT;"
        "CREATE TABLE module (build INTEGER NOT NULL, name TEXT NOT NULL, identity TEXT NOT NULL, "
        "PRIMARY KEY (build, name, identity)) STRICT, WITHOUT ROWID;"
        "CREATE TABLE source (build INTEGER NOT NULL, file TEXT NOT NULL, content INTEGER NOT NULL, "
        "PRIMARY KEY (build, file)) STRICT, WITHOUT ROWID;"
        "CREATE TABLE statement (key INTEGER PRIMARY KEY, file TEXT NOT NULL, line INTEGER NOT NULL, "
        "column_number INTEGER NOT NULL, code_offset INTEGER NOT NULL, operation TEXT NOT NULL, "
        "timed_out INTEGER NOT NULL, context TEXT NOT NULL, function TEXT NOT NULL) STRICT;"
        "CREATE TABLE pair (test INTEGER NOT NULL, build INTEGER NOT NULL, statement INTEGER NOT NULL, "
        "predecessor INTEGER NOT NULL, by_larger INTEGER NOT NULL, "
        "PRIMARY KEY (test, build, statement, predecessor, by_larger)) STRICT, WITHOUT ROWID;"
        "CREATE TABLE point (test INTEGER NOT NULL, build INTEGER NOT NULL, kind INTEGER NOT NULL, "
        "key INTEGER NOT NULL, start INTEGER NOT NULL, length INTEGER NOT NULL, grade INTEGER NOT NULL, "
        "PRIMARY KEY (test, build, kind, key, start, length, grade)) STRICT, WITHOUT ROWID;"
        "CREATE TABLE verdict (build INTEGER NOT NULL, fingerprint TEXT NOT NULL, harmful INTEGER NOT NULL, "
        "why TEXT NOT NULL, input TEXT NOT NULL, schedule TEXT NOT NULL, time INTEGER NOT NULL, "
        "PRIMARY KEY (build, fingerprint, harmful)) STRICT;"
        "INSERT INTO verdict VALUES (5, 'ffff', 1, 'it crashes', '', 'text', 9);"
        "PRAGMA application_id = 1212499020; PRAGMA user_version = 2;");
    ASSERT_TRUE(database.result());
  }
  // Read only, it stays as old as it is.
  const std::string bytes = read_bytes(old.history());
  ASSERT_TRUE(history_.merge_from(old.history()));
  EXPECT_EQ(read_bytes(old.history()), bytes);
  {
    History history = open_history(old.history());
    ASSERT_TRUE(history.records().save(record_of("t"), kTree));
    EXPECT_TRUE(history.records().load("t", kTree.content)->has_value());
  }
  Database database(old.history(), Database::Mode::kRead, std::chrono::seconds(1));
  EXPECT_EQ(database.number("SELECT time FROM verdict WHERE fingerprint = 'ffff'"), 9);
}

TestRecord large_record(const std::string& test) {
  TestRecord record = record_of(test);
  record.functions.clear();
  for (uint32_t i = 0; i < 6'250; ++i) {
    FunctionActivity function{
        .file = "src/module_" + std::to_string(i / 20) + "/unit.cpp",
        .function = "project::Module" + std::to_string(i / 20) + "::operation_" + std::to_string(i),
        .thread_sets = {{{"main", "main/1", "main/2"}, 3}},
        .blocks = {},
        .accesses = {}};
    if (i % 10 == 0) function.thread_sets.push_back({{"main"}, 1});
    for (uint32_t b = 0; b < 8; ++b)
      function.blocks.push_back({i % 20 * 30 + b * 3, 3 + b, i % 10 == 0 ? b % 2 : 0});
    record.functions.push_back(std::make_shared<FunctionActivity>(std::move(function)));
  }
  return record;
}

TEST_F(Records, AreSmall) {
  const auto size = [&] {
    const std::string copy = (project_.root() / "copy.db").string();
    EXPECT_TRUE(history_.copy_to(copy));
    const auto bytes = fs::file_size(copy);
    fs::remove(copy);
    return bytes;
  };
  const auto empty = size();
  save(large_record("first"));  // of 50,000 blocks
  const auto one = size();
  RecordProperty("bytes_of_the_first", static_cast<int>(one - empty));
  EXPECT_LT(one - empty, 1'000'000u);
  for (int i = 0; i < 10; ++i) save(large_record("test " + std::to_string(i)));
  EXPECT_LT(size() - one, 10 * 60'000u);
  EXPECT_EQ(load("test 3", 0)->record.functions.size(), 6'250u);
}

TEST(Activity, IsTheSameAfterItWasBytes) {
  FunctionActivity activity = heddle::activity("f", 4'000'000'000u);
  activity.thread_sets.push_back({{}, 0});
  std::map<uint64_t, std::string> texts;
  const std::string bytes = encode(activity, [&](const std::string& text) {
    texts[texts.size() + 1] = text;
    return texts.size();
  });
  FunctionActivity read{.file = activity.file, .function = activity.function};
  ASSERT_TRUE(decode(bytes, [&](uint64_t id) { return texts[id]; }, &read));
  EXPECT_EQ(read, activity);
  // Whatever is missing is noticed.
  for (size_t size = 0; size < bytes.size(); ++size) {
    FunctionActivity part;
    EXPECT_FALSE(decode(bytes.substr(0, size), [&](uint64_t id) { return texts[id]; }, &part)) << size;
  }
  FunctionActivity more;
  EXPECT_FALSE(decode(bytes + "x", [&](uint64_t id) { return texts[id]; }, &more));
}

TEST(ThreadSets, DifferUnlessBothAreTheSameThread) {
  const ThreadSet none;
  const ThreadSet main{{"main"}, 1};
  const ThreadSet other{{"main/1"}, 1};
  const ThreadSet many{{"main", "main/1"}, 2};
  EXPECT_FALSE(has_different_threads(main, main));
  EXPECT_TRUE(has_different_threads(main, other));
  EXPECT_TRUE(has_different_threads(main, many));
  EXPECT_TRUE(has_different_threads(many, many));
  EXPECT_FALSE(has_different_threads(many, none));
  EXPECT_EQ(parse_thread_set(to_text(many)), many);
  EXPECT_EQ(parse_thread_set(to_text(none)), none);
}

}  // namespace
}  // namespace heddle
