#include "predict/predict.h"

#include <algorithm>

#include "predict/atomicity.h"
#include "predict/deadlock_prediction.h"
#include "predict/program_structure.h"
#include "predict/race_prediction.h"
#include "predict/trace_model.h"

namespace heddle {
namespace {

void add(Predictions part, PredictionResult* result) {
  result->predictions.insert(result->predictions.end(), std::make_move_iterator(part.found.begin()),
                             std::make_move_iterator(part.found.end()));
  if (!part.left_out.empty()) result->left_out.push_back(std::move(part.left_out));
}

void add(AtomicityReport report, PredictionResult* result) {
  // What rests on an assumption comes last.
  std::stable_partition(report.predictions.begin(), report.predictions.end(),
                        [](const AtomicityPrediction& found) { return !found.assumes_same_path; });
  for (AtomicityPrediction& found : report.predictions)
    result->predictions.push_back(std::move(found.prediction));
  for (std::string& sentence : left_out(report)) result->left_out.push_back(std::move(sentence));
}

}  // namespace

PredictionResult predict(const trace::Trace& trace, const PredictOptions& options, Symbolizer& symbolizer) {
  const TraceModel model(trace);
  TraceSymbols symbols(trace, symbolizer);
  const ProgramVariables variables(symbols);
  const ProgramFrames frames(symbols);
  PredictionResult result;
  add(predict_races(model), &result);
  add(predict_deadlocks(model), &result);
  add(predict_atomicity(model, {.units = options.units,
                                .variables = &variables,
                                .frames = &frames,
                                .atomic_reads = options.guesses,
                                .reads_may_differ = options.guesses}),
      &result);
  return result;
}

}  // namespace heddle
