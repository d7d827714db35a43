// `heddle report`: a result that an earlier command wrote with --json, told again in other forms.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "cli/command_line.h"
#include "cli/reports.h"
#include "cli/test_options.h"
#include "execute/fork_server.h"
#include "report/text.h"
#include "report/writers.h"
#include "symbolize/symbolizer.h"
#include "trace/schedule.h"

namespace heddle {
namespace {

struct ReportCommandOptions {
  std::string file;
  ReportOptions report;
  bool no_replay = false;
};

Expected<Report> read(const std::string& file) {
  std::ifstream input(file);
  if (!input) return usage_error(fmt::format("cannot read {}", file));
  const nlohmann::json json = nlohmann::json::parse(input, nullptr, /*allow_exceptions=*/false);
  Expected<Report> report = json.is_discarded() ? usage_error("it is not JSON") : read_report(json);
  if (!report)
    return usage_error(
        fmt::format("{} is no result of `heddle COMMAND --json`: {}", file, report.error().message));
  return report;
}

// Executes the finding's schedule, which gives back the trace that the result does not hold.
Expected<void> replay(Finding* finding, Symbolizer& symbolizer, const EvidenceOptions& options) {
  const Expected<trace::Schedule> schedule = trace::read_schedule_file(finding->schedule);
  if (!schedule) return tl::unexpected(schedule.error());
  Expected<ForkServerOptions> server_options = TestOptions().server_options();
  if (!server_options) return tl::unexpected(server_options.error());
  Expected<ForkServer> server = ForkServer::start(
      {.argv = schedule->command, .directory = schedule->directory}, std::move(*server_options));
  if (!server) return tl::unexpected(server.error());
  const Expected<void> fits =
      check_schedule_fits(*schedule, finding->schedule, server->command(), server->binary());
  if (!fits) return fits;
  server->add_points(schedule->points);
  const Expected<Execution> execution = server->run(request_of(*schedule, TestOptions()));
  if (!execution) return tl::unexpected(execution.error());
  for (const Finding& shown : make_findings(execution->trace, symbolizer)) {
    if (shown.fingerprint != finding->fingerprint) continue;
    finding->race = shown.race;
    add_evidence(finding, execution->trace, symbolizer, options);
    return {};
  }
  return usage_error(execution->failed() ? "the replay shows another failure"
                                         : "the replay shows no failure");
}

Expected<int> run(const ReportCommandOptions& options) {
  const Expected<Reports> reports = Reports::open(options.report);
  if (!reports) return tl::unexpected(reports.error());
  Expected<Report> report = read(options.file);
  if (!report) return tl::unexpected(report.error());
  const std::unique_ptr<Symbolizer> symbolizer = make_symbolizer();
  for (Finding& finding : report->result.findings) {
    if (options.no_replay || finding.schedule.empty()) continue;
    const Expected<void> replayed = replay(&finding, *symbolizer, reports->evidence("", report->root));
    if (!replayed)
      say(fmt::format("{} {} is told without its interleaving: {}", finding.kind, finding.fingerprint,
                      replayed.error().message));
  }
  // Other commands have told all of it while they ran.
  const std::vector<std::string>& asked = options.report.reporters;
  if (options.report.empty() || std::find(asked.begin(), asked.end(), "console") != asked.end())
    render_report(std::cout, *report, terminal_options(STDOUT_FILENO));
  if (const Expected<void> written = reports->write(std::move(*report)); !written)
    return tl::unexpected(written.error());
  return exit_code::kClean;
}

}  // namespace

void add_report_command(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "report", "tell a result of --json again, in other forms: heddle report FILE.json [-r NAME[::FILE]]");
  auto options = std::make_shared<ReportCommandOptions>();
  command->add_option("FILE", options->file, "what a command has written with --json")->required();
  add_report_options(*command, options->report);
  command->add_flag("--no-replay", options->no_replay,
                    "do not execute the schedules of findings again, which shows how they came about");
  command->callback([&invocation, options] { invocation.action = [options] { return run(*options); }; });
}

}  // namespace heddle
