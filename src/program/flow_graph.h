// FlowGraph: the blocks of a function as a graph, with dominators, post-dominators and cycles.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "program/facts.h"

namespace heddle::program {

class FlowGraph {
 public:
  enum class Edges : uint8_t { kAll, kNormal };  // kNormal: without those to landing pads
  FlowGraph(const Function& function, Edges edges);

  uint32_t size() const { return static_cast<uint32_t>(successors_.size()); }
  const std::vector<uint32_t>& successors(uint32_t block) const { return successors_[block]; }
  const std::vector<uint32_t>& predecessors(uint32_t block) const { return predecessors_[block]; }
  // Blocks that the entry reaches, each before its successors, but for edges back.
  std::vector<uint32_t> reverse_postorder() const;
  // Whether a block may be executed again after it was.
  std::vector<bool> in_cycle() const;
  // The immediate dominator of each block; the entry's is itself, that of a block not reached kNone.
  std::vector<uint32_t> dominators() const;
  // The immediate post-dominator of each block; exit() stands for leaving the function. A block that cannot
  // reach the end (an endless loop) is taken to leave the function after some rounds, so that each has one.
  std::vector<uint32_t> post_dominators() const;
  uint32_t exit() const { return size(); }

  // Pairs (block, block that decides whether it is executed); exit() as the second stands for the call of the
  // function itself. Ferrante, Ottenstein, Warren 1987, section 3; an edge to a landing pad decides what is
  // executed there, but does not make what follows a call depend on it.
  static std::vector<std::pair<uint32_t, uint32_t>> control_dependence(const Function& function);

 private:
  std::vector<std::vector<uint32_t>> successors_;
  std::vector<std::vector<uint32_t>> predecessors_;
};

}  // namespace heddle::program
