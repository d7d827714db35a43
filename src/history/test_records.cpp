#include "history/test_records.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "history/activity_code.h"
#include "history/database.h"
#include "trace/hash.h"
#include "trace/names.h"

namespace heddle {
namespace {

constexpr const char* kRecordColumns =
    "SELECT id, test, command, program, outcome, message, microseconds, threads, has_blocks, complete, "
    "activities, time FROM record ";

// 0 is the empty text, which is in no table.
uint64_t id_of_text(std::string_view text) {
  return text.empty() ? 0 : trace::fnv1a(text);
}

uint64_t add_number(uint64_t hash, uint64_t number) {
  std::string bytes;
  append_id(&bytes, number);
  return trace::fnv1a(bytes, hash);
}

// With its end, so that two texts cannot be taken for one.
uint64_t add_text(uint64_t hash, std::string_view text) {
  return trace::fnv1a(std::string_view("\0", 1), trace::fnv1a(text, hash));
}

// The rows of a record, by their ids: a table that is filled in the order of its keys has full pages.
struct Rows {
  struct Activity {
    uint64_t file = 0;
    uint64_t function = 0;
    std::string content;
  };

  std::map<uint64_t, std::string> texts;
  std::map<uint64_t, Activity> activities;

  uint64_t name(const std::string& text) {
    const uint64_t id = id_of_text(text);
    if (id != 0) texts.emplace(id, text);
    return id;
  }

  uint64_t add(const FunctionActivity& activity) {
    Activity row{name(activity.file), name(activity.function),
                 encode(activity, [&](const std::string& text) { return name(text); })};
    const uint64_t id =
        trace::fnv1a(row.content, add_number(add_number(trace::fnv1a("activity"), row.file), row.function));
    activities.emplace(id, std::move(row));
    return id;
  }

