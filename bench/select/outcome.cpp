#include "outcome.h"

#include <algorithm>

#include <fmt/format.h>

#include "check/observation.h"
#include "common/process.h"
#include "execute/fork_server.h"
#include "execute/learning.h"
#include "report/finding.h"

namespace heddle::bench {
namespace {

// As `heddle record` has it: enough to see what is shared under ordinary schedules.
constexpr uint32_t kQuietExecutions = 2;
// Tests of the subjects take milliseconds. What takes this long does not end.
constexpr std::chrono::milliseconds kTimeout{20'000};

std::string to_text(const RaceSite& site) {
  return fmt::format("{}:{} {}", site.file, site.line, site.function);
}

}  // namespace

std::string Race::functions() const {
  std::string one = first.file + ":" + first.function;
  std::string other = second.file + ":" + second.function;
  if (other < one) std::swap(one, other);
  return one + " / " + other;
}

std::string to_text(const Race& race) {
  return to_text(race.first) + " / " + to_text(race.second);
}

TestExecutor::TestExecutor(const std::filesystem::path& source, const std::filesystem::path& build,
                           TrialPlan plan)
    : plan_(plan), names_(source, build) {}

TestOutcome TestExecutor::run(const SuiteTest& test) {
  TestOutcome outcome;
  outcome.test = test.name;
  const double started = cpu_seconds_so_far();
  if (const Expected<void> executed = execute(test, outcome); !executed)
    outcome.trouble = executed.error().message;
  outcome.cpu_seconds = cpu_seconds_so_far() - started;
  return outcome;
}

// The server ends in here, so that what it took is known to the caller.
Expected<void> TestExecutor::execute(const SuiteTest& test, TestOutcome& outcome) {
  using namespace trace::request_flag;
  Expected<ForkServer> server = ForkServer::start(test.command);
  if (!server) return tl::unexpected(server.error());
  LearningOptions learning;
  learning.flags = kDetectRaces;
  learning.timeout = kTimeout;
  learning.quiet_executions = kQuietExecutions;
  if (const Expected<LearningResult> learned = learn_points(*server, learning); !learned)
    return tl::unexpected(learned.error());
  ExecutionRequest request;
  request.flags = kRecordEvents | kDetectRaces | (plan_.with_lines ? kCoverage : 0);
  request.timeout = kTimeout;
  for (uint64_t seed = 0; seed <= plan_.seeds; ++seed) {
    request.policy = seed == 0 ? trace::PolicySpec{.kind = trace::PolicyKind::kNonpreemptive}
                               : trace::PolicySpec{.kind = trace::PolicyKind::kRandom, .seed = seed};
    const Expected<Execution> execution = server->run(request);
    if (!execution) return tl::unexpected(execution.error());
    ++outcome.executions;
    look_at(*execution, outcome);
    // The next one would do the same, and take as long.
    if (execution->outcome.kind == trace::OutcomeKind::kHang) break;
  }
  return {};
}

void TestExecutor::look_at(const Execution& execution, TestOutcome& outcome) {
  const trace::OutcomeKind kind = execution.outcome.kind;
  if (kind == trace::OutcomeKind::kKilled || kind == trace::OutcomeKind::kInternal)
    outcome.trouble = execution.outcome.message;
  for (const Finding& finding : make_findings(execution.trace, *symbolizer_, &suppressions_)) {
    if ((finding.kind == "race" || finding.kind == "use-after-free") && !finding.sites.empty()) {
      RaceSite first = site_of(finding.sites.front());
      // One place that races with itself is told once.
      RaceSite second = finding.sites.size() > 1 ? site_of(finding.sites[1]) : first;
      if (second < first) std::swap(first, second);
      outcome.races.insert({std::move(first), std::move(second)});
    } else {
      outcome.failures.insert(finding.sites.empty() ? finding.kind
                                                    : finding.kind + " in " + finding.sites.front().function);
    }
  }
  if (!plan_.with_lines) return;
  for (const auto& function : observe(execution, *symbolizer_, names_).functions) {
    std::set<uint32_t>& lines = outcome.lines[function->file];
    const auto add = [&](const auto& activities) {
      for (const auto& activity : activities)
        if (function->thread_sets[activity.threads].count > 0) lines.insert(activity.line);
    };
    add(function->blocks);
    add(function->accesses);
  }
}

RaceSite TestExecutor::site_of(const FindingSite& site) {
  return {names_.name_of(site.file).value_or(site.file), site.line, site.function};
}

}  // namespace heddle::bench
