// TestRecords: the part of a history that select, impact and generate read: what each test did, on which
// version of the program.
//
// A record belongs to a test and to what its program contains. Which trees that program was built of is said
// beside it, so a test that a change does not touch needs no new record. What a test does in a function is
// stored once for all the records in which it is the same, and shared in memory as well.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "history/test_record.h"
#include "support/error.h"

namespace heddle {

class Database;
class Query;

// What a whole trial of a test came to, for one who was interrupted.
struct TrialMemory {
  uint64_t executions = 0;
  uint64_t suppressed = 0;
  std::vector<std::string> fingerprints;  // of what was found

  bool operator==(const TrialMemory&) const = default;
};

// The best record of a test for some tree.
struct KnownTest {
  TestRecord record;
  TreeVersion tree;         // that the record's program was built of; the wanted one, if it is of that
  bool is_of_tree = false;  // else it is the latest of any
};

class TestRecords {
 public:
  // Both must outlive this.
  TestRecords(Database& database, const std::string& read_only_reason);

  // All or nothing. What is there already is not stored again.
  Expected<void> save(const TestRecord& record, const TreeVersion& tree);
  // That the program of the record is also that of this tree.
  Expected<void> save_tree(const TestKey& key, const TreeVersion& tree);

  // Without `functions`: what tells whether a test has to run again. If there are several, the lasting one,
  // else the latest.
  Expected<std::optional<TestRecord>> find(const TestKey& key);
  // With all that is known of them; tests in the order of their names. For tests that this tree has no record
  // of, the latest there is. `tree` 0: the latest of all.
  Expected<std::vector<KnownTest>> load_all(uint64_t tree);
  Expected<std::optional<KnownTest>> load(const std::string& test, uint64_t tree);
  // Names of the tests that have, on whatever version, executed something of the function, or of the line if
  // it is not 0. An empty file or function: of whatever one. Compilers are more exact with lines than with
  // the functions of inlined code.
  Expected<std::vector<std::string>> tests_covering(const std::string& file, const std::string& function,
                                                    uint32_t line = 0);

  // `settings` stands for how it was tried: number of schedules, suppressions.
  Expected<std::optional<TrialMemory>> find_trial(const TestKey& key, uint64_t settings);
  Expected<void> save_trial(const TestKey& key, uint64_t settings, const TrialMemory& trial);

 private:
  using Activities = std::map<uint64_t, std::shared_ptr<const FunctionActivity>>;

  std::string text_of(uint64_t id);
  void add_tree(uint64_t record, const std::string& test, const TreeVersion& tree);
  TestRecord record_from(const Query& row);
  std::vector<RecordedFinding> findings_of(uint64_t record);
  std::optional<uint64_t> best_record(const TestKey& key);
  std::vector<std::shared_ptr<const FunctionActivity>> functions_of(std::string_view ids);
  std::shared_ptr<const FunctionActivity> activity(uint64_t id);
  std::optional<KnownTest> best_of(uint64_t test, uint64_t tree);
  TreeVersion version_of(uint64_t record, uint64_t wanted);

  Database& database_;
  const std::string& read_only_reason_;
  std::map<uint64_t, std::string> texts_;  // read from the file
  Activities activities_;
};

}  // namespace heddle
