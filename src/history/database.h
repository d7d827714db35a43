// Database and Query: SQLite as this folder uses it. No SQLite type is seen outside.
//
// An error stays: after the first one everything does nothing, until result() has told it. So code can go
// through its rows, and ask once at the end. Texts that a query gives out are valid until its next row.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "support/error.h"

struct sqlite3;
struct sqlite3_stmt;

namespace heddle {

class Database {
 public:
  enum class Mode {
    kReadWrite,  // made if there is none
    kRead,
    kReadUnchanging,  // without any lock: the file must not be written by anyone
    kInMemory,
  };

  Database(const std::string& path, Mode mode, std::chrono::milliseconds patience);
  Database(Database&& other) noexcept;
  Database& operator=(Database&& other) noexcept;
  ~Database();

  // With all that is in this one.
  Database copy_in_memory();
  // The same in a file, which must not exist: all of it as it is at one moment, whoever else writes.
  void copy_to(const std::string& file);

  void execute(const char* sql);
  // The first column of the only row; 0 if there is none.
  int64_t number(const char* sql);
  std::string text(const char* sql);

  // Until another process lets go of the file, but not longer than the patience.
  void execute_when_free(const char* sql);

  bool failed() const { return code_ != 0; }
  // The file or its folder does not let us do what was asked.
  bool is_forbidden() const;
  // What was wrong since it was last asked, as a sentence for the user.
  Expected<void> result();

  const std::string& path() const { return path_; }

 private:
  friend class Query;
  friend class Transaction;
  void check(int code);
  sqlite3_stmt* statement(const char* sql);
  void keep(sqlite3_stmt* statement);
  std::string sentence() const;

  std::string path_;
  std::chrono::milliseconds patience_;
  sqlite3* handle_ = nullptr;
  std::unordered_map<std::string, std::vector<sqlite3_stmt*>> idle_;  // by their text: to prepare one is slow
  int code_ = 0;                                                      // SQLite's, without extension
  std::string message_;
};

// A value that is no text.
struct Bytes {
  std::string_view value;
};

class Query {
 public:
  Query(Database& database, const char* sql);
  Query(Query&&) = delete;
  ~Query();

  // Values of the question marks, from left to right. Begins again.
  template <typename... Values>
  Query& with(const Values&... values) {
    reset();
    int index = 0;
    (bind(++index, values), ...);
    return *this;
  }

  bool next();  // to the next row; false if there is none
  void run() {
    while (next()) {
    }
  }

  uint64_t number(int column) const;
  std::string_view text(int column) const;
  std::string_view bytes(int column) const;
  // Gives the row on, column by column.
  void copy_row_to(Query& insertion) const;

 private:
  void reset();
  void bind(int index, uint64_t value);
  void bind(int index, std::string_view value);
  void bind(int index, const Bytes& value);

  Database& database_;
  sqlite3_stmt* statement_ = nullptr;
};

// All or nothing: what has not been committed when it goes away is undone.
class Transaction {
 public:
  // Other writers wait from here.
  explicit Transaction(Database& database);
  ~Transaction();
  Expected<void> commit();

 private:
  Database& database_;
};

// What to say of a file that cannot be understood.
std::string damaged_history(const std::string& path, const std::string& reason);

}  // namespace heddle
