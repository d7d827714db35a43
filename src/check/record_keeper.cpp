#include "check/record_keeper.h"

#include <algorithm>
#include <ctime>

#include <fmt/format.h>

#include "check/observation.h"
#include "trace/command_text.h"
#include "trace/hash.h"
#include "trace/names.h"

namespace heddle {
namespace {

std::string replaced(std::string_view text, const std::string& from, std::string_view to) {
  std::string result;
  for (size_t at = text.find(from); at != std::string_view::npos && !from.empty(); at = text.find(from)) {
    result += text.substr(0, at);
    result += to;
    text.remove_prefix(at + from.size());
  }
  result += text;
  return result;
}

}  // namespace

RecordKeeper::RecordKeeper(History& history, Build build, Symbolizer& symbolizer)
    : history_(history),
      build_(std::move(build)),
      symbolizer_(symbolizer),
      names_(build_.source, build_.folder),
      contents_(build_.home) {}

Expected<TestKey> RecordKeeper::key_of(const SuiteTest& test) {
  const Expected<uint64_t> program = contents_.of(test.program);
  if (!program) return tl::unexpected(program.error());
  const TestCommand& command = test.command;
  std::vector<std::string> words(command.argv.begin() + 1, command.argv.end());
  words.push_back(command.directory);
  std::vector<std::string> settings;
  for (const auto& [variable, value] : command.environment) settings.push_back(variable + "=" + value);
  std::sort(settings.begin(), settings.end());
  words.insert(words.end(), settings.begin(), settings.end());
  words.emplace_back(test.must_fail ? "fails" : "succeeds");
  if (test.is_judged_by_text) words.emplace_back("is judged by text");
  if (test.skip_code) words.push_back(fmt::format("skips with {}", *test.skip_code));
  // It is the same command in another folder.
  for (std::string& word : words) {
    word = replaced(word, build_.folder.string(), "<build>");
    word = replaced(word, build_.source.string(), "<source>");
  }
  return TestKey{test.name, trace::fnv1a(trace::join_command(words)), *program};
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

void RecordKeeper::observe(const FirstExecution& first) {
  observed_ = heddle::observe(first.execution, symbolizer_, names_);
  observed_->has_blocks = first.binary.has_coverage;
  exit_code_ = first.execution.outcome.exit_code;
  observed_->microseconds =
      static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(first.duration).count());
}

Expected<TestRecord> RecordKeeper::keep(const SuiteTest& test, const Trial& trial, uint64_t settings) {
  const Expected<TestKey> key = key_of(test);
  if (!key) return tl::unexpected(key.error());
  TestRecord record = std::exchange(observed_, std::nullopt).value_or(TestRecord{});
  record.key = *key;
  record.time = static_cast<uint64_t>(std::time(nullptr));
  if (record.outcome.empty()) {
    record.outcome = TestRecord::kNotStarted;
    record.message = trial.trouble;
  }
  if (record.outcome == trace::to_text(trace::OutcomeKind::kExitCode) && test.accepts(exit_code_)) {
    record.outcome = trace::to_text(trace::OutcomeKind::kOk);
    record.message.clear();
  }
  TrialMemory memory{.executions = trial.executions, .suppressed = trial.suppressed, .fingerprints = {}};
  for (const TrialFinding& found : trial.findings) {
    const Finding& finding = found.finding;
    record.findings.push_back({finding.fingerprint, finding.kind, finding.message});
    memory.fingerprints.push_back(finding.fingerprint);
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

uint64_t settings_of(const TrialOptions& options, const Suppressions& suppressions) {
  uint64_t settings = trace::fnv1a(fmt::format("{} {}", options.seeds, options.quiet_executions));
  for (const Suppression& suppression : suppressions.all())
    settings = trace::fnv1a(suppression.text() + '\n', settings);
  return settings;
}

}  // namespace heddle
