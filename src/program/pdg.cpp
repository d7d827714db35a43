#include <algorithm>
#include <tuple>

#include "program/dependence_graph.h"
#include "program/flow_graph.h"
#include "program/memory_dependence.h"

namespace heddle::program {
namespace {

using Kind = Dependence::Kind;

// Goes over the program once, function by function.
class Builder {
 public:
  Builder(const Program& program, const PointsTo& points_to, Vertices& vertices)
      : program_(program),
        points_to_(points_to),
        vertices_(vertices),
        memory_(program, points_to, vertices, edges_) {}

  std::vector<DependenceEdge> build() {
    for (FunctionIndex f = 0; f < program_.size(); ++f) add_function(f);
    memory_.finish();
    return std::move(edges_);
  }

 private:
  void add_function(FunctionIndex f) {
    const Function& function = program_.function(f);
    const std::vector<std::vector<uint32_t>> ops = vertices_.of_ops(f);
    std::vector<uint32_t> defined(function.values, kNone);  // vertex that computes each value
    for (uint32_t i = 0; i < function.parameters; ++i) defined[i] = vertices_.parameter(f, i);
    for (uint32_t b = 0; b < function.blocks.size(); ++b) {
      for (uint32_t o = 0; o < function.blocks[b].ops.size(); ++o) {
        const ValueId result = function.blocks[b].ops[o].result;
        if (result != kNone) defined[result] = ops[b][o];
      }
    }
    for (uint32_t b = 0; b < function.blocks.size(); ++b) {
      for (uint32_t o = 0; o < function.blocks[b].ops.size(); ++o) {
        add_values(f, function.blocks[b].ops[o], ops[b][o], defined);
        if (function.blocks[b].ops[o].kind == OpKind::kCall) {
          add_call({f, b, o}, function.blocks[b].ops[o], ops[b][o], defined);
        }
      }
    }
    add_control(f, ops);
    memory_.add_function(f, ops);
    if (points_to_.is_called_from_outside(f)) {
      add(memory_.outside_writes(), vertices_.entry(f), Kind::kCall);
      for (uint32_t i = 0; i < function.parameters; ++i) {
        add(memory_.outside_writes(), vertices_.parameter(f, i), Kind::kData);
      }
      add(vertices_.returned(f), memory_.outside_reads(), Kind::kData);
    }
  }

  void add_values(FunctionIndex f, const Op& op, uint32_t vertex, const std::vector<uint32_t>& defined) {
    for (ValueId operand : op.operands) depend_on_value(defined[operand], vertex);
    if (op.callee != kNone) depend_on_value(defined[op.callee], vertex);
    if (op.kind == OpKind::kReturn) add(vertex, vertices_.returned(f), Kind::kData);
  }

  void add_call(OpId id, const Op& op, uint32_t vertex, const std::vector<uint32_t>& defined) {
    const bool may_call_back = !points_to_.known_externals(id).empty() || points_to_.calls_unknown(id);
    for (FunctionIndex callee : points_to_.callees(id)) {
      add(vertex, vertices_.entry(callee), Kind::kCall);
      for (uint32_t i = 0; i < program_.function(callee).parameters; ++i) {
        const uint32_t parameter = vertices_.parameter(callee, i);
        if (i < op.operands.size() && defined[op.operands[i]] != kNone) {
          add(defined[op.operands[i]], parameter, Kind::kData);
        }
        if (may_call_back) add(vertex, parameter, Kind::kData);
      }
      add(vertices_.returned(callee), vertex, Kind::kData);
    }
    const std::vector<ThreadStart>& starts = points_to_.thread_starts();
    for (const ExternalModel* model : points_to_.known_externals(id)) {
      if (model->started < 0 && model->started_object < 0) continue;
      for (const ThreadStart& start : starts) {
        if (start.call != id) continue;
        add(vertex, vertices_.entry(start.entry), Kind::kCall);
        for (uint32_t i = 0; i < program_.function(start.entry).parameters; ++i) {
          add(vertex, vertices_.parameter(start.entry, i), Kind::kData);
        }
      }
    }
  }

