#include "check/compared_test.h"

#include "execute/fork_server.h"

namespace heddle {

Expected<std::unique_ptr<ComparedTest>> ComparedTest::start(const ChangeImpact& change,
                                                            const TestOfBoth& test, uint32_t schedules,
                                                            Symbolizer& symbolizer) {
  std::unique_ptr<ComparedTest> result(new ComparedTest(change, test, schedules, symbolizer));
  if (test.base != nullptr) {
    Expected<Version> base = result->start(*test.base);
    if (!base) return tl::unexpected(base.error());
    result->base_ = std::move(*base);
  }
  Expected<Version> head = result->start(*test.head);
  if (!head) return tl::unexpected(head.error());
  result->head_ = std::move(*head);
  return result;
}

Expected<ComparedTest::Version> ComparedTest::start(const SuiteTest& test) {
  Expected<ForkServer> server = ForkServer::start(test.command);
  if (!server) return tl::unexpected(server.error());
  Version version{.server = std::make_shared<ForkServer>(std::move(*server)), .options = {}};
  version.options.timeout = change_.timeout_of(test);
  const Expected<LearningResult> learned = learn_test(*version.server, version.options);
  if (!learned) return tl::unexpected(learned.error());
  executions_ += learned->executions;
  return version;
}

Expected<std::unique_ptr<TestImpact>> ComparedTest::next() {
  for (;;) {
    std::optional<trace::PolicySpec> policy;
    if (has_threads_) policy = schedules_.next();
    const size_t unreached = reached_.unreached().size();
    const bool is_for_unreached = !policy && has_threads_ && unreached > 0;
    if (is_for_unreached) policy = schedules_.next_for_unreached();
    if (!policy) return nullptr;
    Expected<Recording> head = record(head_, *policy);
    if (!head) return tl::unexpected(head.error());
    has_threads_ = head->execution.threads_created > 0;
    note_reached(head->trace());
    const bool is_new = schedules_.add(head->trace());
    if (!is_new || (is_for_unreached && reached_.unreached().size() == unreached)) continue;
    return compare(*policy, std::move(*head));
  }
}

Expected<bool> ComparedTest::base_has(const FindingOfBoth& finding, UnitRule units,
                                      const std::optional<trace::PolicySpec>& except) {
  if (base_.server == nullptr) return false;
  for (const trace::PolicySpec& policy : schedules_.planned()) {
    if (policy == except) continue;
    Expected<Recording> recording = record(base_, policy);
    if (!recording) return tl::unexpected(recording.error());
    VersionOfTest base;
    base.server = base_.server;
    base.recording = std::move(*recording);
    BaseFindings findings(base, change_.statements().base, symbolizer_, units);
    const Expected<bool> has = findings.has(finding);
    executions_ += findings.executions();
    if (!has || *has) return has;
  }
  return false;
}

Expected<Recording> ComparedTest::record(Version& version, const trace::PolicySpec& policy) {
  version.options.policy = policy;
  version.options.flags = trace::request_flag::kCoverage;
  Expected<Recording> recording = record_execution(*version.server, version.options);
  ++executions_;
  // What is executed later to confirm something need not be covered.
  if (recording) recording->request.flags &= ~trace::request_flag::kCoverage;
  return recording;
}

// All that is known of the places in the table of sites is that they were executed.
void ComparedTest::note_reached(const trace::Trace& trace) {
  TraceSymbols symbols(trace, symbolizer_);
  for (uint32_t site = 1; site < trace.sites().size(); ++site)
    for (const StackFrame& frame : symbols.stack(site, 0))
      if (const std::optional<std::string> file = head_files_(frame.frame.file))
        reached_.reach(*file, frame.frame.line, frame.frame.column);
}

Expected<std::unique_ptr<TestImpact>> ComparedTest::compare(const trace::PolicySpec& policy, Recording head) {
  auto result = std::make_unique<TestImpact>();
  result->policy = policy;
  result->head.server = head_.server;
  result->head.recording = std::move(head);
  if (base_.server != nullptr) {
    Expected<Recording> base = record(base_, policy);
    if (!base) return tl::unexpected(base.error());
    result->base.server = base_.server;
    result->base.recording = std::move(*base);
  }
  if (is_first_)
    for (VersionOfTest* version : {&result->base, &result->head})
      if (const Expected<void> again = execute_again(version); !again) return tl::unexpected(again.error());
  is_first_ = false;
  const StatementMap& map = change_.change().statements;
  result->base.symbols = std::make_unique<TraceSymbols>(result->base.recording.trace(), symbolizer_);
  result->head.symbols = std::make_unique<TraceSymbols>(result->head.recording.trace(), symbolizer_);
  result->base.names = names_in_base(*result->base.symbols, map, change_.base_files());
  result->head.names = names_in_head(*result->head.symbols, map, head_files_);
  result->impact = find_impact(result->base.recording.trace(), result->base.names,
                               result->head.recording.trace(), result->head.names);
  return result;
}

Expected<void> ComparedTest::execute_again(VersionOfTest* version) {
  if (version->server == nullptr) return {};
  Expected<std::optional<Divergence>> divergence = repeat(*version->server, version->recording);
  if (!divergence) return tl::unexpected(divergence.error());
  ++executions_;
  version->divergence = std::move(*divergence);
  return {};
}

}  // namespace heddle
