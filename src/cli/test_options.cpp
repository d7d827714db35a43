#include "cli/test_options.h"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include <fmt/format.h>

#include "cli/command_line.h"
#include "report/text.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

// Input on a pipe could be meant for the test, but a pipe that never ends could not be told from one that
// does.
void warn_about_ignored_pipe() {
  struct stat status{};
  pollfd wait{STDIN_FILENO, POLLIN, 0};
  if (::fstat(STDIN_FILENO, &status) == 0 && S_ISFIFO(status.st_mode) && ::poll(&wait, 1, 0) == 1 &&
      (wait.revents & POLLIN) != 0) {
    say("the input on the pipe is not given to the test; to do so, use --stdin -");
  }
}

}  // namespace

uint32_t TestOptions::request_flags() const {
  uint32_t flags = trace::request_flag::kRecordEvents;
  if (record_all) flags |= trace::request_flag::kRecordAll;
  flags |= record.empty() ? trace::request_flag::kRingEvents : trace::request_flag::kCoverage;
  if (backend == "os") flags |= trace::request_flag::kOsThreads;
  if (detect == "race") flags |= trace::request_flag::kDetectRaces;
  return flags;
}

Expected<Suppressions> TestOptions::read_suppressions() const {
  Suppressions all = Suppressions::built_in();
  if (suppressions.empty()) return all;
  const Expected<Suppressions> read = Suppressions::read(suppressions);
  if (!read) return tl::unexpected(read.error());
  all.add(*read);
  return all;
}

Expected<Input> TestOptions::open_input() const {
  if (input == "-") return Input::spool(STDIN_FILENO);
  if (!input.empty()) return Input::from_file(input);
  warn_about_ignored_pipe();
  return Input::inherited();
}

Expected<Input> TestOptions::open_input_beside_debugger() const {
  if (input == "-") {
    return usage_error(
        "the standard input is for the commands of the debugger; give the test a file with --stdin FILE");
  }
  return input.empty() ? Input() : Input::from_file(input);
}

Expected<ForkServerOptions> TestOptions::server_options() const {
  ForkServerOptions options;
  Expected<Input> opened = open_input();
  if (!opened) return tl::unexpected(opened.error());
  options.input = std::move(*opened);
  if (!record.empty()) {
    const fs::path folder = fs::path(record).parent_path();
    options.arena.folder = folder.empty() ? "." : folder.string();
  }
  return options;
}

void add_test_options(CLI::App& command, TestOptions& options) {
  command.add_option("--record", options.record,
                     "write the trace to this file (compressed if it ends in .zst)");
  command.add_flag("--record-all", options.record_all,
                   "record every access, also those to memory that is not shared");
  command
      .add_option("--timeout", options.timeout_seconds, "seconds after which an execution counts as hanging")
      ->capture_default_str()
      ->check(seconds());
  command.add_option("--stdin", options.input, "file to give the test as standard input, - for heddle's own");
  command
      .add_option("--backend", options.backend,
                  "what the test's threads run on: fibers, or os for kernel threads (slower)")
      ->capture_default_str()
      ->check(CLI::IsMember({"fibers", "os"}));
  add_report_options(command, options.report);
}

void add_detect_option(CLI::App& command, TestOptions& options) {
  command
      .add_option("--detect", options.detect,
                  "also fail on what goes unnoticed: race (data races and uses of freed memory)")
      ->check(CLI::IsMember({"race"}));
}

void add_suppressions_option(CLI::App& command, TestOptions& options) {
  command.add_option("--suppressions", options.suppressions, "file of findings not to report (docs/cli.md)");
}

ExecutionRequest request_of(const trace::Schedule& schedule, const TestOptions& options) {
  ExecutionRequest request;
  request.schedule = &schedule;
  request.policy = schedule.then;
  request.flags = options.request_flags();
  if (!schedule.spin_parking) request.flags |= trace::request_flag::kNoSpinParking;
  if (schedule.detects_races) request.flags |= trace::request_flag::kDetectRaces;
  request.stop_at_divergence = true;
  request.max_steps = schedule.max_steps;
  request.timeout = options.timeout();
  return request;
}

Expected<void> check_schedule_fits(const trace::Schedule& schedule, const std::string& file,
                                   const TestCommand& command, const BinaryInfo& binary) {
  const std::vector<std::string>& made_for = schedule.command;
  const bool same_program =
      made_for.empty() || fs::path(made_for[0]).filename() == fs::path(command.argv[0]).filename();
  const bool same_arguments = made_for.empty() || std::equal(made_for.begin() + 1, made_for.end(),
                                                             command.argv.begin() + 1, command.argv.end());
  if (!same_program || !same_arguments) {
    return usage_error(
        fmt::format("schedule {} was made for the test `{}`, not for `{}`; to try it anyway, use --force",
                    file, one_line(made_for), one_line(command.argv)));
  }
  if (!schedule.build_id.empty() && schedule.build_id != binary.build_id) {
    // The words end with the revision, if heddle has built it.
    return usage_error(fmt::format(
        "schedule {} was made for another build of {} (build-id {}, and this one has {}){}; build that "
        "revision again, or try it anyway with --force",
        file, binary.path, schedule.build_id, binary.build_id.empty() ? "none" : binary.build_id,
        schedule.message.empty() ? "" : fmt::format(". It shows: {}", printable(schedule.message))));
  }
  return {};
}

}  // namespace heddle
