// `heddle test`: the tests that matter for a change, run in order under race detection and verification.
#include <memory>

#include "check/stages/stages.h"
#include "cli/change_check.h"
#include "cli/command_line.h"
#include "cli/test_report.h"

namespace heddle {
namespace {

struct TestCommandOptions : ChangeCheckOptions {
  bool all = false;
  bool known = false;
  bool measure = false;
};

Expected<int> run(const TestCommandOptions& options) {
  const TestReport report{.lists_known = options.known, .measures = options.measure};
  return check_change(
      options,
      {.scope = options.all || options.measure ? CheckScope::kOrdered : CheckScope::kSelected,
       .verifies = true,
       .stages =
           [](Progress&) {
             Check::Stages stages;
             stages.push_back(make_select_stage());
             stages.push_back(make_tests_stage());
             return stages;
           }},
      {.tell = [&](CheckResult& result, const std::filesystem::path& folder,
                   const EvidenceOptions& evidence) { return report.tell(result, folder, evidence); },
       .describe = [&](const CheckResult& result,
                       const std::string& error) { return report.describe(result, error); }});
}

}  // namespace

void add_test_command(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "test",
      "run the tests that matter for a change, and tell the races that it adds: heddle test --base REV");
  auto options = std::make_shared<TestCommandOptions>();
  add_change_check_options(*command, *options);
  command->add_flag("--known", options->known, "also tell what the base shows, too");
  command->add_flag("--all", options->all, "the other tests as well, after those that matter");
  command->add_flag("--measure", options->measure,
                    "run all tests and say how soon their order reveals the races (APFD)");
  command->callback([&invocation, options] { invocation.action = [options] { return run(*options); }; });
}

}  // namespace heddle
