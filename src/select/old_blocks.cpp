#include "select/old_blocks.h"

#include <algorithm>
#include <set>

#include "program/flow_graph.h"

namespace heddle::select {

using program::Function;
using program::Node;

namespace {

// Functions that are put into their callers are small, and called from not too many places.
constexpr size_t kCallLevels = 3;
constexpr size_t kCallsOfLevel = 64;

// A statement with braces holds others, whose lines are not its own.
std::vector<uint32_t> lines_of(const Node& node) {
  std::vector<uint32_t> lines{node.range.first_line};
  if (node.text.find('{') != std::string::npos) return lines;
  for (uint32_t line = node.range.first_line + 1; line <= node.range.last_line; ++line) lines.push_back(line);
  return lines;
}

std::vector<uint32_t> lines_of_block(const Function& function, uint32_t block, const std::string& file) {
  std::set<uint32_t> lines;
  for (const program::Op& op : function.blocks[block].ops) {
    if (op.node == kNone || function.nodes[op.node].file != file) continue;
    for (const uint32_t line : lines_of(function.nodes[op.node])) lines.insert(line);
  }
  return {lines.begin(), lines.end()};
}

}  // namespace

const OldBlocks::Flow& OldBlocks::flow_of(const Function& function) {
  const auto [known, is_new] = flows_.try_emplace(&function);
  Flow& flow = known->second;
  if (!is_new) return flow;
  flow.blocks_of.resize(function.nodes.size());
  for (uint32_t b = 0; b < function.blocks.size(); ++b) {
    for (const program::Op& op : function.blocks[b].ops) {
      if (op.node == kNone) continue;
      std::vector<uint32_t>& blocks = flow.blocks_of[op.node];
      if (blocks.empty() || blocks.back() != b) blocks.push_back(b);
    }
  }
  flow.dominators = program::FlowGraph(function, program::FlowGraph::Edges::kAll).dominators();
  return flow;
}

const std::vector<std::vector<OldBlock::Call>>& OldBlocks::calls_of(const Function& function) {
  const auto [known, is_new] = calls_.try_emplace(&function);
  if (!is_new || base_ == nullptr) return known->second;
  if (indices_.empty())
    for (program::FunctionIndex f = 0; f < base_->program.size(); ++f)
      indices_[&base_->program.function(f)] = f;
  const auto index = indices_.find(&function);
  if (index == indices_.end()) return known->second;
  std::set<program::FunctionIndex> seen{index->second};
  std::vector<program::FunctionIndex> level{index->second};
  while (!level.empty() && known->second.size() < kCallLevels) {
    std::set<OldBlock::Call> calls;
    std::vector<program::FunctionIndex> above;
    for (const program::FunctionIndex f : level) {
      for (const program::OpId& id : base_->call_graph->callers(f)) {
        const Function& caller = base_->program.function(id.function);
        const uint32_t node = caller.blocks[id.block].ops[id.op].node;
        if (node != kNone && calls.size() < kCallsOfLevel)
          calls.insert({caller.nodes[node].file, caller.nodes[node].range.first_line});
        if (seen.insert(id.function).second) above.push_back(id.function);
      }
    }
    known->second.emplace_back(calls.begin(), calls.end());
    level = std::move(above);
  }
  return known->second;
}

uint32_t OldBlocks::add(const VersionMap::OldNode& at) {
  const auto [known, is_new] = by_node_.try_emplace({at.function, at.node, at.is_of_base}, 0);
  if (!is_new) return known->second;
  const Function& function = *at.function;
  const Node& node = function.nodes[at.node];
  OldBlock block{at.file, function.name, node.range.first_line, {lines_of(node)}, node.range.last_line};
  const Flow& flow = flow_of(function);
  std::set<uint32_t> seen;
  std::vector<uint32_t> level = flow.blocks_of[at.node];
  while (!level.empty()) {
    std::vector<uint32_t> lines;
    std::vector<uint32_t> above;
    for (const uint32_t b : level) {
      if (!seen.insert(b).second) continue;
      const std::vector<uint32_t> more = lines_of_block(function, b, node.file);
      lines.insert(lines.end(), more.begin(), more.end());
      if (flow.dominators[b] != kNone) above.push_back(flow.dominators[b]);
    }
    const bool is_own = block.lines.size() == 1;  // its basic block
    if (is_own || (!lines.empty() && lines != block.lines.back())) block.lines.push_back(std::move(lines));
    level = std::move(above);
  }
  if (function.line != 0) {
    block.lines.push_back({function.line});
    block.function_begin = block.function_end = function.line;
    for (const Node& other : function.nodes)
      if (other.file == node.file) block.function_end = std::max(block.function_end, other.range.last_line);
  }
  if (at.is_of_base) block.calls = calls_of(function);
  known->second = static_cast<uint32_t>(blocks_.size());
  blocks_.push_back(std::move(block));
  return known->second;
}

uint32_t OldBlocks::add_with(const VersionMap::OldNode& at, const std::vector<VersionMap::OldNode>& also) {
  OldBlock block = blocks_[add(at)];
  std::set<uint32_t> lines(block.lines[1].begin(), block.lines[1].end());
  for (const VersionMap::OldNode& other : also)
    // Braces may be those of a function of its own, which other threads execute on the same line.
    if (const Node& there = other.function->nodes[other.node];
        other.file == at.file && there.text.find('{') == std::string::npos)
      for (const uint32_t line : lines_of(there)) lines.insert(line);
  block.lines[1].assign(lines.begin(), lines.end());
  blocks_.push_back(std::move(block));
  return static_cast<uint32_t>(blocks_.size() - 1);
}

uint32_t OldBlocks::add_line(const std::string& file, const std::string& function, uint32_t line) {
  const auto [known, is_new] = by_line_.try_emplace({file, line}, static_cast<uint32_t>(blocks_.size()));
  if (is_new) blocks_.push_back({file, function, line, {{line}}, line});
  return known->second;
}

}  // namespace heddle::select
