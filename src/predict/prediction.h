// Prediction: something that another schedule of the same events could do, and how.
//
// A witness is a *cut* (how many events of each thread come first, in the order of the trace) followed by a
// *tail* (single events in an order of their own). It is compact, since a prediction of a trace of a million
// events should not be a million numbers; schedule_of() spells it out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/trace.h"

namespace heddle {

enum class PredictionKind { kRace, kDeadlock, kPattern, kNotSerializable };

struct Witness {
  std::vector<uint32_t> cut;   // by thread
  std::vector<uint64_t> tail;  // numbers of events (index into Trace::events)
};

struct Prediction {
  PredictionKind kind = PredictionKind::kRace;
  uint32_t pattern = 0;  // 1 to 14, see ALGORITHMS; kPattern only
  // Those that matter, as indices into Trace::events. A race: the two accesses, which the tail executes one
  // right after the other. A deadlock: the acquisitions at which each thread will wait; the tail ends before.
  // A pattern: its accesses, in the order in which the witness executes them. What is not serializable: the
  // same, or if `observed`, the two accesses that close the cycle.
  std::vector<uint64_t> events;
  Witness witness;
  // The trace itself has done it, and the witness is the trace up to there. kNotSerializable only.
  bool observed = false;
  // A thread is assumed to go on as it did, although in the witness it reads something else.
  bool assumes_same_path = false;
};

// What a predictor answers.
struct Predictions {
  std::vector<Prediction> found;
  std::string left_out;       // what was not looked at because of a limit, as a sentence; empty if nothing
  uint64_t explored = 0;      // patterns: pairs of alike accesses in conflict, or cycles of acquisitions
  uint64_t memory_bytes = 0;  // at its most, besides the trace and its model
  uint64_t work = 0;          // links followed (see Ideal): a measure of the time spent
};

// The events that the witness executes, in order.
std::vector<uint64_t> schedule_of(const trace::Trace& trace, const Witness& witness);

}  // namespace heddle
