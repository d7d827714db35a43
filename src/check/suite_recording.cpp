#include "check/suite_recording.h"

#include <algorithm>
#include <regex>

#include <fmt/format.h>

#include "support/interruption.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

// A recording describes what a test does under its default schedule; it need not know every location.
constexpr uint32_t kQuietExecutions = 2;

Expected<void> keep_matching(const std::string& pattern, TestSuite* suite) {
  if (pattern.empty()) return {};
  try {
    const std::regex regex(pattern);
    std::erase_if(suite->tests, [&](const SuiteTest& test) { return !std::regex_search(test.name, regex); });
    std::erase_if(suite->unusable,
                  [&](const UnusableTest& test) { return !std::regex_search(test.name, regex); });
  } catch (const std::regex_error&) {
    return usage_error(fmt::format("'{}' is not a regular expression for test names", pattern));
  }
  if (suite->tests.empty() && suite->unusable.empty())
    return usage_error(fmt::format("no test of this build has a name that matches '{}'", pattern));
  return {};
}

// Whether none of the sources has been written after the last program was made.
bool is_of_present_sources(const RecordKeeper::Build& build, const TestSuite& suite,
                           const std::vector<std::string>& sources) {
  std::error_code failed;
  auto built = fs::file_time_type::min();
  for (const SuiteTest& test : suite.tests) {
    const fs::file_time_type time = fs::last_write_time(test.program, failed);
    if (!failed) built = std::max(built, time);
  }
  return std::ranges::none_of(sources, [&](const std::string& name) {
    std::error_code missing;
    const fs::file_time_type written = fs::last_write_time(build.source / name, missing);
    return !missing && written > built;
  });
}

RecordedTest from_history(const TestRecord& record) {
  RecordedTest test{.name = record.key.test, .outcome = record.outcome, .message = record.message};
  test.was_up_to_date = true;
  for (const RecordedFinding& known : record.findings) {
    Finding& finding = test.findings.emplace_back();
    finding.kind = known.kind;
    finding.fingerprint = known.fingerprint;
    finding.message = known.message;
  }
  return test;
}

}  // namespace

bool SuiteRecording::complete() const {
  return not_reached.empty() && unusable.empty() &&
         std::all_of(tests.begin(), tests.end(),
                     [](const RecordedTest& test) { return test.trouble.empty(); });
}

Expected<SuiteRecording> record_tests(const Project& project, const RecordKeeper::Build& build,
                                      const SuiteRecordingOptions& options, History& history,
                                      Suppressions& suppressions, const SuiteRecordingListener& listener) {
  Expected<TestSuite> suite = discover_tests(project, build.source, build.folder);
  if (!suite) return tl::unexpected(suite.error());
  if (const Expected<void> chosen = keep_matching(options.tests, &*suite); !chosen)
    return tl::unexpected(chosen.error());
  std::erase_if(suite->tests, [&](const SuiteTest& test) { return options.known.contains(test.name); });
  SuiteRecording result;
  result.unusable = std::move(suite->unusable);
  const std::unique_ptr<Symbolizer> symbolizer = make_symbolizer();
  RecordKeeper::Build known_build = build;
  if (build.home.empty() && build.tree.content != 0 &&
      !is_of_present_sources(build, *suite, options.sources)) {
    known_build.tree.content = 0;
    result.sources_are_newer = true;
  }
  RecordKeeper keeper(history, known_build, *symbolizer);
  TrialOptions trial_options;
  trial_options.seeds = 0;
  trial_options.quiet_executions = kQuietExecutions;
  trial_options.test_timeout = project.test_timeout;
  const uint64_t settings = settings_of(trial_options, suppressions);
  for (size_t i = 0; i < suite->tests.size(); ++i) {
    const SuiteTest& test = suite->tests[i];
    if (std::chrono::steady_clock::now() >= options.deadline || was_interrupted()) {
      result.not_reached.push_back(test.name);
      continue;
    }
    if (listener) listener(i + 1, suite->tests.size(), test.name);
    if (!options.again) {
      const Expected<std::optional<TestRecord>> known = keeper.find(test);
      if (!known) return tl::unexpected(known.error());
      if (*known) {
        result.tests.push_back(from_history(**known));
        ++result.up_to_date;
        continue;
      }
    }
    trial_options.observe = [&](const ObservedExecution& first) { keeper.observe(test, first); };
    const Expected<Trial> trial = try_test(test, trial_options, suppressions, *symbolizer);
    if (!trial && !was_interrupted()) return tl::unexpected(trial.error());
    if (trial) result.executions += trial->executions;
    if (trial) result.learning_executions += trial->learning_executions;
    if (!trial || (was_interrupted() && !trial->complete)) {  // it was heddle that ended it
      result.not_reached.push_back(test.name);
      continue;
    }
    const Expected<TestRecord> kept = keeper.keep(test, *trial, settings);
    if (!kept) return tl::unexpected(kept.error());
    RecordedTest& recorded = result.tests.emplace_back();
    recorded.name = test.name;
    recorded.outcome = kept->outcome;
    recorded.message = kept->message;
    recorded.trouble = trial->trouble;
    for (const TrialFinding& found : trial->findings) recorded.findings.push_back(found.finding);
  }
  result.interrupted = was_interrupted();
  return result;
}

}  // namespace heddle
