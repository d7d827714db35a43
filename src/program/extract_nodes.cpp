#include "program/extract_nodes.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace heddle::program {

uint32_t NodeTable::of(const llvm::DILocation* location) {
  if (location == nullptr || location->getLine() == 0) return kNone;
  auto known = by_location_.find(location);
  if (known != by_location_.end()) return known->second;
  const uint32_t node = find_or_make(location);
  by_location_[location] = node;
  return node;
}

uint32_t NodeTable::find_or_make(const llvm::DILocation* location) {
  const std::string& file = unit_.file_name(location->getFile());
  const uint32_t line = location->getLine();
  const uint32_t column = location->getColumn();
  const auto next = static_cast<uint32_t>(nodes_.size());
  StatementLookup* statements = unit_.options.statements;
  // Only files of the project are read: the text of libraries is nobody's change.
  const bool is_ours = !file.empty() && file.front() != '/';
  const SourceStatement* statement =
      statements != nullptr && is_ours ? statements->find(file, line, column) : nullptr;
  if (statement != nullptr) {
    auto [known, is_new] = by_statement_.try_emplace(statement, next);
    if (is_new) nodes_.push_back({file, statement->range, statement->text, statement->normal});
    return known->second;
  }
  auto [known, is_new] = by_line_.try_emplace({file, line}, next);
  if (is_new) {
    nodes_.push_back({.file = file, .range = {line, column, line, column}, .text = {}, .normal = {}});
  } else {
    SourceRange& range = nodes_[known->second].range;
    range.first_column = std::min(range.first_column, column);
    range.last_column = std::max(range.last_column, column);
  }
  return known->second;
}

void NodeTable::finish(Function& function) {
  std::vector<uint32_t> order(nodes_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    const bool a_elsewhere = nodes_[a].file != function.file;
    const bool b_elsewhere = nodes_[b].file != function.file;
    return std::tie(a_elsewhere, nodes_[a].file, nodes_[a].range) <
           std::tie(b_elsewhere, nodes_[b].file, nodes_[b].range);
  });
  std::vector<uint32_t> place(order.size());
  for (uint32_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    function.nodes.push_back(std::move(nodes_[order[i]]));
  }
  for (Block& block : function.blocks)
    for (Op& op : block.ops)
      if (op.node != kNone) op.node = place[op.node];
}

}  // namespace heddle::program
