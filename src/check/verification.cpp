#include "check/verification.h"

#include "check/suspects.h"
#include "detect/detect.h"
#include "report/suppressible_story.h"
#include "support/interruption.h"
#include "trace/event_stream.h"

namespace heddle {

Verification::Verification(const SuiteTest& test, std::chrono::milliseconds timeout,
                           Suppressions& suppressions, Symbolizer& symbolizer, Listener listener)
    : test_(test),
      timeout_(timeout),
      suppressions_(suppressions),
      symbolizer_(symbolizer),
      listener_(std::move(listener)) {}

Expected<void> Verification::run(std::span<const trace::PointRecord> points,
                                 std::chrono::steady_clock::time_point deadline) {
  Expected<ForkServer> server = ForkServer::start(test_.command);
  if (!server) return tl::unexpected(server.error());
  server->add_points(points);
  Expected<Recording> recording = record_test(*server, {.timeout = timeout_});
  if (was_interrupted()) return {};
  if (!recording) return tl::unexpected(recording.error());
  session_ = std::make_unique<Session>(Session{.server = std::move(*server),
                                               .recording = std::move(*recording),
                                               .asked = tried_,
                                               .deadline = deadline});
  session_->confirmer.emplace(session_->server, session_->recording);
  trace::TraceEvents events(session_->recording.trace());
  const Expected<detect::Detections> found = detect::detect(events, {.lock_set = false});
  if (!found) return tl::unexpected(found.error());
  Suspects suspects(session_->recording.trace(), *this, this, {});
  const Expected<void> looked = suspects.look_into(*found);
  is_done_ = looked && suspects.not_tried() == 0;
  executions_ +=
      session_->recording.learning.executions + 1 + session_->confirmer->executions() + suspects.executions();
  session_.reset();
  return looked;
}

std::optional<std::string> Verification::news(ReportContext& context, const FailureStory& story,
                                              trace::OutcomeKind kind) {
  const Finding finding = make_finding(context, story, kind);
  if (listener_.is_found(finding) || suppressions_.suppress(suppressible(context, story, kind)))
    return std::nullopt;
  // Findings with one fingerprint can differ in their callers: one that is suppressed does not hide another.
  if (!session_->asked.insert(finding.fingerprint).second) return std::nullopt;
  return finding.fingerprint;
}

Expected<void> Verification::tell(ReportContext&, FailureStory, const ToldFinding& told) {
  const bool is_shown =
      told.confirmation == Confirmation::kHarmful || told.confirmation == Confirmation::kBenign;
  if (!is_shown || told.schedule == nullptr || was_interrupted()) return {};
  return listener_.shown(session_->server, *told.schedule, session_->recording.request.flags,
                         told.confirmation);
}

bool Verification::has_time() const {
  return std::chrono::steady_clock::now() < session_->deadline && !was_interrupted();
}

Expected<Confirmer*> Verification::confirmer() {
  return session_->confirmer->get();
}

}  // namespace heddle
