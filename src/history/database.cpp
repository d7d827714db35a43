#include "history/database.h"

#include <cerrno>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <sqlite3.h>

namespace heddle {
namespace {

constexpr std::chrono::milliseconds kPause{10};

int flags_of(Database::Mode mode) {
  switch (mode) {
    case Database::Mode::kReadWrite:
      return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    case Database::Mode::kRead:
    case Database::Mode::kReadUnchanging:
      return SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
    case Database::Mode::kInMemory:
      return SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY;
  }
  return 0;
}

// A path as part of an address, in which some characters have a meaning of their own.
std::string uri_of(const std::string& path) {
  std::string uri = "file:";
  for (const char c : path) {
    if (c == '?' || c == '#' || c == '%')
      uri += fmt::format("%{:02x}", static_cast<unsigned char>(c));
    else
      uri += c;
  }
  return uri + "?immutable=1";
}

}  // namespace

Database::Database(const std::string& path, Mode mode, std::chrono::milliseconds patience)
    : path_(path), patience_(patience) {
  const std::string name = mode == Mode::kReadUnchanging ? uri_of(path) : path;
  check(sqlite3_open_v2(name.c_str(), &handle_, flags_of(mode) | SQLITE_OPEN_EXRESCODE, nullptr));
  sqlite3_busy_timeout(handle_, static_cast<int>(patience.count()));
}

Database::Database(Database&& other) noexcept
    : path_(std::move(other.path_)),
      patience_(other.patience_),
      handle_(std::exchange(other.handle_, nullptr)),
      idle_(std::exchange(other.idle_, {})),
      code_(other.code_),
      message_(std::move(other.message_)) {}

Database& Database::operator=(Database&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(patience_, other.patience_);
  std::swap(handle_, other.handle_);
  std::swap(idle_, other.idle_);
  std::swap(code_, other.code_);
  std::swap(message_, other.message_);
  return *this;
}

Database::~Database() {
  for (const auto& [sql, statements] : idle_)
    for (sqlite3_stmt* statement : statements) sqlite3_finalize(statement);
  sqlite3_close(handle_);
}

sqlite3_stmt* Database::statement(const char* sql) {
  if (failed()) return nullptr;
  if (const auto idle = idle_.find(sql); idle != idle_.end() && !idle->second.empty()) {
    sqlite3_stmt* const statement = idle->second.back();
    idle->second.pop_back();
    return statement;
  }
  sqlite3_stmt* statement = nullptr;
  check(sqlite3_prepare_v2(handle_, sql, -1, &statement, nullptr));
  return statement;
}

// A statement that is not reset holds a lock.
void Database::keep(sqlite3_stmt* statement) {
  if (statement == nullptr) return;
  sqlite3_reset(statement);
  sqlite3_clear_bindings(statement);
  idle_[sqlite3_sql(statement)].push_back(statement);
}

void Database::check(int code) {
  if (failed() || code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE) return;
  code_ = code & 0xff;
  message_ = sqlite3_errmsg(handle_);
  // To SQLite it is an error of the disk if the files beside the history find no room.
  if (code_ == SQLITE_IOERR && sqlite3_system_errno(handle_) == ENOSPC) code_ = SQLITE_FULL;
}

Database Database::copy_in_memory() {
  Database copy(path_, Mode::kInMemory, patience_);
  sqlite3_backup* const backup = sqlite3_backup_init(copy.handle_, "main", handle_, "main");
  if (backup != nullptr) sqlite3_backup_step(backup, -1);
  copy.check(backup != nullptr ? sqlite3_backup_finish(backup) : sqlite3_errcode(copy.handle_));
  return copy;
}

void Database::copy_to(const std::string& file) {
  Query(*this, "VACUUM INTO ?").with(std::string_view(file)).run();
}

void Database::execute(const char* sql) {
  if (!failed()) check(sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr));
}

// SQLite does not wait where two that wait could wait for each other.
void Database::execute_when_free(const char* sql) {
  const auto end = std::chrono::steady_clock::now() + patience_;
  while (!failed()) {
    const int code = sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr);
    if ((code & 0xff) != SQLITE_BUSY || std::chrono::steady_clock::now() >= end) return check(code);
    std::this_thread::sleep_for(kPause);
  }
}

int64_t Database::number(const char* sql) {
  Query query(*this, sql);
  return query.next() ? static_cast<int64_t>(query.number(0)) : 0;
}

std::string Database::text(const char* sql) {
  Query query(*this, sql);
  return query.next() ? std::string(query.text(0)) : std::string();
}

bool Database::is_forbidden() const {
  return code_ == SQLITE_CANTOPEN || code_ == SQLITE_READONLY || code_ == SQLITE_PERM;
}

std::string Database::sentence() const {
  switch (code_) {
    case SQLITE_BUSY:
      return fmt::format("the history {} is locked by another process; try again when that has ended", path_);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return damaged_history(path_, message_);
    case SQLITE_FULL:
      return fmt::format("there is no room on the disk for the history {}", path_);
    default:
      return fmt::format("the history {} cannot be used: {}", path_, message_);
  }
}

Expected<void> Database::result() {
  if (!failed()) return {};
  const std::string message = sentence();
  code_ = SQLITE_OK;
  return usage_error(message);
}

std::string damaged_history(const std::string& path, const std::string& reason) {
  return fmt::format(
      "the history {} is damaged ({}); it has been left as it is. Move it away to begin a new one, or choose "
      "another folder",
      path, reason);
}

Query::Query(Database& database, const char* sql)
    : database_(database), statement_(database.statement(sql)) {}

Query::~Query() {
  database_.keep(statement_);
}

void Query::reset() {
  sqlite3_reset(statement_);
}

void Query::bind(int index, uint64_t value) {
  if (!database_.failed())
    database_.check(sqlite3_bind_int64(statement_, index, static_cast<int64_t>(value)));
}

void Query::bind(int index, std::string_view value) {
  if (!database_.failed())
    database_.check(
        sqlite3_bind_text(statement_, index, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT));
}

void Query::bind(int index, const Bytes& value) {
  if (!database_.failed())
    database_.check(
        sqlite3_bind_blob64(statement_, index, value.value.data(), value.value.size(), SQLITE_TRANSIENT));
}

bool Query::next() {
  if (database_.failed()) return false;
  const int code = sqlite3_step(statement_);
  database_.check(code);
  return code == SQLITE_ROW;
}

uint64_t Query::number(int column) const {
  return static_cast<uint64_t>(sqlite3_column_int64(statement_, column));
}

std::string_view Query::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  return {text == nullptr ? "" : text, static_cast<size_t>(sqlite3_column_bytes(statement_, column))};
}

std::string_view Query::bytes(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column));
  return {bytes == nullptr ? "" : bytes, static_cast<size_t>(sqlite3_column_bytes(statement_, column))};
}

void Query::copy_row_to(Query& insertion) const {
  if (database_.failed() || insertion.database_.failed()) return;
  insertion.reset();
  for (int i = 0; i < sqlite3_column_count(statement_); ++i)
    insertion.database_.check(
        sqlite3_bind_value(insertion.statement_, i + 1, sqlite3_column_value(statement_, i)));
  insertion.run();
}

Transaction::Transaction(Database& database) : database_(database) {
  database.execute("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (sqlite3_get_autocommit(database_.handle_) == 0)
    sqlite3_exec(database_.handle_, "ROLLBACK", nullptr, nullptr, nullptr);
}

Expected<void> Transaction::commit() {
  database_.execute("COMMIT");
  return database_.result();
}

}  // namespace heddle
