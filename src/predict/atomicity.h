// Prediction of atomicity violations: which accesses of one thread could come between those of another that
// belong together, and with which schedule. docs/atomicity.md describes the whole.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "predict/activations.h"
#include "predict/atomic_sets.h"
#include "predict/focus.h"
#include "predict/prediction.h"
#include "predict/trace_model.h"
#include "predict/units.h"

namespace heddle {

struct AtomicityOptions {
  Focus focus;  // on accesses; sets without any are passed over
  UnitRule units;
  const Variables* variables = nullptr;  // null: none are known
  const SourceFrames* frames = nullptr;  // null: no inlined calls are known
  // Also patterns with atomic reads. Whoever reads atomically expects others at work, unless it writes what
  // it has made of it (pattern 1).
  bool atomic_reads = false;
  // Also where other reads of the same memory see something else than in the trace, as in a lost update whose
  // other side is an update, too. Such predictions are guesses (`assumes_same_path`), for execution to
  // confirm.
  bool reads_may_differ = false;
  size_t most_predictions = 1000;
};

struct AtomicityPrediction {
  Prediction prediction;  // kPattern, or kNotSerializable if no pattern describes it
  AtomicSet set;
};

// Units that were not serializable in the trace itself, in a way that no prediction says: a cycle of three,
// say. See UnitCycle.
struct ObservedCycle {
  EventIndex earlier = kNoEvent;
  EventIndex later = kNoEvent;
  AtomicSet set;
};

struct AtomicityReport {
  std::vector<AtomicityPrediction> predictions;  // one of each pattern and sites
  std::vector<ObservedCycle> observed;           // one of each two sites

  // What was looked at, and what was not.
  uint64_t sets = 0;
  uint64_t accesses = 0;
  uint64_t explored = 0;        // combinations of accesses that would be a pattern or another cycle
  uint64_t candidates = 0;      // those of them that locks do not exclude; a few of each kind
  uint64_t infeasible = 0;      // candidates
  uint64_t untried = 0;         // candidates: too expensive, in traces of millions of events
  uint64_t expected = 0;        // candidates: the order is how the threads talk to each other
  uint64_t large_objects = 0;   // whose locations each stand alone
  uint64_t cut_blocks = 0;      // block operations of which only the beginning was looked at
  uint64_t unchecked_sets = 0;  // with too many threads for the check of serializability
  uint64_t crowded_sets = 0;    // with more combinations than are tried
  uint64_t atomic_reads = 0;    // candidates left out for atomic reads
  uint64_t memory_bytes = 0;    // at its most, besides the trace and its model
  bool too_many_candidates = false;
  bool too_many_predictions = false;
};

// All that was found as predictions: what is certain first, then what rests on an assumption, then what the
// trace itself has done.
std::vector<Prediction> all_predictions(const TraceModel& model, AtomicityReport report);

// What was left out, as sentences for the user; none if nothing was.
std::vector<std::string> left_out(const AtomicityReport& report);

AtomicityReport predict_atomicity(const TraceModel& model, const AtomicityOptions& options = {});

}  // namespace heddle
