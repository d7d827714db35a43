#include "confirm/recording.h"

namespace heddle {
namespace {

using namespace trace::request_flag;

void make_all_points(ForkServer& server) {
  std::vector<trace::PointRecord> raised;
  for (trace::PointRecord point : server.points()) {
    if (point.grade == trace::PointGrade::kPoint) continue;
    point.grade = trace::PointGrade::kPoint;
    raised.push_back(point);
  }
  server.add_points(raised);
}

}  // namespace

Expected<LearningResult> learn_test(ForkServer& server, const RecordingOptions& options) {
  LearningOptions learning;
  learning.quiet_executions = options.quiet_executions;
  learning.flags = options.flags | kRecordShared;
  learning.max_steps = options.max_steps;
  learning.timeout = options.timeout;
  Expected<LearningResult> learned = learn_points(server, learning);
  if (learned) make_all_points(server);
  return learned;
}

Expected<Recording> record_execution(ForkServer& server, const RecordingOptions& options) {
  return record_execution(server, options, {});
}

Expected<Recording> record_execution(ForkServer& server, const RecordingOptions& options,
                                     std::span<const uint64_t> statements) {
  Recording recording;
  recording.request.policy = options.policy;
  recording.request.flags = options.flags | kRecordShared | kRecordEvents | kRecordChoices;
  recording.request.max_steps = options.max_steps;
  recording.request.timeout = options.timeout;
  recording.request.statements = statements;
  Expected<Execution> execution = server.run(recording.request);
  recording.request.statements = {};  // they are the caller's
  if (!execution) return tl::unexpected(execution.error());
  recording.execution = std::move(*execution);
  recording.execution.trace = recording.execution.trace.clone();
  recording.execution.learned = {};
  return recording;
}

Expected<Recording> record_test(ForkServer& server, const RecordingOptions& options) {
  const Expected<LearningResult> learned = learn_test(server, options);
  if (!learned) return tl::unexpected(learned.error());
  Expected<Recording> recording = record_execution(server, options);
  if (recording) recording->learning = *learned;
  return recording;
}

}  // namespace heddle
