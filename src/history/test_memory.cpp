#include "history/test_memory.h"

#include <algorithm>

#include "trace/point_less.h"

namespace heddle {
namespace {

// False if it has no position in the new version.
bool carry(CodePosition* position, const PositionMap& map) {
  if (position->file.empty()) return true;
  std::optional<CodePosition> now = map(*position);
  if (now) *position = std::move(*now);
  return now.has_value();
}

bool carry(Statement* statement, const PositionMap& map) {
  return carry(&statement->at, map) && std::all_of(statement->context.begin(), statement->context.end(),
                                                   [&](CodePosition& call) { return carry(&call, map); });
}

}  // namespace

void TestMemory::merge(const TestMemory& other) {
  std::set<trace::PointRecord, trace::PointLess> all(points.begin(), points.end());
  all.insert(other.points.begin(), other.points.end());
  points.assign(all.begin(), all.end());
  sets.merge(other.sets);
  statements.insert(other.statements.begin(), other.statements.end());
}

void TestMemory::drop(const std::set<uint64_t>& keys) {
  sets.drop(keys);
  for (const uint64_t key : keys) statements.erase(key);
}

TestMemory carry(const TestMemory& memory, const PositionMap& map) {
  TestMemory carried;
  std::map<uint64_t, uint64_t> keys;  // old to new
  for (const auto& [key, statement] : memory.statements) {
    Statement now = statement;
    if (!carry(&now, map)) continue;
    keys[key] = key_of(now);
    carried.statements.emplace(keys[key], std::move(now));
  }
  for (const HapSet::Pair& pair : memory.sets.pairs()) {
    const auto statement = keys.find(pair.statement);
    const auto before = keys.find(pair.before);
    if (statement != keys.end() && before != keys.end())
      carried.sets.add({statement->second, before->second, pair.by_larger});
  }
  return carried;
}

}  // namespace heddle
