#include "check/reached_code.h"

namespace heddle {
namespace {

// No code is executed at a label, and destructors run wherever a scope is left.
bool is_executed(const SourceStatement& statement) {
  return statement.kind != StatementKind::kCase && statement.kind != StatementKind::kScopeEnd;
}

}  // namespace

ReachedCode::ReachedCode(const StatementMap& map) : map_(map) {
  for (const StatementChange& change : map.changes()) {
    const SourceStatement* statement = change.new_statement ? map.find_head(*change.new_statement) : nullptr;
    if (statement != nullptr && is_executed(*statement)) changed_.push_back(*change.new_statement);
  }
}

void ReachedCode::reach(const std::string& file, uint32_t line, uint32_t column) {
  std::optional<StatementId> at = map_.head_statement_at(file, line, column);
  while (at) {
    const SourceStatement* statement = map_.find_head(*at);
    if (statement == nullptr) return;
    entered_.insert(at->function);
    if (!reached_.insert(arm_of(*at, *statement)).second) return;
    // Whoever is there has passed the condition.
    if (statement->parent == ~0u) return;
    at->index = statement->parent;
  }
}

void ReachedCode::can_show(const std::string& file, uint32_t line, uint32_t column) {
  const std::optional<StatementId> at = map_.head_statement_at(file, line, column);
  if (!at) return;
  if (const SourceStatement* statement = map_.find_head(*at)) visible_.insert(arm_of(*at, *statement));
}

std::vector<StatementId> ReachedCode::unreached() const {
  std::vector<StatementId> result;
  for (const StatementId& id : changed_) {
    const Arm arm = arm_of(id, *map_.find_head(id));
    if (entered_.contains(id.function) && visible_.contains(arm) && !reached_.contains(arm))
      result.push_back(id);
  }
  return result;
}

}  // namespace heddle
