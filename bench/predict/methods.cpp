#include "methods.h"

#include "detect/detect.h"
#include "predict/atomicity.h"
#include "predict/deadlock_prediction.h"
#include "predict/race_prediction.h"
#include "trace/event_stream.h"
#include "trace/trace_file.h"

namespace heddle::bench {
namespace {

using detect::Detections;
using detect::DetectOptions;

constexpr DetectOptions kNothing{
    .races = false, .reads_from = false, .lock_set = false, .hybrid = false, .lock_order = false};

constexpr DetectOptions happens_before() {
  DetectOptions options = kNothing;
  options.races = true;
  return options;
}
constexpr DetectOptions with_reads_from() {
  DetectOptions options = happens_before();
  options.reads_from = true;
  return options;
}
constexpr DetectOptions lock_set() {
  DetectOptions options = kNothing;
  options.lock_set = true;
  return options;
}
constexpr DetectOptions hybrid() {
  DetectOptions options = kNothing;
  options.hybrid = true;
  return options;
}
constexpr DetectOptions lock_order() {
  DetectOptions options = kNothing;
  options.lock_order = true;
  return options;
}

template <DetectOptions (*options)()>
Expected<Analysed> detection(const std::string& path) {
  auto stream = trace::open_events(path);
  if (!stream) return tl::unexpected(stream.error());
  const auto found = detect::detect(**stream, options());
  if (!found) return tl::unexpected(found.error());
  return Analysed{.events = found->events, .findings = found->findings(), .bytes = found->bytes};
}

// The model of the trace is a part of the analysis, in time and memory.
template <Predictions (*predict)(const TraceModel&)>
Expected<Analysed> prediction(const std::string& path) {
  auto trace = trace::read_trace(path);
  if (!trace) return tl::unexpected(trace.error());
  const TraceModel model(*trace);
  const Predictions predictions = predict(model);
  return Analysed{.events = model.size(),
                  .findings = predictions.found.size(),
                  .bytes = model.memory_bytes() + predictions.memory_bytes};
}
Predictions races(const TraceModel& model) {
  return predict_races(model);
}
Predictions deadlocks(const TraceModel& model) {
  return predict_deadlocks(model);
}

Predictions patterns(const TraceModel& model) {
  AtomicityReport report = predict_atomicity(model);
  Predictions predictions{.memory_bytes = report.memory_bytes};
  for (AtomicityPrediction& one : report.predictions) predictions.found.push_back(std::move(one.prediction));
  return predictions;
}

constexpr Method kMethods[] = {
    {"happens-before", false, 20, 0, detection<happens_before>},
    {"SHB", false, 0, 0, detection<with_reads_from>},
    {"lock-set", false, 20, 0, detection<lock_set>},
    {"hybrid", false, 0, 0, detection<hybrid>},
    {"lock-order", false, 0, 0, detection<lock_order>},
    {"sync-preserving races", false, 1, 0, prediction<races>},
    {"sync-preserving deadlocks", false, 1, 0, prediction<deadlocks>},
    {"access patterns", false, 1, 0, prediction<patterns>},
    {"happens-before from text", true, 5, 0, detection<happens_before>},
    {"SHB from text", true, 0, 0, detection<with_reads_from>},
    {"lock-set from text", true, 0, 0, detection<lock_set>},
};

}  // namespace

std::span<const Method> methods() {
  return kMethods;
}

}  // namespace heddle::bench
