#include "history/schema.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include "support/check.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kApplicationId = 0x4845444c;  // "HEDL"

// Each makes version n of version n-1; PRAGMA user_version counts them. A row is named by what it says, not
// by a number that was free, so that rows of several files can be put together. `build` is Build::id(),
// `kind` and `grade` are trace::PointKind and PointGrade, `why` to `time` are RememberedVerdict's.
constexpr const char* kMigrations[] = {
    R"(
CREATE TABLE test (
  id INTEGER PRIMARY KEY,
  program TEXT NOT NULL,
  arguments TEXT NOT NULL,
  environment TEXT NOT NULL
) STRICT;
CREATE TABLE module (
  build INTEGER NOT NULL,
  name TEXT NOT NULL,
  identity TEXT NOT NULL,
  PRIMARY KEY (build, name, identity)
) STRICT, WITHOUT ROWID;
CREATE TABLE source (
  build INTEGER NOT NULL,
  file TEXT NOT NULL,
  content INTEGER NOT NULL,
  PRIMARY KEY (build, file)
) STRICT, WITHOUT ROWID;
CREATE TABLE statement (
  key INTEGER PRIMARY KEY,
  file TEXT NOT NULL,
  line INTEGER NOT NULL,
  column_number INTEGER NOT NULL,
  code_offset INTEGER NOT NULL,
  operation TEXT NOT NULL,
  timed_out INTEGER NOT NULL,
  context TEXT NOT NULL,
  function TEXT NOT NULL
) STRICT;
CREATE TABLE pair (
  test INTEGER NOT NULL,
  build INTEGER NOT NULL,
  statement INTEGER NOT NULL,
  predecessor INTEGER NOT NULL,
  by_larger INTEGER NOT NULL,
  PRIMARY KEY (test, build, statement, predecessor, by_larger)
) STRICT, WITHOUT ROWID;
CREATE TABLE point (
  test INTEGER NOT NULL,
  build INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  key INTEGER NOT NULL,
  start INTEGER NOT NULL,
  length INTEGER NOT NULL,
  grade INTEGER NOT NULL,
  PRIMARY KEY (test, build, kind, key, start, length, grade)
) STRICT, WITHOUT ROWID;
)",
    R"(
CREATE TABLE verdict (
  build INTEGER NOT NULL,
  fingerprint TEXT NOT NULL,
  harmful INTEGER NOT NULL,
  why TEXT NOT NULL,
  input TEXT NOT NULL,
  schedule TEXT NOT NULL,
  time INTEGER NOT NULL,
  PRIMARY KEY (build, fingerprint, harmful)
) STRICT;
)",
    // Of TestRecords (test_records.h): texts are named by their hashes, and what a test does in a function is
    // kept once for all the tests and builds in which it is the same.
    R"(
CREATE TABLE text (
  id INTEGER PRIMARY KEY,
  text TEXT NOT NULL
) STRICT;
CREATE TABLE activity (
  id INTEGER PRIMARY KEY,
  file INTEGER NOT NULL,
  function INTEGER NOT NULL,
  content BLOB NOT NULL
) STRICT;
CREATE TABLE record (
  id INTEGER PRIMARY KEY,
  test INTEGER NOT NULL,
  command INTEGER NOT NULL,
  program INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  message TEXT NOT NULL,
  microseconds INTEGER NOT NULL,
  threads INTEGER NOT NULL,
  has_blocks INTEGER NOT NULL,
  complete INTEGER NOT NULL,
  activities BLOB NOT NULL,
  time INTEGER NOT NULL
) STRICT;
CREATE INDEX record_of_test ON record (test, program, command);
CREATE TABLE found (
  record INTEGER NOT NULL,
  fingerprint TEXT NOT NULL,
  kind TEXT NOT NULL,
  message TEXT NOT NULL,
  PRIMARY KEY (record, fingerprint)
) STRICT, WITHOUT ROWID;
CREATE TABLE tree (
  content INTEGER NOT NULL,
  revision TEXT NOT NULL,
  is_working_tree INTEGER NOT NULL,
  PRIMARY KEY (content, revision, is_working_tree)
) STRICT, WITHOUT ROWID;
CREATE TABLE tested (
  tree INTEGER NOT NULL,
  test INTEGER NOT NULL,
  record INTEGER NOT NULL,
  PRIMARY KEY (tree, test, record)
) STRICT, WITHOUT ROWID;
CREATE TABLE trial (
  test INTEGER NOT NULL,
  command INTEGER NOT NULL,
  program INTEGER NOT NULL,
  settings INTEGER NOT NULL,
  executions INTEGER NOT NULL,
  suppressed INTEGER NOT NULL,
  fingerprints TEXT NOT NULL,
  PRIMARY KEY (test, command, program, settings)
) STRICT, WITHOUT ROWID;
)",
    // What the stages of a check came to with one thing each (History::load_work).
    R"(
CREATE TABLE work (
  stage TEXT NOT NULL,
  key INTEGER NOT NULL,
  milliseconds INTEGER NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (stage, key, milliseconds)
) STRICT, WITHOUT ROWID;
)",
};
constexpr int64_t kVersion = std::size(kMigrations);

// A database in which nothing has been made yet; that is what a file is while another process makes it.
bool is_blank(Database& database) {
  return database.number("PRAGMA application_id") == 0 &&
         database.number("SELECT count(*) FROM sqlite_schema") == 0;
}

