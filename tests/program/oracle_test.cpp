// Static answers held against executions of random programs: whatever is seen must have been foretold.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "fact_machine.h"
#include "random_facts.h"

namespace heddle::program {
namespace {

constexpr uint32_t kPrograms = 2000;
constexpr uint32_t kRuns = 4;

RandomFacts shape_of(uint32_t seed) {
  return {2 + seed % 3, 3 + seed % 5, false};
}

std::string text(NodeId id) {
  return std::to_string(id.function) + ":" + std::to_string(id.node);
}

TEST(Oracle, EveryDependenceSeenIsForetoldAndDynamicSlicesLieWithinStaticOnes) {
  size_t seen = 0;
  for (uint32_t seed = 1; seed <= kPrograms; ++seed) {
    const Program program = random_program(seed, shape_of(seed));
    const PointsTo points_to(program);
    const Dependence dependence(program, points_to);
    std::map<NodeId, std::set<std::pair<NodeId, Dependence::Kind>>> known;
    auto foretold = [&](NodeId node, NodeId on, Dependence::Kind kind) {
      const auto [entry, is_new] = known.try_emplace(node);
      if (is_new) {
        for (const Dependence::On& it : dependence.depends_on(node)) entry->second.insert({it.node, it.kind});
      }
      return entry->second.contains({on, kind});
    };
    std::set<FactMachine::Seen> all;
    FactMachine machine(program, seed);
    for (uint32_t run = 0; run < kRuns; ++run) machine.run(0);
    for (const auto& [node, on] : machine.data) {
      ASSERT_TRUE(foretold(node, on, Dependence::Kind::kData))
          << seed << " data " << text(node) << " on " << text(on);
    }
    for (const auto& [node, on] : machine.control) {
      ASSERT_TRUE(foretold(node, on, Dependence::Kind::kControl))
          << seed << " control " << text(node) << " on " << text(on);
    }
    for (const auto& [node, on] : machine.calls) {
      ASSERT_TRUE(foretold(node, on, Dependence::Kind::kCall))
          << seed << " call " << text(node) << " on " << text(on);
    }
    all.insert(machine.data.begin(), machine.data.end());
    all.insert(machine.control.begin(), machine.control.end());
    all.insert(machine.calls.begin(), machine.calls.end());
    seen += all.size();
    if (all.empty()) continue;
    // Slices both ways from the node that was seen last.
    const NodeId from = all.rbegin()->node;
    std::set<NodeId> backward{from};
    for (size_t before = 0; before != backward.size();) {
      before = backward.size();
      for (const auto& [node, on] : all) {
        if (backward.contains(node)) backward.insert(on);
      }
    }
    const std::set<NodeId> slice = dependence.backward_slice({from});
    ASSERT_TRUE(std::includes(slice.begin(), slice.end(), backward.begin(), backward.end())) << seed;
    const NodeId root = *backward.begin();
    const std::set<NodeId> forward = dependence.forward_slice({root});
    ASSERT_TRUE(forward.contains(from)) << seed;
  }
  EXPECT_GT(seen, kPrograms * 20u) << "the programs do something";
}

TEST(Oracle, EveryPointerSeenIsForetold) {
  size_t seen = 0;
  for (uint32_t seed = 1; seed <= kPrograms; ++seed) {
    const Program program = random_program(seed, shape_of(seed));
    const PointsTo points_to(program);
    std::map<std::pair<OpId, uint32_t>, ObjectId> objects;
    for (ObjectId object = 1; object < points_to.objects().size(); ++object) {
      const MemoryObject& it = points_to.objects()[object];
      objects[{it.made_at, it.kind == MemoryObject::Kind::kGlobal ? it.global : kNone}] = object;
    }
    FactMachine machine(program, seed);
    for (uint32_t run = 0; run < kRuns; ++run) machine.run(0);
    seen += machine.pointed.size();
    for (const auto& [value, target] : machine.pointed) {
      const ObjectId object = objects.at({target.made_at, target.global});
      const std::vector<Pointee> pointees = points_to.pointees(value.first, value.second);
      const Pointee expected{object, points_to.canonical_offset(object, target.offset)};
      ASSERT_TRUE(std::binary_search(pointees.begin(), pointees.end(), expected))
          << seed << ": value " << value.second << " of " << value.first << " points to "
          << points_to.objects()[object].name << "+" << target.offset;
    }
    for (const auto& [call, callee] : machine.called) {
      const std::vector<FunctionIndex>& callees = points_to.callees(call);
      ASSERT_TRUE(std::find(callees.begin(), callees.end(), callee) != callees.end()) << seed;
    }
  }
  EXPECT_GT(seen, kPrograms * 20u);
}

TEST(Oracle, EveryAccessSeenSharedIsForetold) {
  size_t shared = 0;
  size_t foretold = 0;
  size_t accesses = 0;
  for (uint32_t seed = 1; seed <= kPrograms; ++seed) {
    RandomFacts shape = shape_of(seed);
    shape.with_threads = true;
    const Program program = random_program(seed, shape);
    const PointsTo points_to(program);
    const Escape escape(program, points_to);
    foretold += escape.shared_accesses().size();
    for (FunctionIndex f = 0; f < program.size(); ++f) {
      for (const Block& block : program.function(f).blocks) accesses += block.ops.size();
    }
    FactMachine machine(program, seed);
    for (uint32_t run = 0; run < kRuns; ++run) {
      machine.run(0);
      for (const OpId& op : machine.shared_accesses()) {
        ++shared;
        ASSERT_TRUE(escape.is_shared_access(op))
            << seed << ": " << op.function << " " << op.block << " " << op.op;
      }
    }
  }
  EXPECT_GT(shared, kPrograms);
  EXPECT_LT(foretold, accesses / 2) << "not simply everything";
}

}  // namespace
}  // namespace heddle::program