  void add_control(FunctionIndex f, const std::vector<std::vector<uint32_t>>& ops) {
    const uint32_t outside = static_cast<uint32_t>(ops.size());
    for (const auto& [block, decider] : FlowGraph::control_dependence(program_.function(f))) {
      const bool by_call = decider == outside || ops[decider].empty();
      const uint32_t from = by_call ? vertices_.entry(f) : ops[decider].back();
      uint32_t previous = kNone;
      for (uint32_t vertex : ops[block]) {
        if (vertex != previous) add(from, vertex, Kind::kControl);
        previous = vertex;
      }
    }
  }

  void depend_on_value(uint32_t from, uint32_t to) {
    if (from != kNone && from != to) add(from, to, Kind::kData);
  }
  void add(uint32_t from, uint32_t to, Kind kind) { edges_.push_back({from, to, kind}); }

  const Program& program_;
  const PointsTo& points_to_;
  Vertices& vertices_;
  std::vector<DependenceEdge> edges_;
  MemoryDependence memory_;
};

}  // namespace

Vertices::Vertices(const Program& program) : program_(&program) {
  for (FunctionIndex f = 0; f < program.size(); ++f) {
    const Function& function = program.function(f);
    first_.push_back(count_);
    nodes_.push_back(static_cast<uint32_t>(function.nodes.size()));
    count_ += nodes_.back() + 2 + function.parameters;
    for (const Block& block : function.blocks) {
      for (const Op& op : block.ops) count_ += op.node == kNone;
    }
  }
}

std::vector<std::vector<uint32_t>> Vertices::of_ops(FunctionIndex f) const {
  const Function& function = program_->function(f);
  std::vector<std::vector<uint32_t>> result(function.blocks.size());
  uint32_t next = parameter(f, function.parameters);
  for (uint32_t b = 0; b < function.blocks.size(); ++b) {
    for (const Op& op : function.blocks[b].ops) {
      result[b].push_back(op.node == kNone ? next++ : first_[f] + op.node);
    }
  }
  return result;
}

NodeId Vertices::node_of(uint32_t vertex) const {
  const auto after = std::upper_bound(first_.begin(), first_.end(), vertex);
  if (after == first_.begin()) return {};
  const auto function = static_cast<FunctionIndex>(after - first_.begin() - 1);
  const uint32_t node = vertex - first_[function];
  return node < nodes_[function] ? NodeId{function, node} : NodeId{};
}

Dependence::Dependence(const Program& program, const PointsTo& points_to) {
  auto impl = std::make_shared<Impl>(program);
  std::vector<DependenceEdge> edges = Builder(program, points_to, impl->vertices).build();
  auto fill = [&](Impl::Direction& direction, auto of, auto other) {
    std::sort(edges.begin(), edges.end(), [&](const DependenceEdge& a, const DependenceEdge& b) {
      return std::tuple(a.*of, a.*other, a.kind) < std::tuple(b.*of, b.*other, b.kind);
    });
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    direction.first.assign(impl->vertices.count() + 1, 0);
    for (const DependenceEdge& edge : edges) {
      ++direction.first[edge.*of + 1];
      direction.other.push_back(edge.*other);
      direction.kind.push_back(edge.kind);
    }
    for (size_t i = 1; i < direction.first.size(); ++i) direction.first[i] += direction.first[i - 1];
  };
  fill(impl->forward, &DependenceEdge::from, &DependenceEdge::to);
  fill(impl->backward, &DependenceEdge::to, &DependenceEdge::from);
  impl_ = std::move(impl);
}

std::vector<Dependence::On> Dependence::depends_on(NodeId node) const {
  return impl_->neighbours(impl_->backward, node);
}
std::vector<Dependence::On> Dependence::dependents(NodeId node) const {
  return impl_->neighbours(impl_->forward, node);
}

}  // namespace heddle::program
