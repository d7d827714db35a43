// What the machine that executes bitcode knows of a function before it does: its blocks, and which branches
// decide over them.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include <llvm/IR/Function.h>

namespace heddle::program {

struct FunctionShape {
  struct Block {
    std::vector<uint32_t> nodes;     // of its operations
    std::vector<uint32_t> deciders;  // blocks that it depends on
    uint32_t last_node = ~0u;        // of its branch
  };
  std::vector<Block> blocks;
  std::unordered_map<const llvm::BasicBlock*, uint32_t> block_ids;
  std::unordered_map<const llvm::Value*, uint32_t> slots;  // of arguments and results
  bool is_endless = false;                                 // what never ends has no post-dominators
};

// By the definition: a block depends on a branch if it is on every way from one of its edges to the end, and
// not from all. `node_of` gives ~0u where there is none.
FunctionShape shape_of_function(const llvm::Function& function,
                                const std::function<uint32_t(const llvm::Instruction&)>& node_of);

}  // namespace heddle::program
