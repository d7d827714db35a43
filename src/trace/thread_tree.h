// ThreadTree: the threads a schedule speaks of, by their place in the tree of creation.
//
// A thread is "the n-th child of that one", which is the same in every execution that follows the schedule;
// as text it is a path such as main/1/2. Entry 0 is main, and parents come before their children.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trace/layout.h"

namespace heddle::trace {

class ThreadTree {
 public:
  // The entry of the `ordinal`-th child (from 1) of entry `parent`, added if it is new.
  uint32_t child(uint32_t parent, uint32_t ordinal);

  // The entry of a path, added with its ancestors if it is new; nothing if the text is not a path.
  std::optional<uint32_t> intern(std::string_view path);

  std::string name(uint32_t entry) const;

  size_t size() const { return records_.size(); }
  const std::vector<ScheduleThreadRecord>& records() const { return records_; }

 private:
  std::vector<ScheduleThreadRecord> records_ = {{0, 0}};
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> entries_;  // (parent, ordinal) → entry
};

// Is this how a thread is named: "main" or "main/1/2"?
bool is_thread_path(std::string_view text);

}  // namespace heddle::trace
