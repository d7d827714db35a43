// UnitCache: the facts of units that have been compiled before.
//
// A unit is known by its command and by the content of its source; what is stored for it names every file
// that it was made of. It is good while these are as they were: looked at by size and time of change first,
// and by content only when the time differs. Files of the project are named relative to its root, and where
// it is built does not matter to units that use nothing from there, so that checkouts of several revisions
// share what they have in common. Two states of a unit's headers are kept (base and head). What has not been
// used for long goes away.
#pragma once

#include <chrono>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "program/compile_unit.h"
#include "support/error.h"

namespace heddle::program {

// What files are like, each looked at once. For several threads.
class FileStates {
 public:
  struct State {
    uint64_t size = 0;
    int64_t changed = 0;  // nanoseconds
  };
  // Nothing if there is no such file.
  std::optional<State> state(const std::string& path);
  std::optional<uint64_t> content(const std::string& path);

 private:
  struct Known {
    std::optional<State> state;
    std::optional<uint64_t> content;
    bool is_read = false;
  };
  std::mutex mutex_;
  std::unordered_map<std::string, Known> files_;
};

class UnitCache {
 public:
  // Where things are kept (nowhere if it is empty), the project's root, and where it is built.
  struct Folders {
    std::filesystem::path cache;
    std::filesystem::path source;
    std::filesystem::path build;
  };
  // `compiler` is all that tells one compiler from another.
  UnitCache(const Folders& folders, const std::string& compiler);

  // Encoded facts (facts_file.h).
  std::optional<std::string> find(const UnitCommand& unit);
  // `files` as the compiler named them; `started` is when it began: what changed later is not what it has
  // read.
  Expected<void> store(const UnitCommand& unit, const std::vector<std::string>& files,
                       std::chrono::system_clock::time_point started, const std::string& facts);
  // Removes what nobody has used for a month, and then the oldest until the folder is small enough; never
  // what has been used since `started`.
  void tidy(std::chrono::system_clock::time_point started) const;

 private:
  enum class Builds { kAll, kThis };  // that the facts are good for
  std::string key(const UnitCommand& unit, Builds builds);
  std::string without_root(const std::string& text) const;
  bool is_below_build(const std::string& path) const;
  std::string with_root(const std::string& path) const;
  bool is_current(std::string_view dependencies);

  std::filesystem::path folder_;
  std::string source_;  // with a slash
  std::string build_;   // the same; empty if it is below the source
  std::string compiler_;
  FileStates files_;
};

}  // namespace heddle::program
