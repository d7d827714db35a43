// A folder with source files and a history, for one test.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "history/history.h"

namespace heddle {

inline std::string read_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_bytes(const std::filesystem::path& path, const std::string& bytes) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

// Makes a history of the newest version one of the first or the second.
inline constexpr const char* kToSecondVersion =
    "DROP TABLE text; DROP TABLE activity; DROP TABLE record; DROP TABLE found; DROP TABLE tree; "
    "DROP TABLE tested; DROP TABLE trial; DROP TABLE work; PRAGMA user_version = 2";
inline constexpr const char* kToFirstVersion = "DROP TABLE verdict; PRAGMA user_version = 1";

class Project {
 public:
  Project() {
    std::string name = testing::TempDir() + "/project-XXXXXX";
    root_ = ::mkdtemp(name.data());
    std::filesystem::create_directory(root_ / ".git");
  }
  Project(const Project&) = delete;
  ~Project() { std::filesystem::remove_all(root_); }

  const std::filesystem::path& root() const { return root_; }
  std::string history() const { return history_file((root_ / ".heddle").string()); }

  // The file is as old as the first build.
  void write(const std::string& name, const std::string& text) {
    write_bytes(root_ / name, text);
    std::filesystem::last_write_time(root_ / name, time());
  }
  // After all builds that have been made.
  void write_later(const std::string& name, const std::string& text) {
    write_bytes(root_ / name, text);
    std::filesystem::last_write_time(root_ / name, time() + std::chrono::hours(1));
  }

  static std::filesystem::file_time_type time() {
    static const std::filesystem::file_time_type kStarted = std::filesystem::file_time_type::clock::now();
    return kStarted;
  }

  // A program and a library that it is linked with.
  static Build build(const std::string& program_id, const std::string& library_id = "1") {
    return {.modules = {{"libqueue.so", library_id}, {"queue_test", program_id}}, .time = time()};
  }

 private:
  std::filesystem::path root_;
};

inline TestCommand test_command() {
  return {.argv = {"./queue_test", "--items", "3"}};
}

inline Statement statement_at(const std::string& file, uint32_t line,
                              std::vector<CodePosition> context = {}) {
  return {.at = {.file = file, .line = line, .column = 3},
          .operation = "write",
          .context = std::move(context),
          .function = "Queue::push"};
}

// That `statement` has been seen after `before`.
inline void add_pair(TestMemory* memory, const Statement& statement, const Statement& before) {
  memory->statements.emplace(key_of(statement), statement);
  memory->statements.emplace(key_of(before), before);
  memory->sets.add({key_of(statement), key_of(before), true});
}

inline TestMemory pair_memory(const Statement& statement, const Statement& before) {
  TestMemory memory;
  add_pair(&memory, statement, before);
  return memory;
}

inline History open_history(const std::string& file) {
  Expected<History> history = History::open(file);
  if (!history) ADD_FAILURE() << history.error().message;
  return std::move(*history);
}

inline TestMemory load(History& history, const Build& build) {
  Expected<TestMemory> memory = history.load(test_command(), build);
  if (!memory) ADD_FAILURE() << memory.error().message;
  return std::move(*memory);
}

inline void save(History& history, const Build& build, const TestMemory& memory) {
  const Expected<void> saved = history.save(test_command(), build, memory);
  if (!saved) ADD_FAILURE() << saved.error().message;
}

}  // namespace heddle
