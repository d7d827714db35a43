#include "check/record_keeper.h"

#include <algorithm>
#include <charconv>
#include <ctime>

#include <fmt/format.h>

#include "check/observation.h"
#include "support/replace_text.h"
#include "trace/command_text.h"
#include "trace/hash.h"
#include "trace/names.h"

namespace heddle {

RecordKeeper::RecordKeeper(History& history, Build build, Symbolizer& symbolizer)
    : history_(history),
      build_(std::move(build)),
      symbolizer_(symbolizer),
      names_(build_.source, build_.folder),
      contents_(build_.home) {}

uint64_t command_key(const SuiteTest& test, const std::filesystem::path& source,
                     const std::filesystem::path& build) {
  const TestCommand& command = test.command;
  std::vector<std::string> words(command.argv.begin() + 1, command.argv.end());
  words.push_back(command.directory);
  std::vector<std::string> settings;
  for (const auto& [variable, value] : command.environment) settings.push_back(variable + "=" + value);
  std::sort(settings.begin(), settings.end());
  words.insert(words.end(), settings.begin(), settings.end());
  words.emplace_back(test.must_fail ? "fails" : "succeeds");
  if (test.skip_code) words.push_back(std::to_string(*test.skip_code));
  for (const auto* patterns : {&test.pass_patterns, &test.fail_patterns, &test.skip_patterns})
    words.insert(words.end(), patterns->begin(), patterns->end());
  // It is the same command in another folder.
  for (std::string& word : words) {
    word = replaced(word, build.string(), "<build>");
    word = replaced(word, source.string(), "<source>");
  }
  return trace::fnv1a(trace::join_command(words));
}

Expected<TestKey> RecordKeeper::key_of(const SuiteTest& test) {
  const Expected<uint64_t> program = contents_.of(test.program);
  if (!program) return tl::unexpected(program.error());
  return TestKey{test.name, command_key(test, build_.source, build_.folder), *program};
}

Expected<std::optional<TestRecord>> RecordKeeper::find(const SuiteTest& test) {
  const Expected<TestKey> key = key_of(test);
  if (!key) return tl::unexpected(key.error());
  Expected<std::optional<TestRecord>> record = history_.records().find(*key);
  if (!record || !*record || !(*record)->is_lasting()) return record ? std::nullopt : record;
  // Who cannot write can use what is known all the same.
  if (history_.read_only_reason().empty()) {
    if (const Expected<void> saved = history_.records().save_tree(*key, build_.tree); !saved)
      return tl::unexpected(saved.error());
  }
  return record;
}

Expected<std::optional<TrialMemory>> RecordKeeper::find_trial(const SuiteTest& test, uint64_t settings) {
  const Expected<TestKey> key = key_of(test);
  if (!key) return tl::unexpected(key.error());
  Expected<std::optional<TrialMemory>> trial = history_.records().find_trial(*key, settings);
  if (trial && *trial && history_.read_only_reason().empty()) {
    // Its record was kept with it.
    if (const Expected<void> saved = history_.records().save_tree(*key, build_.tree); !saved)
      return tl::unexpected(saved.error());
  }
  return trial;
}

void RecordKeeper::observe(const SuiteTest& test, const ObservedExecution& first) {
  if (first.is_further) {
    add_observation(heddle::observe(first.execution, symbolizer_, names_), &observed_[test.name]);
    return;
  }
  TestRecord& record = observed_[test.name] = heddle::observe(first.execution, symbolizer_, names_);
  record.has_blocks = first.binary.has_coverage;
  record.microseconds =
      static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(first.duration).count());
}

Expected<TestRecord> RecordKeeper::keep(const SuiteTest& test, const Trial& trial, uint64_t settings) {
  const Expected<TestKey> key = key_of(test);
  if (!key) return tl::unexpected(key.error());
  const auto observed = observed_.extract(test.name);
  TestRecord record = observed ? observed.mapped() : TestRecord{};
  record.key = *key;
  record.time = static_cast<uint64_t>(std::time(nullptr));
  if (record.outcome.empty()) {
    record.outcome = TestRecord::kNotStarted;
    record.message = trial.trouble;
  }
  // As its suite judges it, it has passed.
  const std::string_view exit_code = trace::to_text(trace::OutcomeKind::kExitCode);
  const bool has_failed = std::any_of(trial.findings.begin(), trial.findings.end(),
                                      [&](const auto& found) { return found.finding.kind == exit_code; });
  if (record.outcome == exit_code && !has_failed && trial.suppressed == 0) {
    record.outcome = trace::to_text(trace::OutcomeKind::kOk);
    record.message.clear();
  }
  TrialMemory memory{.executions = trial.executions, .suppressed = trial.suppressed, .fingerprints = {}};
  for (const TrialFinding& found : trial.findings) {
    const Finding& finding = found.finding;
    record.findings.push_back({finding.fingerprint, finding.kind, finding.message});
    memory.fingerprints.push_back(remembered(found, trial));
    if (record.message.empty()) record.message = finding.message;
  }
  std::sort(record.findings.begin(), record.findings.end());
  // Two stores that see the same say the same.
  const std::string folder = build_.source.string() + "/";
  record.message = replaced(record.message, folder, "");
  for (RecordedFinding& finding : record.findings) finding.message = replaced(finding.message, folder, "");
  if (const Expected<void> saved = history_.records().save(record, build_.tree); !saved)
    return tl::unexpected(saved.error());
  if (!trial.complete || !trial.trouble.empty() || !record.is_lasting()) return record;
  const Expected<void> saved = history_.records().save_trial(*key, settings, memory);
  if (!saved) return tl::unexpected(saved.error());
  return record;
}

std::string remembered(const TrialFinding& found, const Trial& trial) {
  if (!found.is_known_by_rate()) return found.sameness;
  return fmt::format("{}@{}/{}", found.sameness, found.occurrences, trial.executions);
}

bool is_same(const TrialFinding& found, const Trial& trial, const std::string& remembered) {
  const size_t at = remembered.find('@');
  if (found.sameness != remembered.substr(0, at)) return false;
  if (at == std::string::npos || !found.is_known_by_rate()) return true;
  FailureRate there;
  const size_t slash = std::min(remembered.find('/', at), remembered.size());
  std::from_chars(remembered.data() + at + 1, remembered.data() + slash, there.failed);
  if (slash < remembered.size())
    std::from_chars(remembered.data() + slash + 1, remembered.data() + remembered.size(), there.executions);
  return FailureRate{found.occurrences, trial.executions}.is_like(there);
}

// The number goes up when records come to know more: those of before are made again.
uint64_t settings_of(const TrialOptions& options, const Suppressions& suppressions) {
  uint64_t settings = trace::fnv1a(fmt::format("3 {} {}", options.seeds, options.quiet_executions));
  if (options.verifies) settings = trace::fnv1a(std::string_view("verifies 1\n"), settings);
  for (const Suppression& suppression : suppressions.all())
    settings = trace::fnv1a(suppression.text() + '\n', settings);
  return settings;
}

}  // namespace heddle
