// FactMachine: executes facts and sees what depends on what. The oracle that static answers are held against.
//
// It knows nothing of the analyses: a value carries the nodes it was computed by, a byte of memory the nodes
// that wrote it, and an activation the branches it has taken. Choices that facts leave open (which edge a
// branch takes, which element an index means) are drawn from a seed.
#pragma once

#include <map>
#include <random>
#include <set>
#include <vector>

#include "program/analyses.h"

namespace heddle::program {

class FactMachine {
 public:
  FactMachine(const Program& program, uint32_t seed);

  // Runs `main` until it ends or enough has happened. What is seen adds up over several runs.
  void run(FunctionIndex main);

  struct Seen {
    NodeId node;
    NodeId on;
    auto operator<=>(const Seen&) const = default;
  };
  std::set<Seen> data;
  std::set<Seen> control;
  std::set<Seen> calls;
  // What values pointed to: the place that made the object (or its global symbol), and the offset.
  struct Target {
    OpId made_at;
    uint32_t global = kNone;
    int64_t offset = 0;
    auto operator<=>(const Target&) const = default;
  };
  std::set<std::pair<std::pair<FunctionIndex, ValueId>, Target>> pointed;
  std::set<std::pair<OpId, FunctionIndex>> called;
  // Operations that touched a block of memory that several threads touched, in the last run.
  std::set<OpId> shared_accesses() const;

 private:
  using Origins = uint32_t;  // a set of nodes, by its number
  struct Value {
    uint32_t instance = kNone;  // what it points to, if it is a pointer
    int64_t offset = 0;
    FunctionIndex function = kNone;
    Origins origins = 0;
  };
  struct Instance {
    Target made;  // without offset
    int64_t size = 0;
    std::map<int64_t, std::pair<uint64_t, Value>> values;  // by offset, with their size
    std::vector<Origins> bytes;
    std::map<OpId, std::set<uint32_t>> accesses;  // threads
  };
  struct Activation {
    FunctionIndex function;
    uint32_t depth;
    std::vector<Value> values;
    std::vector<uint32_t> branches;  // blocks, latest last
    Origins called_by = 0;
  };

  Value call(FunctionIndex function, std::vector<Value> arguments, Origins called_by, uint32_t depth);
  bool execute(Activation& at, const OpId& id, const Op& op, Value& returned);
  Origins number_of(const std::set<NodeId>& nodes);
  void add(Origins& to, Origins more);
  void note_control(const Activation& at, uint32_t block);
  uint32_t make(Target made, uint64_t size);
  bool is_valid(const Value& address, uint64_t size) const;
  Value read(const OpId& id, const Value& address, uint64_t size, Origins& origins);
  void write(const OpId& id, const Value& address, uint64_t size, const Value& value, Origins origins);
  const std::set<std::pair<uint32_t, uint32_t>>& controls(FunctionIndex function);

  const Program& program_;
  std::mt19937 random_;
  std::vector<std::set<NodeId>> origins_;
  std::map<std::set<NodeId>, Origins> numbers_;
  std::map<std::pair<Origins, Origins>, Origins> unions_;
  std::vector<Instance> memory_;
  std::map<uint32_t, uint32_t> globals_;
  std::map<FunctionIndex, std::set<std::pair<uint32_t, uint32_t>>> controls_;
  std::set<FunctionIndex> endless_;  // what never ends has no post-dominators
  uint32_t steps_ = 0;
  uint32_t thread_ = 0;
  uint32_t threads_ = 1;
};

}  // namespace heddle::program
