#include "check/compared_test.h"

#include <map>

#include "check/coverage_points.h"
#include "confirm/reference.h"
#include "execute/fork_server.h"
#include "support/interruption.h"

namespace heddle {
namespace {

// Whether threads get into each other's way, so that what the test prints may be what goes wrong.
bool disturbs(const trace::PolicySpec& policy) {
  return policy.kind != trace::PolicyKind::kNonpreemptive && policy.kind != trace::PolicyKind::kSerial;
}

}  // namespace

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

std::optional<ComparedTest::Proposal> ComparedTest::propose(std::chrono::steady_clock::time_point deadline) {
  if (!has_threads_) return std::nullopt;
  if (const auto policy = schedules_.next()) return Proposal{.policy = *policy};
  if (std::chrono::steady_clock::now() >= deadline || was_interrupted()) return std::nullopt;
  if (!reached_.unreached().empty())
    if (const auto policy = schedules_.next_for_unreached())
      return Proposal{.policy = *policy, .purpose = Purpose::kUnreached};
  if (std::optional<ActsOfThreads::Wait> wait = acts_.next())
    return Proposal{.policy = {.kind = trace::PolicyKind::kDelay, .seed = wait->seed},
                    .purpose = Purpose::kActs,
                    .wait = std::move(*wait)};
  return std::nullopt;
}

bool ComparedTest::serves(Purpose purpose, size_t unreached_before, const trace::Trace& head) {
  if (purpose == Purpose::kWanted) return true;
  if (purpose == Purpose::kUnreached) return reached_.unreached().size() < unreached_before;
  TraceSymbols symbols(head, symbolizer_);
  return acts_.adds(symbols);
}

Expected<std::unique_ptr<TestImpact>> ComparedTest::next(std::chrono::steady_clock::time_point deadline) {
  while (const std::optional<Proposal> proposal = propose(deadline)) {
    const size_t unreached = reached_.unreached().size();
    Expected<Recording> head = record(head_, proposal->policy, proposal->wait.head);
    if (!head) return tl::unexpected(head.error());
    has_threads_ = head->execution.threads_created > 0;
    note_reached(head->trace());
    if (!schedules_.add(head->trace()) || !serves(proposal->purpose, unreached, head->trace())) continue;
    Expected<std::unique_ptr<TestImpact>> found = compare(*proposal, std::move(*head));
    if (found) acts_.add(**found);
    return found;
  }
  return nullptr;
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
    base.is_output_right = !disturbs(policy);
    BaseFindings findings(base, change_.statements().base, symbolizer_, units);
    const Expected<bool> has = findings.has(finding);
    executions_ += findings.executions();
    if (!has || *has) return has;
  }
  return false;
}

Expected<Recording> ComparedTest::record(Version& version, const trace::PolicySpec& policy,
                                         const std::vector<uint64_t>& places) {
  version.options.policy = policy;
  version.options.flags = trace::request_flag::kCoverage;
  Expected<Recording> recording = record_execution(*version.server, version.options, places);
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
  note_blocks(trace);
}

// Also those that were not executed.
void ComparedTest::note_blocks(const trace::Trace& trace) {
  std::map<uint32_t, std::set<uint64_t>> covered;  // by module
  for (const trace::CoverageRecord& record : trace.coverage()) {
    if (record.site >= trace.sites().size()) continue;
    const trace::SiteRecord& site = trace.sites()[record.site];
    if (site.module < trace.modules().size()) covered[site.module].insert(site.offset);
  }
  for (const auto& [module, offsets] : covered) {
    const trace::ModuleRecord& record = trace.modules()[module];
    const ModuleName name{std::string(trace.string(record.path)), std::string(trace.string(record.build_id))};
    if (!modules_.insert(name.path).second) continue;
    for (const uint64_t point : coverage_points(name.path, offsets))
      for (const Frame& frame : symbolizer_.code(name, point))
        if (const std::optional<std::string> file = head_files_(frame.file))
          reached_.can_show(*file, frame.line, frame.column);
  }
}

Expected<std::unique_ptr<TestImpact>> ComparedTest::compare(const Proposal& proposal, Recording head) {
  const trace::PolicySpec& policy = proposal.policy;
  auto result = std::make_unique<TestImpact>();
  result->policy = policy;
  result->head.server = head_.server;
  result->head.recording = std::move(head);
  if (base_.server != nullptr) {
    Expected<Recording> base = record(base_, policy, proposal.wait.base);
    if (!base) return tl::unexpected(base.error());
    result->base.server = base_.server;
    result->base.recording = std::move(*base);
  }
  // What both print under a schedule that disturbs them is right as well.
  const bool is_right = !disturbs(policy) ||
                        (base_.server != nullptr && comparable_output(result->base.recording.execution) ==
                                                        comparable_output(result->head.recording.execution));
  result->base.is_output_right = result->head.is_output_right = is_right;
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
