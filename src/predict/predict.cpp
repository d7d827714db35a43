#include "predict/predict.h"

#include <fmt/format.h>

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
  for (AtomicityPrediction& found : report.predictions)
    result->predictions.push_back(std::move(found.prediction));
  if (report.too_many_predictions)
    result->left_out.emplace_back("there are more atomicity patterns than are kept");
  const uint64_t untried = report.untried + report.crowded_sets;
  if (untried > 0 || report.too_many_candidates)
    result->left_out.emplace_back("not all combinations of accesses were tried for atomicity patterns");
}

}  // namespace

PredictionResult predict(const trace::Trace& trace, const PredictOptions& options, Symbolizer& symbolizer) {
  const TraceModel model(trace);
  const TraceSymbols symbols(trace, symbolizer);
  const ProgramVariables variables(symbols);
  const ProgramFrames frames(symbols);
  PredictionResult result;
  add(predict_races(model), &result);
  add(predict_deadlocks(model), &result);
  add(predict_atomicity(model, {.units = options.units, .variables = &variables, .frames = &frames}),
      &result);
  return result;
}

}  // namespace heddle
