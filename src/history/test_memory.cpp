#include "history/test_memory.h"

#include "trace/point_less.h"

namespace heddle {
namespace {

std::optional<Statement> carry(Statement statement, const PositionMap& map) {
  std::optional<CodePosition> at = map(statement.at);
  if (!at) return std::nullopt;
  statement.at = std::move(*at);
  for (CodePosition& call : statement.context) {
    std::optional<CodePosition> now = map(call);
    if (!now) return std::nullopt;
    call = std::move(*now);
  }
  return statement;
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
    std::optional<Statement> now = carry(statement, map);
    if (!now) continue;
    keys[key] = key_of(*now);
    carried.statements.emplace(keys[key], std::move(*now));
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
