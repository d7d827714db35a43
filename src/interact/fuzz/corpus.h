// Corpus: inputs that have shown something new, and which of them is changed next.
//
// An input is the likelier to be chosen, the rarer an edge that it takes, the smaller and quicker it is, the
// less often it was chosen, and the nearer it comes to where the change sequence graph has an edge that no
// input has taken. With isolated targets, that is the nearest of these; without any, distances do not count.
// Inputs of a sequence that is known to differ come last.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_set>
#include <vector>

#include "interact/concolic/program_input.h"
#include "interact/fuzz/coverage.h"
#include "interact/fuzz/random.h"
#include "interact/fuzz/trace.h"

namespace heddle::fuzz {

enum class Guidance { kGraph, kTargets, kNone };

// By edge of the head, then by node: how far control is from it there. Empty: not known.
struct DistanceTable {
  static constexpr uint16_t kNoWay = 0xffff;
  size_t nodes = 0;
  std::vector<uint16_t> distances;

  std::vector<uint16_t> nearest(const std::vector<uint32_t>& edges) const;
};

struct CorpusEntry {
  concolic::ProgramInput input;
  std::vector<uint32_t> edges;  // of the head
  TraceNumber trace = kNoNode;  // kNoNode: not known
  uint64_t work = 0;            // edges taken, with their counts: time that is the same on each machine
  bool needs_processes = false;
  std::vector<uint16_t> distances;  // by node: the least of its edges
  std::vector<uint32_t> nodes;      // that it comes through, each once
  uint32_t chosen = 0;
  bool is_new = true;  // comparisons have not been looked at
};

class Corpus {
 public:
  // All must outlive it.
  Corpus(Guidance guidance, const GraphView& graph, const DistanceTable& table, const Coverage& coverage,
         const Traces& traces)
      : guidance_(guidance), graph_(graph), table_(table), coverage_(coverage), traces_(traces) {}

  void add(CorpusEntry entry);
  void mark_known(uint64_t changes_key) { known_.insert(changes_key); }

  CorpusEntry& choose(Random& random, uint64_t executions);
  const CorpusEntry& any(Random& random) const { return entries_[random.below(entries_.size())]; }
  const std::vector<CorpusEntry>& entries() const { return entries_; }

  // How near an input comes to something that no input has reached; nothing: nowhere.
  std::optional<uint32_t> distance_of(const CorpusEntry& entry) const;
  // Those that come nearest, the nearest first.
  std::vector<const CorpusEntry*> nearest(size_t most);

 private:
  double weight(const CorpusEntry& entry, uint64_t executions) const;
  void weigh(uint64_t executions);
  void find_unreached();

  const Guidance guidance_;
  const GraphView& graph_;
  const DistanceTable& table_;
  const Coverage& coverage_;
  const Traces& traces_;
  std::vector<CorpusEntry> entries_;
  std::vector<double> sums_;  // of weights; those of the last entries are as they were when these came
  // By node, then by the last one, for the beginning: where an edge leads that no input has taken.
  std::vector<std::vector<uint32_t>> unreached_;
  uint64_t executions_ = 0;  // when they were weighed
  size_t choices_left_ = 0;  // until they are weighed again
  double mean_work_ = 1;
  double mean_size_ = 1;
  std::unordered_set<uint64_t> known_;
};

}  // namespace heddle::fuzz
