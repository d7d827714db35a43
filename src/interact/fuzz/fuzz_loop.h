// FuzzLoop: makes inputs, executes them in all versions, keeps those that show something new, and tells those
// that behave differently.
//
//   choose an input of the corpus → change it → execute base and head → new? → corpus
//                                                                     → differs? → smaller → told
//
// New is: an edge of head or base, or how often it is taken; an edge of the change sequence graph, or another
// sequence of changes (but with Guidance::kNone); another way to differ. The first time that an input is
// chosen, what the head has compared is put into it (replacement.h).
//
// A way to differ is in what aspects, with which exits, for which golden versions it is wrong, and after
// which sequence of changes. Each is told once, as small as it gets, and again when ten, hundred … times as
// many inputs have shown it, until heddle says that it has seen it.
//
// The same settings, seeds and number of executions give the same inputs.
#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>
#include <deque>
#include <map>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "interact/fast/fast_runner.h"
#include "interact/fuzz/corpus.h"
#include "interact/fuzz/loop_messages.h"
#include "interact/fuzz/mutation.h"
#include "interact/fuzz/replacement.h"
#include "interact/trial/behaviour.h"
#include "support/error.h"

namespace heddle::fuzz {

struct Execution {
  std::span<const fast::VersionRun> runs;           // base, head, golden versions; those that were asked for
  bool ran_here = true;                             // not in processes
  std::span<const uint8_t> base_edges, head_edges;  // counters; empty if the program cannot live here
  std::span<const uint32_t> marks;
  Comparisons comparisons;
};

class Executor {
 public:
  virtual ~Executor() = default;
  // In the first `versions`. Valid until the next one.
  virtual Expected<Execution> run(const concolic::ProgramInput& input, size_t versions,
                                  bool wants_compares) = 0;
  virtual size_t base_edges() const = 0;
  virtual size_t head_edges() const = 0;
};

class LoopListener {
 public:
  virtual ~LoopListener() = default;
  virtual void differs(const FoundDifference& found) = 0;
  virtual void keeps(const KeptForCorpus& kept) = 0;
};

class FuzzLoop {
 public:
  // All must outlive it.
  FuzzLoop(const LoopSettings& settings, Executor& executor, LoopListener& listener);

  void add_seed(concolic::ProgramInput seed) { seeds_.push_back(std::move(seed)); }
  // heddle has looked at this way to differ.
  void mark_done(uint32_t way) { ways_[way].is_done = true; }

  struct Limits {
    std::chrono::steady_clock::time_point deadline;
    std::chrono::milliseconds cpu_time{std::chrono::hours(24)};  // of this process
    uint64_t executions = ~uint64_t{0};
  };
  // Until one of them is reached.
  Expected<void> run(const Limits& limits);

  // What there is since the last report.
  SliceReport report();

 private:
  struct Way {
    uint64_t inputs = 0;
    uint64_t told_at = 1;  // is told when it has so many
    uint32_t same_as = 0;  // one with the same smallest input
    bool is_done = false;
  };
  // Of one input, compared.
  struct Compared {
    std::vector<interact::Aspect> aspects;
    uint64_t wrong_for = 0;  // golden versions, by bit
    uint64_t kind = 0;       // 0: no difference
    bool damages_heap = false;
  };
  struct Tried {
    bool is_new = false;
    TraceNumber trace = kNoNode;
    Compared compared;
  };

  bool is_over() const;
  Expected<void> step();
  Expected<void> try_seed();
  Expected<void> try_replacements(const concolic::ProgramInput& input, size_t most);
  // Nothing is executed twice, as far as that is known.
  Expected<void> try_input(const concolic::ProgramInput& input, bool is_seed);
  Expected<Execution> execute(const concolic::ProgramInput& input, size_t versions, bool wants_compares);
  Expected<Compared> compare(const concolic::ProgramInput& input, const Execution& execution);
  Expected<void> count_difference(const concolic::ProgramInput& input, TraceNumber trace,
                                  const Compared& compared);
  Expected<void> tell(const concolic::ProgramInput& input, const Compared& compared, uint64_t changes_key,
                      uint32_t way);
  TraceNumber trace_of(const Execution& execution);
  uint64_t changes_key(TraceNumber trace) const;
  uint32_t way_of(uint64_t kind, uint64_t changes_key);
  struct Why {
    bool is_step = false;     // it has an edge of the graph that is new
    bool is_in_code = false;  // or one of the code, or somebody wants it
  };
  void keep(const concolic::ProgramInput& input, const Execution& execution, TraceNumber trace,
            const Why& why);
  interact::Behaviour behaviour_of(const fast::VersionRun& run) const;

  const LoopSettings& settings_;
  Executor& executor_;
  LoopListener& listener_;
  Random random_;
  Dictionary dictionary_;
  Coverage base_coverage_, head_coverage_;
  Traces traces_;
  Corpus corpus_;
  Mutation mutation_;
  std::deque<concolic::ProgramInput> seeds_;
  std::unordered_set<uint64_t> avoided_;  // hashes
  std::vector<uint64_t> recent_;          // hashes of inputs that were executed, by their lowest bits
  std::vector<Way> ways_;                 // [0]: no difference
  std::unordered_map<uint64_t, uint32_t> way_numbers_;
  std::unordered_set<uint64_t> kinds_;
  std::map<uint64_t, uint32_t> told_;  // way, by the input that was told
  std::map<std::pair<TraceNumber, uint32_t>, uint64_t> tally_;
  size_t traces_told_ = 0;
  uint64_t executions_ = 0;  // of inputs
  uint64_t in_processes_ = 0;
  uint64_t differing_ = 0;
  uint64_t last_new_ = 0;  // at which execution
  uint64_t repeated_ = 0;  // inputs in a row that had been executed before
  uint64_t end_ = 0;       // executions of this run
  std::chrono::steady_clock::time_point deadline_;
  std::clock_t cpu_end_ = 0;
};

}  // namespace heddle::fuzz
