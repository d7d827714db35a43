#include "classic.h"

#include <map>
#include <optional>
#include <set>

#include "select/coverage.h"
#include "select/old_blocks.h"

namespace heddle::bench {
namespace {

// What stands in the base for a statement that the change adds: the one before it, which leads to it.
std::optional<StatementId> place_in_base(const StatementMap& statements, const StatementChange& change) {
  if (change.old_statement || !change.new_statement) return change.old_statement;
  StatementId before = *change.new_statement;
  while (before.index-- > 0)
    if (std::optional<StatementId> old = statements.to_old(before)) return old;
  for (StatementId after = *change.new_statement; statements.find_head(after) != nullptr; ++after.index)
    if (std::optional<StatementId> old = statements.to_old(after)) return old;
  return std::nullopt;  // in a function that the base does not have: its callers have changed, too
}

std::vector<select::OldBlock> touched_blocks(const program::Program& base, const SourceChange& change) {
  select::OldBlocks blocks;
  for (const StatementChange& statement : change.statements.changes()) {
    const std::optional<StatementId> old = place_in_base(change.statements, statement);
    const SourceStatement* text = old ? change.statements.find_base(*old) : nullptr;
    if (text == nullptr) continue;
    const std::string& file = old->function.file;
    const std::vector<program::NodeId> nodes =
        base.nodes_at(file, text->range.first_line, text->range.first_column);
    for (const program::NodeId& node : nodes)
      blocks.add({&base.function(node.function), node.node, file, /*is_equal=*/true});
    if (nodes.empty()) blocks.add_line(file, old->function.signature, text->range.first_line);
  }
  return blocks.take();
}

}  // namespace

std::vector<std::string> classic_selection(const program::Program& base, const SourceChange& change,
                                           const std::vector<KnownTest>& history,
                                           const std::vector<std::string>& tests) {
  std::map<std::string, const KnownTest*> records;
  for (const KnownTest& test : history) records[test.record.key.test] = &test;
  select::Coverage coverage;
  std::vector<bool> is_selected(tests.size());
  for (size_t i = 0; i < tests.size(); ++i) {
    const auto found = records.find(tests[i]);
    is_selected[i] = found == records.end() || !found->second->is_of_tree || !found->second->record.complete;
    if (!is_selected[i]) coverage.add(static_cast<select::TestIndex>(i), found->second->record);
  }
  coverage.finish();
  for (const select::OldBlock& block : touched_blocks(base, change))
    for (const select::CoveringTest& by : coverage.of(block)) is_selected[by.test] = true;
  std::vector<std::string> selected;
  for (size_t i = 0; i < tests.size(); ++i)
    if (is_selected[i]) selected.push_back(tests[i]);
  return selected;
}

}  // namespace heddle::bench
