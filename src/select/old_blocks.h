// OldBlocks: the blocks of the old program that stand for places of the new one, each once.
#pragma once

#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "program/program.h"
#include "select/analysed_program.h"
#include "select/shared_variable.h"
#include "select/version_map.h"

namespace heddle::select {

class OldBlocks {
 public:
  // `base` must outlive this; without, nobody knows where functions are called.
  explicit OldBlocks(const ProgramStructure* base = nullptr) : base_(base) {}

  // Its number.
  uint32_t add(const VersionMap::OldNode& node);
  // The same, with nodes that count as its own: whoever executes one of these stands there as well.
  uint32_t add_with(const VersionMap::OldNode& node, const std::vector<VersionMap::OldNode>& also);
  // A line of which nothing else is known.
  uint32_t add_line(const std::string& file, const std::string& function, uint32_t line);
  std::vector<OldBlock> take() { return std::move(blocks_); }

 private:
  struct Flow {
    std::vector<std::vector<uint32_t>> blocks_of;  // per node
    std::vector<uint32_t> dominators;
  };
  const Flow& flow_of(const program::Function& function);
  const std::vector<std::vector<OldBlock::Call>>& calls_of(const program::Function& function);

  const ProgramStructure* base_;
  std::vector<OldBlock> blocks_;
  // A function may be in both versions, unchanged.
  std::map<std::tuple<const program::Function*, uint32_t, bool>, uint32_t> by_node_;
  std::map<std::pair<std::string, uint32_t>, uint32_t> by_line_;
  std::unordered_map<const program::Function*, Flow> flows_;
  std::unordered_map<const program::Function*, program::FunctionIndex> indices_;
  std::unordered_map<const program::Function*, std::vector<std::vector<OldBlock::Call>>> calls_;
};

}  // namespace heddle::select