Expected<void> check_version(Database& database) {
  const bool blank = is_blank(database);
  const bool ours = database.number("PRAGMA application_id") == kApplicationId;
  const int64_t version = database.number("PRAGMA user_version");
  if (database.failed()) return database.result();
  if (!blank && !ours) {
    return usage_error(fmt::format(
        "{} is a database of another program, not a history of heddle; it has been left as it is. Choose "
        "another folder",
        database.path()));
  }
  if (version > kVersion) {
    return usage_error(fmt::format(
        "the history {} was written by a newer heddle (its format is {}, this one knows {}); it has been "
        "left as it is. Use that heddle, or choose another folder",
        database.path(), version, kVersion));
  }
  return {};
}

// Before anything is written to a file: whether it is what it should be, all of it.
Expected<void> inspect(Database& database) {
  if (const Expected<void> version = check_version(database); !version) return version;
  const std::string verdict = database.text("PRAGMA quick_check(1)");
  if (database.failed()) return database.result();
  if (verdict != "ok") return usage_error(damaged_history(database.path(), verdict));
  return {};
}

Expected<void> migrate(Database& database) {
  if (!is_blank(database) && database.number("PRAGMA user_version") == kVersion) return database.result();
  Transaction transaction(database);
  // Another process may have been quicker.
  if (const Expected<void> version = check_version(database); !version) return version;
  for (int64_t at = database.number("PRAGMA user_version"); at < kVersion; ++at)
    database.execute(kMigrations[at]);
  database.execute(fmt::format("PRAGMA application_id = {}", kApplicationId).c_str());
  database.execute(fmt::format("PRAGMA user_version = {}", kVersion).c_str());
  return transaction.commit();
}

// Opens an existing file without writing to it.
Database open_to_read(const std::string& file, std::chrono::milliseconds patience) {
  Database database(file, Database::Mode::kRead, patience);
  is_blank(database);
  if (!database.is_forbidden()) return database;
  // SQLite wants to make files of its own next to it, even to read. Unless somebody has left something there
  // that belongs to it, and since we cannot, nobody needs to be kept from writing.
  std::error_code failed;
  const uintmax_t pending = fs::file_size(file + "-wal", failed);
  if (!failed && pending != 0) return database;
  return Database(file, Database::Mode::kReadUnchanging, patience);
}

// Stands for a file that is not there, or in which nothing has been made.
Database empty_database(const std::string& file, std::chrono::milliseconds patience) {
  Database database(file, Database::Mode::kInMemory, patience);
  HEDDLE_CHECK(migrate(database));
  return database;
}

bool is_refusal(const std::error_code& error) {
  return error == std::errc::permission_denied || error == std::errc::operation_not_permitted ||
         error == std::errc::read_only_file_system;
}

// Why the file, or one next to it, cannot be written; empty if it can.
std::string write_obstacle(const std::string& file, std::error_code error_of_folder) {
  const auto refusal = [](const fs::path& path) {
    const int error = ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0 ? 0 : errno;
    return std::error_code(error == ENOENT ? 0 : error, std::generic_category());
  };
  std::error_code error = error_of_folder;
  if (!error) error = refusal(file);
  if (!error) error = refusal(fs::absolute(file).parent_path());
  if (!error) return {};
  return fmt::format("the history {} cannot be written ({}); nothing new will be remembered", file,
                     error.message());
}

}  // namespace

const std::vector<Table>& tables() {
  static const std::vector<Table> kTables = {
      {"test", 4},  {"module", 3},  {"source", 3}, {"statement", 9}, {"pair", 5},
      {"point", 7}, {"verdict", 7}, {"text", 2},   {"activity", 4},  {"record", 12},
      {"found", 4}, {"tree", 3},    {"tested", 3}, {"trial", 7},     {"work", 4},
  };
  return kTables;
}

Expected<Database> read_database(const std::string& file, std::chrono::milliseconds patience) {
  std::error_code failed;
  if (!fs::is_regular_file(file, failed)) return usage_error(fmt::format("there is no history {}", file));
  Database existing = open_to_read(file, patience);
  if (const Expected<void> good = inspect(existing); !good) return tl::unexpected(good.error());
  if (is_blank(existing)) return empty_database(file, patience);
  if (existing.number("PRAGMA user_version") == kVersion) return existing;
  // The file stays as old as it is.
  Database copy = existing.copy_in_memory();
  if (const Expected<void> ready = migrate(copy); !ready) return tl::unexpected(ready.error());
  return copy;
}

Expected<Database> open_database(const std::string& file, std::chrono::milliseconds patience,
                                 std::string* read_only_reason) {
  const fs::path folder = fs::absolute(file).parent_path();
  std::error_code failed;
  const bool is_new = fs::create_directories(folder, failed);
  if (failed && !is_refusal(failed)) {
    return usage_error(
        fmt::format("the folder {} for the history cannot be made: {}", folder.string(), failed.message()));
  }
  // What is learned on one machine is no source code.
  if (is_new) std::ofstream(folder / ".gitignore") << "*\n";
  *read_only_reason = write_obstacle(file, failed);
  if (fs::exists(file, failed) && !fs::is_regular_file(file, failed))
    return usage_error(fmt::format("the history {} is not a file", file));

  const uintmax_t size = fs::file_size(file, failed);
  if (!failed && size != 0) {
    Expected<Database> existing = read_database(file, patience);
    if (!existing || !read_only_reason->empty()) return existing;
  }
  if (!read_only_reason->empty()) return empty_database(file, patience);
  Database database(file, Database::Mode::kReadWrite, patience);
  // Readers go on while another process writes, and a commit need not wait for the disk.
  database.execute_when_free("PRAGMA journal_mode = WAL");
  database.execute("PRAGMA synchronous = NORMAL");
  if (const Expected<void> ready = migrate(database); !ready) return tl::unexpected(ready.error());
  return database;
}

}  // namespace heddle
