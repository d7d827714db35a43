#include "predict/predict.h"

#include "predict/race_prediction.h"
#include "predict/trace_model.h"

namespace heddle {

Expected<PredictOptions> parse_units(const std::string&) {
  return PredictOptions{};
}

std::string list_units() {
  return "function";
}

PredictionResult predict(const trace::Trace& trace, const PredictOptions&, Symbolizer&) {
  const TraceModel model(trace);
  PredictionResult result;
  const auto add = [&](Predictions part) {
    result.predictions.insert(result.predictions.end(), std::make_move_iterator(part.found.begin()),
                              std::make_move_iterator(part.found.end()));
    if (!part.left_out.empty()) result.left_out.push_back(std::move(part.left_out));
  };
  add(predict_races(model));
  return result;
}

}  // namespace heddle
