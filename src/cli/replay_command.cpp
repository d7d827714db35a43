#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cli/command_line.h"
#include "cli/outcome_output.h"
#include "cli/test_options.h"
#include "confirm/reference.h"
#include "execute/debugger.h"
#include "report/run_result.h"
#include "trace/names.h"
#include "trace/policy.h"
#include "trace/trace_file.h"

namespace heddle {
namespace {

struct ReplayOptions {
  TestOptions test;
  std::string file;
  bool gdb = false;
  bool lldb = false;
  bool force = false;
};

// What the file says, and on where it cannot be followed if that is wanted.
ExecutionRequest replay_request(const trace::Schedule& schedule, const ReplayOptions& options) {
  ExecutionRequest request = request_of(schedule, options.test);
  request.stop_at_divergence = !options.force;
  return request;
}

// After a divergence the policy decides, and what comes of that says nothing about the schedule's failure.
void say_what_came_of_the_rest(const trace::Schedule& schedule, trace::OutcomeKind got) {
  const std::string policy = trace::print_policy(schedule.then);
  if (got != trace::OutcomeKind::kOk) {
    say(fmt::format("from there on the policy {} decided, and the execution fails with {}", policy,
                    trace::to_text(got)));
    return;
  }
  const std::string what = schedule.failure ? fmt::format("the {} that the schedule was made for",
                                                          trace::to_text(*schedule.failure))
                                            : "the schedule";
  say(
      fmt::format("from there on the policy {} decided, and the execution ended without a failure; that says "
                  "nothing about {}",
                  policy, what));
}

// `prints_the_same`: the schedule says what the test printed, and it has printed that.
void say_how_it_compares(const trace::Schedule& schedule, const trace::OutcomeRecord& outcome,
                         const std::string& divergence, bool prints_the_same) {
  const std::string_view got = trace::to_text(outcome.kind);
  if (!divergence.empty()) {
    say_what_came_of_the_rest(schedule, outcome.kind);
  } else if (outcome.kind == trace::OutcomeKind::kOk && prints_the_same) {
    say(fmt::format("reproduced: the test prints what it printed then; {}", schedule.message));
  } else if (outcome.kind == trace::OutcomeKind::kOk) {
    say(schedule.failure ? fmt::format("the replay ran clean: the schedule was followed to its end, and the "
                                       "failure it was made for ({}) did not show",
                                       trace::to_text(*schedule.failure))
                         : fmt::format("the replay ran clean, {} steps", outcome.steps));
  } else if (!schedule.failure || *schedule.failure != outcome.kind) {
    say(fmt::format("the replay fails, but differently: {} instead of {}", got,
                    schedule.failure ? trace::to_text(*schedule.failure) : "a clean run"));
  } else {
    say(fmt::format("reproduced: {}", got));
  }
}

// A schedule that cannot be followed ends the replay, unless it was forced.
Expected<void> tell_divergence(const ReplayOptions& options, const std::string& divergence) {
  if (divergence.empty()) return {};
  const std::string what = fmt::format("schedule {} cannot be followed: {}", options.file, divergence);
  if (!options.force) return usage_error(what);
  say(what);
  return {};
}

Expected<int> replay_in_debugger(const TestCommand& command, const trace::Schedule& schedule,
                                 const ReplayOptions& options) {
  if (!options.test.record.empty() || !options.test.report.empty()) {
    return usage_error("--record, --json and -r are for a replay without a debugger");
  }
  Expected<Input> input = options.test.open_input_beside_debugger();
  if (!input) return tl::unexpected(input.error());
  if (schedule.failure) {
    say(fmt::format("the debugger opens where the failure shows: {}{}{}", trace::to_text(*schedule.failure),
                    schedule.message.empty() ? "" : ": ", schedule.message));
  }
  if (schedule.failure == trace::OutcomeKind::kHang) {
    say(fmt::format("a hang has no place to stop at: it is interrupted after {} seconds (--timeout)",
                    options.test.timeout_seconds));
  }
  say(fmt::format(
      "the frame selected is the program's innermost one, those with smaller numbers are heddle's and the "
      "libraries'; {}",
      options.gdb ? "`heddle threads` lists all threads, `heddle thread main/1` shows one of them"
                  : "`thread list` lists all threads, called as in the report"));
  const Expected<DebuggedExecution> debugged = debug_execution(
      options.gdb ? Debugger::kGdb : Debugger::kLldb, command, *input, replay_request(schedule, options));
  if (!debugged) return tl::unexpected(debugged.error());
  if (const Expected<void> told = tell_divergence(options, debugged->divergence); !told)
    return tl::unexpected(told.error());
  say_how_it_compares(schedule, debugged->outcome, debugged->divergence, /*prints_the_same=*/false);
  return debugged->outcome.kind == trace::OutcomeKind::kOk ? exit_code::kClean : exit_code::kFindings;
}

Expected<int> replay(const ReplayOptions& options, const Invocation& invocation) {
  const auto started = std::chrono::steady_clock::now();
  const Expected<Reports> reports = Reports::open(options.test.report);
  if (!reports) return tl::unexpected(reports.error());
  const Expected<trace::Schedule> schedule = trace::read_schedule_file(options.file);
  if (!schedule) return tl::unexpected(schedule.error());
  TestCommand command{.argv = schedule->command, .directory = schedule->directory};
  if (invocation.has_words) command = {.argv = invocation.words};
  const Expected<std::string> program = resolve_program(command);
  if (!program) return tl::unexpected(program.error());
  const Expected<BinaryInfo> binary = inspect_binary(*program);
  if (!binary) return tl::unexpected(binary.error());
  if (const Expected<void> runnable = check_runnable(*binary); !runnable)
    return tl::unexpected(runnable.error());
  if (!options.force) {
    const Expected<void> fits = check_schedule_fits(*schedule, options.file, command, *binary);
    if (!fits) return tl::unexpected(fits.error());
  }
  if (options.gdb || options.lldb) return replay_in_debugger(command, *schedule, options);

  Expected<ForkServerOptions> server_options = options.test.server_options();
  if (!server_options) return tl::unexpected(server_options.error());
  Expected<ForkServer> server = ForkServer::start(command, std::move(*server_options));
  if (!server) return tl::unexpected(server.error());
  server->add_points(schedule->points);
  server->pass_output_through(!schedule->output);
  const Expected<Execution> execution = server->run(replay_request(*schedule, options));
  if (!execution) return tl::unexpected(execution.error());
  if (schedule->output) {
    std::cout << execution->out << std::flush;
    std::cerr << execution->err << std::flush;
  }
  const bool prints_the_same = schedule->output && output_hash(*execution) == *schedule->output;
  if (!options.test.record.empty()) {
    const Expected<void> written = trace::write_trace(options.test.record, execution->trace);
    if (!written) return tl::unexpected(written.error());
  }
  if (const Expected<void> seen = check_seen_to_the_end(*execution); !seen)
    return tl::unexpected(seen.error());
  if (const Expected<void> told = tell_divergence(options, execution->divergence); !told)
    return tl::unexpected(told.error());

  RunResult result;
  result.command = "replay";
  result.executions = 1;
  result.complete = true;
  result.own["steps"] = execution->steps();
  result.own["reproduced"] =
      execution->failed() ? schedule->failure == execution->outcome.kind : prints_the_same;
  if (!execution->divergence.empty()) result.own["diverged_at"] = execution->outcome.diverged_step;
  const std::unique_ptr<Symbolizer> symbolizer = make_symbolizer();
  for (Finding& finding : make_findings(execution->trace, *symbolizer)) {
    finding.schedule = std::filesystem::absolute(options.file).lexically_normal().string();
    print_report(&finding, *execution, *symbolizer, reports->evidence());
    result.findings.push_back(std::move(finding));
  }
  say_what_was_not_controlled(*execution);
  say_how_it_compares(*schedule, execution->outcome, execution->divergence, prints_the_same);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  if (const Expected<void> written = reports->write(std::move(result)); !written)
    return tl::unexpected(written.error());
  return execution->failed() || prints_the_same ? exit_code::kFindings : exit_code::kClean;
}

}  // namespace

void add_replay_command(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "replay",
      "execute exactly what a schedule file says: heddle replay FILE [options] [-- PROGRAM [arguments]]");
  auto options = std::make_shared<ReplayOptions>();
  command->add_option("FILE", options->file, "a schedule file")->required();
  command->add_flag(
      "--gdb", options->gdb,
      "open the replay in gdb, stopped at the failure; `heddle threads` lists all threads there");
  command->add_flag("--lldb", options->lldb, "the same in lldb")->excludes("--gdb");
  command->add_flag("--force", options->force,
                    "try it although it is for another build or test, and go on where it cannot be followed");
  add_test_options(*command, options->test);
  command->callback([&invocation, options] {
    invocation.action = [&invocation, options] { return replay(*options, invocation); };
  });
}

}  // namespace heddle
