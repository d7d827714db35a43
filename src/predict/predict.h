// predict(): all that can be predicted from one trace.
#pragma once

#include <string>
#include <vector>

#include "predict/focus.h"
#include "predict/prediction.h"
#include "predict/trace_model.h"
#include "predict/units.h"
#include "symbolize/symbolizer.h"

namespace heddle {

struct PredictOptions {
  UnitRule units;
  // What is predicted will be executed, so it may be a guess; see AtomicityOptions.
  bool guesses = false;
  Focus focus;
  WantedKinds kinds;
  bool only_focus = false;  // of races, see RaceOptions
};

struct PredictionResult {
  std::vector<Prediction> predictions;  // races, then deadlocks, then what is not serializable
  std::vector<std::string> left_out;    // a sentence for each limit that was reached
  // Pairs of accesses, cycles of acquisitions and patterns of accesses that were looked at, before anything
  // was known of whether they can be executed.
  uint64_t explored = 0;
};

// Names of variables and inlined calls, where the program has debug information, say what belongs together.
PredictionResult predict(const TraceModel& model, const PredictOptions& options, Symbolizer& symbolizer);
PredictionResult predict(const trace::Trace& trace, const PredictOptions& options, Symbolizer& symbolizer);

}  // namespace heddle
