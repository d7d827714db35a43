#include "confirm/recording.h"

namespace heddle {
namespace {

using namespace trace::request_flag;

// Each recording shows what the accesses reach that have become points; more than this never end.
constexpr uint64_t kMostRecordings = 8;

// Whether there are new ones now.
bool make_all_points(ForkServer& server) {
  std::vector<trace::PointRecord> raised;
  for (trace::PointRecord point : server.points()) {
    if (point.grade == trace::PointGrade::kPoint) continue;
    point.grade = trace::PointGrade::kPoint;
    raised.push_back(point);
  }
  return server.add_points(raised) > 0;
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

Expected<Recording> record_known_test(ForkServer& server, const RecordingOptions& options) {
  LearningResult learning;
  for (;;) {
    Recording recording;
    recording.request.policy = options.policy;
    recording.request.flags = options.flags | kLearn | kRecordShared | kRecordEvents | kRecordChoices;
    recording.request.max_steps = options.max_steps;
    recording.request.timeout = options.timeout;
    Expected<Execution> execution = server.run(recording.request);
    if (!execution) return tl::unexpected(execution.error());
    ++learning.executions;
    const bool has_learned = server.add_points(execution->learned) > 0;
    const bool has_new_points = make_all_points(server);
    learning.settled = !has_learned && !has_new_points;
    const bool hangs = execution->outcome.kind == trace::OutcomeKind::kHang;
    if (!learning.settled && !hangs && learning.executions < kMostRecordings) continue;
    recording.request.flags &= ~kLearn;
    recording.execution = std::move(*execution);
    recording.execution.trace = recording.execution.trace.clone();
    recording.execution.learned = {};
    --learning.executions;  // the last one is the recording
    recording.learning = learning;
    return recording;
  }
}

Expected<Recording> record_test(ForkServer& server, const RecordingOptions& options) {
  const Expected<LearningResult> learned = learn_test(server, options);
  if (!learned) return tl::unexpected(learned.error());
  Expected<Recording> recording = record_execution(server, options);
  if (recording) recording->learning = *learned;
  return recording;
}

}  // namespace heddle
