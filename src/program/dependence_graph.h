// DependenceGraph: what Dependence keeps. For pdg.cpp, slice.cpp and what builds it.
//
// Vertices are the nodes of all functions, and helpers between them, so that the graph stays linear in the
// size of the program: for each function its entry, what it returns and its parameters; operations that
// belong to no node; and places of memory, with an edge from each that writes there and to each that reads.
// What a node depends on is found by passing through helpers.
#pragma once

#include <cstdint>
#include <vector>

#include "program/analyses.h"

namespace heddle::program {

struct DependenceEdge {
  uint32_t from;  // `to` depends on it
  uint32_t to;
  Dependence::Kind kind;

  auto operator<=>(const DependenceEdge&) const = default;
};

// Numbers of vertices; operations of one function at a time.
class Vertices {
 public:
  explicit Vertices(const Program& program);

  uint32_t of_node(NodeId node) const { return first_[node.function] + node.node; }
  uint32_t entry(FunctionIndex function) const { return first_[function] + nodes_[function]; }
  uint32_t returned(FunctionIndex function) const { return entry(function) + 1; }
  uint32_t parameter(FunctionIndex function, uint32_t index) const { return entry(function) + 2 + index; }
  // Of each operation of the function, by block.
  std::vector<std::vector<uint32_t>> of_ops(FunctionIndex function) const;
  uint32_t add_helper() { return count_++; }
  uint32_t count() const { return count_; }
  // kNone: a helper.
  NodeId node_of(uint32_t vertex) const;

 private:
  const Program* program_;
  std::vector<uint32_t> first_;
  std::vector<uint32_t> nodes_;
  uint32_t count_ = 0;
};

struct Dependence::Impl {
  explicit Impl(const Program& program) : vertices(program) {}

  // Edges sorted for either direction, with the first edge of each vertex.
  struct Direction {
    std::vector<uint32_t> first;
    std::vector<uint32_t> other;
    std::vector<Kind> kind;
  };
  std::vector<On> neighbours(const Direction& direction, NodeId node) const;
  std::set<NodeId> reach(const Direction& direction, const std::vector<NodeId>& from) const;

  Vertices vertices;
  Direction backward;
  Direction forward;
};

}  // namespace heddle::program
