#include "predict/predict.h"

#include <iterator>
#include <utility>

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
  result->explored += part.explored;
  if (!part.left_out.empty()) result->left_out.push_back(std::move(part.left_out));
}

void add(const TraceModel& model, AtomicityReport report, PredictionResult* result) {
  result->explored += report.explored;
  for (std::string& sentence : left_out(report)) result->left_out.push_back(std::move(sentence));
  for (Prediction& prediction : all_predictions(model, std::move(report)))
    result->predictions.push_back(std::move(prediction));
}

}  // namespace

PredictionResult predict(const trace::Trace& trace, const PredictOptions& options, Symbolizer& symbolizer) {
  return predict(TraceModel(trace), options, symbolizer);
}

PredictionResult predict(const TraceModel& model, const PredictOptions& options, Symbolizer& symbolizer) {
  TraceSymbols symbols(model.trace(), symbolizer);
  const ProgramVariables variables(symbols);
  const ProgramFrames frames(symbols);
  PredictionResult result;
  if (options.kinds.races)
    add(predict_races(model, {.focus = options.focus, .only_focus = options.only_focus}), &result);
  if (options.kinds.deadlocks) add(predict_deadlocks(model, {.focus = options.focus}), &result);
  if (options.kinds.atomicity)
    add(model,
        predict_atomicity(model, {.focus = options.focus,
                                  .units = options.units,
                                  .variables = &variables,
                                  .frames = &frames,
                                  .atomic_reads = options.guesses,
                                  .reads_may_differ = options.guesses}),
        &result);
  if (const size_t count = variables.left_out(); count != 0)
    result.left_out.push_back(
        fmt::format("of {} locations on stacks the variables were not looked up", count));
  return result;
}

}  // namespace heddle