  void insert_into(Database& database) const {
    Query text(database, "INSERT OR IGNORE INTO text VALUES (?, ?)");
    for (const auto& [id, value] : texts) text.with(id, value).run();
    Query activity(database, "INSERT OR IGNORE INTO activity VALUES (?, ?, ?, ?)");
    for (const auto& [id, row] : activities)
      activity.with(id, row.file, row.function, Bytes{row.content}).run();
  }
};

// What it says, but for when and how fast it was made: two machines that see the same make one row.
uint64_t id_of(const TestRecord& record, std::string_view activities) {
  uint64_t id = add_text(trace::fnv1a("record"), record.key.test);
  for (const uint64_t number : {record.key.command, record.key.program, uint64_t{record.threads},
                                uint64_t{record.has_blocks}, uint64_t{record.complete}})
    id = add_number(id, number);
  for (const std::string* text : {&record.outcome, &record.message}) id = add_text(id, *text);
  for (const RecordedFinding& finding : record.findings) id = add_text(id, finding.fingerprint);
  return trace::fnv1a(activities, id);
}

// Lasting ones first, then later ones.
bool is_better(const TestRecord& a, const TestRecord& b) {
  if (a.is_lasting() != b.is_lasting()) return a.is_lasting();
  return a.time > b.time;
}

}  // namespace

bool TestRecord::is_lasting() const {
  using trace::OutcomeKind;
  return outcome != kNotStarted && outcome != trace::to_text(OutcomeKind::kKilled) &&
         outcome != trace::to_text(OutcomeKind::kInternal) && outcome != trace::to_text(OutcomeKind::kHang);
}

TestRecords::TestRecords(Database& database, const std::string& read_only_reason)
    : database_(database), read_only_reason_(read_only_reason) {}

Expected<void> TestRecords::save(const TestRecord& record, const TreeVersion& tree) {
  if (!read_only_reason_.empty()) return usage_error(read_only_reason_);
  Rows rows;
  std::string activities;
  for (const auto& activity : record.functions) append_id(&activities, rows.add(*activity));
  const uint64_t id = id_of(record, activities);

  Transaction transaction(database_);
  const TestKey& key = record.key;
  Query(database_, "INSERT OR IGNORE INTO record VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .with(id, rows.name(key.test), key.command, key.program, record.outcome, record.message,
            record.microseconds, record.threads, record.has_blocks, record.complete, Bytes{activities},
            record.time)
      .run();
  rows.insert_into(database_);
  Query found(database_, "INSERT OR IGNORE INTO found VALUES (?, ?, ?, ?)");
  for (const RecordedFinding& finding : record.findings)
    found.with(id, finding.fingerprint, finding.kind, finding.message).run();
  add_tree(id, key.test, tree);
  return transaction.commit();
}

void TestRecords::add_tree(uint64_t record, const std::string& test, const TreeVersion& tree) {
  Query(database_, "INSERT OR IGNORE INTO tree VALUES (?, ?, ?)")
      .with(tree.content, tree.revision, tree.is_working_tree)
      .run();
  Query(database_, "INSERT OR IGNORE INTO tested VALUES (?, ?, ?)")
      .with(tree.content, id_of_text(test), record)
      .run();
}

std::optional<uint64_t> TestRecords::best_record(const TestKey& key) {
  std::optional<uint64_t> best;
  TestRecord record;
  Query row(database_,
            fmt::format("{} WHERE test = ? AND program = ? AND command = ?", kRecordColumns).c_str());
  row.with(id_of_text(key.test), key.program, key.command);
  while (row.next()) {
    TestRecord next = record_from(row);
    if (best && !is_better(next, record)) continue;
    best = row.number(0);
    record = std::move(next);
  }
  return best;
}

Expected<void> TestRecords::save_tree(const TestKey& key, const TreeVersion& tree) {
  if (!read_only_reason_.empty()) return usage_error(read_only_reason_);
  const std::optional<uint64_t> record = best_record(key);
  if (!record) return database_.result();
  Query known(database_,
              "SELECT 1 FROM tested JOIN tree ON tree = content "
              "WHERE tree = ? AND test = ? AND record = ? AND revision = ? AND is_working_tree = ?");
  known.with(tree.content, id_of_text(key.test), *record, tree.revision, tree.is_working_tree);
  if (known.next()) return database_.result();
  Transaction transaction(database_);
  add_tree(*record, key.test, tree);
  return transaction.commit();
}

std::string TestRecords::text_of(uint64_t id) {
  if (id == 0) return "";
  const auto [entry, is_new] = texts_.try_emplace(id);
  if (is_new) {
    Query row(database_, "SELECT text FROM text WHERE id = ?");
    row.with(id);
    if (row.next()) entry->second = row.text(0);
  }
  return entry->second;
}

TestRecord TestRecords::record_from(const Query& row) {
  return {.key = {.test = text_of(row.number(1)), .command = row.number(2), .program = row.number(3)},
          .outcome = std::string(row.text(4)),
          .message = std::string(row.text(5)),
          .microseconds = row.number(6),
          .threads = static_cast<uint32_t>(row.number(7)),
          .has_blocks = row.number(8) != 0,
          .complete = row.number(9) != 0,
          .time = row.number(11),
          .findings = findings_of(row.number(0)),
          .functions = {}};
}

std::vector<RecordedFinding> TestRecords::findings_of(uint64_t record) {
  std::vector<RecordedFinding> findings;
  Query row(database_, "SELECT fingerprint, kind, message FROM found WHERE record = ? ORDER BY fingerprint");
  row.with(record);
  while (row.next())
    findings.push_back({std::string(row.text(0)), std::string(row.text(1)), std::string(row.text(2))});
  return findings;
}

std::shared_ptr<const FunctionActivity> TestRecords::activity(uint64_t id) {
  const auto [entry, is_new] = activities_.try_emplace(id);
  if (!is_new) return entry->second;
  Query row(database_, "SELECT file, function, content FROM activity WHERE id = ?");
  row.with(id);
  if (!row.next()) return nullptr;
  auto activity = std::make_shared<FunctionActivity>();
  activity->file = text_of(row.number(0));
  activity->function = text_of(row.number(1));
  // Bytes that mean nothing are those of a damaged file; what they said is lost.
  if (decode(row.bytes(2), [&](uint64_t text) { return text_of(text); }, activity.get()))
    entry->second = std::move(activity);
  return entry->second;
}

std::vector<std::shared_ptr<const FunctionActivity>> TestRecords::functions_of(std::string_view ids) {
  std::vector<std::shared_ptr<const FunctionActivity>> functions;
  for (size_t i = 0; i < ids.size() / sizeof(uint64_t); ++i) {
    if (auto found = activity(id_at(ids, i))) functions.push_back(std::move(found));
  }
  return functions;
}

Expected<std::optional<TestRecord>> TestRecords::find(const TestKey& key) {
  std::optional<TestRecord> found;
  if (const std::optional<uint64_t> best = best_record(key)) {
    Query row(database_, fmt::format("{} WHERE id = ?", kRecordColumns).c_str());
    row.with(*best);
    if (row.next()) found = record_from(row);
  }
  if (const Expected<void> read = database_.result(); !read) return tl::unexpected(read.error());
  return found;
}

TreeVersion TestRecords::version_of(uint64_t record, uint64_t wanted) {
  TreeVersion version;
  // A commit can be looked up, a working tree is gone.
  Query row(database_,
            "SELECT content, revision, is_working_tree FROM tested JOIN tree ON tree = content "
            "WHERE test = (SELECT test FROM record WHERE id = ?1) AND record = ?1 "
            "ORDER BY content = ?2 DESC, is_working_tree, revision LIMIT 1");
  row.with(record, wanted);
  if (row.next()) version = {row.number(0), std::string(row.text(1)), row.number(2) != 0};
  return version;
}

// The lasting records of this tree first, then those of any other.
std::optional<KnownTest> TestRecords::best_of(uint64_t test, uint64_t tree) {
  std::optional<KnownTest> best;
  uint64_t best_id = 0;
  std::string best_activities;
  Query row(database_, fmt::format("{} WHERE test = ?1", kRecordColumns).c_str());
  Query of_tree(database_, "SELECT 1 FROM tested WHERE tree = ? AND test = ? AND record = ?");
  row.with(test);
  while (row.next()) {
    KnownTest next{.record = record_from(row), .tree = {}, .is_of_tree = false};
    if (tree != 0) next.is_of_tree = of_tree.with(tree, test, row.number(0)).next();
    const bool better = !best || (next.is_of_tree != best->is_of_tree ? next.is_of_tree
                                                                      : is_better(next.record, best->record));
    if (!better) continue;
    best = std::move(next);
    best_id = row.number(0);
    best_activities = row.bytes(10);
  }
  if (!best) return best;
  best->record.functions = functions_of(best_activities);
  best->tree = version_of(best_id, tree);
  return best;
}

Expected<std::optional<KnownTest>> TestRecords::load(const std::string& test, uint64_t tree) {
  std::optional<KnownTest> known = best_of(id_of_text(test), tree);
  if (const Expected<void> read = database_.result(); !read) return tl::unexpected(read.error());
  return known;
}

Expected<std::vector<KnownTest>> TestRecords::load_all(uint64_t tree) {
  std::vector<uint64_t> tests;
  Query row(database_, "SELECT DISTINCT test FROM record");
  while (row.next()) tests.push_back(row.number(0));
  std::vector<KnownTest> all;
  for (const uint64_t test : tests) {
    if (std::optional<KnownTest> known = best_of(test, tree)) all.push_back(std::move(*known));
  }
  if (const Expected<void> read = database_.result(); !read) return tl::unexpected(read.error());
  std::sort(all.begin(), all.end(),
            [](const KnownTest& a, const KnownTest& b) { return a.record.key.test < b.record.key.test; });
  return all;
}

Expected<std::vector<std::string>> TestRecords::tests_covering(const std::string& file,
                                                               const std::string& function, uint32_t line) {
  std::set<uint64_t> wanted;
  Query row(database_, "SELECT id FROM activity WHERE (?1 = 0 OR function = ?1) AND (?2 = 0 OR file = ?2)");
  row.with(id_of_text(function), id_of_text(file));
  while (row.next()) {
    const auto found = activity(row.number(0));
    if (found == nullptr) continue;
    const auto is_there = [&](const FunctionActivity::Block& block) { return block.line == line; };
    if (line == 0 || std::any_of(found->blocks.begin(), found->blocks.end(), is_there))
      wanted.insert(row.number(0));
  }
  std::set<std::string> tests;
  Query record(database_, "SELECT test, activities FROM record");
  while (!wanted.empty() && record.next()) {
    const std::string_view ids = record.bytes(1);
    for (size_t i = 0; i < ids.size() / sizeof(uint64_t); ++i) {
      if (wanted.count(id_at(ids, i)) == 0) continue;
      tests.insert(text_of(record.number(0)));
      break;
    }
  }
  if (const Expected<void> read = database_.result(); !read) return tl::unexpected(read.error());
  return std::vector<std::string>(tests.begin(), tests.end());
}

Expected<std::optional<TrialMemory>> TestRecords::find_trial(const TestKey& key, uint64_t settings) {
  std::optional<TrialMemory> trial;
  Query row(database_,
            "SELECT executions, suppressed, fingerprints FROM trial "
            "WHERE test = ? AND command = ? AND program = ? AND settings = ?");
  row.with(id_of_text(key.test), key.command, key.program, settings);
  if (row.next()) {
    trial = {.executions = row.number(0), .suppressed = row.number(1), .fingerprints = {}};
    std::string_view rest = row.text(2);
    while (!rest.empty()) {
      const std::string_view word = rest.substr(0, rest.find(' '));
      trial->fingerprints.emplace_back(word);
      rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    }
  }
  if (const Expected<void> read = database_.result(); !read) return tl::unexpected(read.error());
  return trial;
}

Expected<void> TestRecords::save_trial(const TestKey& key, uint64_t settings, const TrialMemory& trial) {
  if (!read_only_reason_.empty()) return usage_error(read_only_reason_);
  Transaction transaction(database_);
  // What an earlier trial has found it may find again.
  std::set<std::string> found(trial.fingerprints.begin(), trial.fingerprints.end());
  const Expected<std::optional<TrialMemory>> earlier = find_trial(key, settings);
  if (!earlier) return tl::unexpected(earlier.error());
  if (*earlier) found.insert((*earlier)->fingerprints.begin(), (*earlier)->fingerprints.end());
  Query(database_, "INSERT OR IGNORE INTO text VALUES (?, ?)").with(id_of_text(key.test), key.test).run();
  Query(database_, "INSERT OR REPLACE INTO trial VALUES (?, ?, ?, ?, ?, ?, ?)")
      .with(id_of_text(key.test), key.command, key.program, settings, trial.executions, trial.suppressed,
            fmt::format("{}", fmt::join(found, " ")))
      .run();
  return transaction.commit();
}

}  // namespace heddle
