#include "bitcode_shape.h"

#include <algorithm>
#include <set>

#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

#include "program/facts.h"

namespace heddle::program {

FunctionShape shape_of_function(const llvm::Function& function,
                                const std::function<uint32_t(const llvm::Instruction&)>& node_of) {
  FunctionShape shape;
  for (const llvm::Argument& argument : function.args())
    shape.slots.emplace(&argument, static_cast<uint32_t>(shape.slots.size()));
  for (const llvm::BasicBlock& block : function) {
    shape.block_ids.emplace(&block, static_cast<uint32_t>(shape.block_ids.size()));
    for (const llvm::Instruction& instruction : block)
      shape.slots.emplace(&instruction, static_cast<uint32_t>(shape.slots.size()));
  }
  const size_t count = shape.block_ids.size();
  shape.blocks.resize(count);
  std::vector<std::vector<uint32_t>> next(count);
  std::vector<std::vector<uint32_t>> previous(count);
  for (const llvm::BasicBlock& block : function) {
    const uint32_t id = shape.block_ids.at(&block);
    for (const llvm::BasicBlock* to : llvm::successors(&block)) {
      next[id].push_back(shape.block_ids.at(to));
      previous[shape.block_ids.at(to)].push_back(id);
    }
    std::set<uint32_t> here;
    for (const llvm::Instruction& instruction : block)
      if (const uint32_t node = node_of(instruction); node != kNone) here.insert(node);
    shape.blocks[id].nodes.assign(here.begin(), here.end());
    shape.blocks[id].last_node = node_of(*block.getTerminator());
  }
  auto ends = [&](uint32_t without) {
    std::vector<bool> result(count);
    std::vector<uint32_t> open;
    for (uint32_t block = 0; block < count; ++block)
      if (next[block].empty() && block != without) open.push_back(block), result[block] = true;
    while (!open.empty()) {
      const uint32_t at = open.back();
      open.pop_back();
      for (uint32_t from : previous[at])
        if (!result[from] && from != without) result[from] = true, open.push_back(from);
    }
    return result;
  };
  const std::vector<bool> all = ends(kNone);
  shape.is_endless = std::find(all.begin(), all.end(), false) != all.end();
  for (uint32_t block = 0; block < count; ++block) {
    const std::vector<bool> without = ends(block);
    for (uint32_t decider = 0; decider < count; ++decider) {
      const auto passing = std::count_if(next[decider].begin(), next[decider].end(),
                                         [&](uint32_t to) { return !without[to]; });
      if (passing > 0 && static_cast<size_t>(passing) < next[decider].size())
        shape.blocks[block].deciders.push_back(decider);
    }
  }
  return shape;
}

}  // namespace heddle::program
