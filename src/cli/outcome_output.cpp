#include "cli/outcome_output.h"

#include <unistd.h>

#include <filesystem>
#include <iostream>

#include <fmt/format.h>

#include "cli/command_line.h"
#include "report/terminal.h"
#include "report/text.h"
#include "symbolize/symbolizer.h"
#include "trace/schedule.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

// Enough to tell the findings of one project apart, and short enough to type.
constexpr size_t kShortFingerprint = 8;

// The words about the failure do not count.
bool holds_schedule(const fs::path& file, const trace::Schedule& schedule) {
  Expected<trace::Schedule> existing = trace::read_schedule_file(file.string());
  if (!existing) return false;
  existing->message = schedule.message;
  return trace::print_schedule(*existing) == trace::print_schedule(schedule);
}

std::string stem_of(const Finding& finding) {
  return fmt::format("heddle-{}-{}", finding.kind, finding.fingerprint.substr(0, kShortFingerprint));
}

fs::path choose_name(const fs::path& folder, const trace::Schedule& schedule, const Finding& finding) {
  const std::string stem = stem_of(finding);
  for (int number = 1;; ++number) {
    const fs::path file =
        folder / (number == 1 ? stem + ".schedule" : fmt::format("{}-{}.schedule", stem, number));
    std::error_code failed;
    if (!fs::exists(file, failed) || holds_schedule(file, schedule)) return file;
  }
}

}  // namespace

bool names_folder(const std::string& path) {
  std::error_code failed;
  return path.ends_with('/') || fs::is_directory(path, failed);
}

Expected<void> check_output_for_many(const std::string& output, bool keep_going) {
  if (!keep_going || output.empty() || names_folder(output)) return {};
  return usage_error(fmt::format(
      "--keep-going can find several failures, so --output must be a folder; for a new one write {}/",
      output));
}

Expected<std::string> write_finding_schedule(trace::Schedule schedule, const Finding& finding,
                                             const std::string& output, const std::string& revision) {
  std::error_code failed;
  schedule.message = finding.message;
  if (!revision.empty()) schedule.message += fmt::format("; found in {}", revision);
  fs::path file = output;
  if (output.empty() || names_folder(output)) {
    if (!output.empty()) fs::create_directories(output, failed);
    file = choose_name(output.empty() ? fs::path(".") : fs::path(output), schedule, finding);
  }
  file = fs::absolute(file, failed).lexically_normal();
  if (Expected<void> written = trace::write_schedule_file(file.string(), schedule); !written) {
    return tl::unexpected(written.error());
  }
  return file.string();
}

Expected<std::string> write_schedule_in(const fs::path& folder, trace::Schedule schedule,
                                        const Finding& finding, const std::string& revision) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) return usage_error(fmt::format("cannot make folder {}: {}", folder.string(), failed.message()));
  return write_finding_schedule(std::move(schedule), finding,
                                (folder / (stem_of(finding) + ".schedule")).string(), revision);
}

void print_report(Finding* finding, const Execution& execution, Symbolizer& symbolizer,
                  const EvidenceOptions& options) {
  std::cout.flush();
  if (!execution.damage.empty()) {
    say(fmt::format("the record of this execution is damaged ({}), so the report is short",
                    execution.damage));
  }
  add_evidence(finding, execution.trace, symbolizer, options);
  render_terminal(std::cerr, *finding, terminal_options(STDERR_FILENO));
}

void say_what_was_not_controlled(const Execution& execution) {
  if (execution.left_control) {
    say("the program ended by exec or by a bare system call: what it did from there on was not controlled, "
        "and "
        "the outcome is its exit code");
  }
  if (!execution.instrumented) {
    say("no instrumented code ran, so only synchronisation was scheduled");
  } else if (execution.threads_created == 0) {
    say("the program created no thread, so there was nothing to schedule");
  }
}

Expected<void> check_seen_to_the_end(const Execution& execution) {
  const trace::OutcomeKind kind = execution.outcome.kind;
  if (kind != trace::OutcomeKind::kKilled && kind != trace::OutcomeKind::kInternal) return {};
  const std::string message = printable(execution.outcome.message);
  return internal_error(fmt::format("{}, after {} steps",
                                    message.empty() ? "the execution was not seen to its end" : message,
                                    execution.steps()));
}

}  // namespace heddle
