// TestMemory: what is remembered of a test from one exploration to the next.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "history/hapset.h"
#include "history/statement.h"
#include "trace/layout.h"

namespace heddle {

struct TestMemory {
  std::vector<trace::PointRecord> points;    // locations that threads share
  HapSet sets;                               // which statements came before which
  std::map<uint64_t, Statement> statements;  // those that `sets` speaks of, by key

  // Adds what `other` knows.
  void merge(const TestMemory& other);
  // Forgets the statements and all that is known of them.
  void drop(const std::set<uint64_t>& keys);
};

// Where a position of one version of the source is in the next one; nothing if it was changed or removed.
using PositionMap = std::function<std::optional<CodePosition>(const CodePosition&)>;

// What a memory of one version says of the next: statements under their new positions, without those that
// have none. Points are left out; which locations there are is another matter than which lines.
TestMemory carry(const TestMemory& memory, const PositionMap& map);

}  // namespace heddle
