// `heddle check`: what a change has broken.
#include <memory>

#include "cli/change_check.h"
#include "cli/check_report.h"
#include "cli/command_line.h"

namespace heddle {
namespace {

struct CheckCommandOptions : ChangeCheckOptions {
  bool all_tests = false;
};

Expected<int> run(const CheckCommandOptions& options) {
  return check_change(options, options.all_tests ? CheckScope::kAll : CheckScope::kReaching,
                      /*verifies=*/false,
                      {.tell = [](CheckResult& result,
                                  const std::filesystem::path& folder) { return tell_check(result, folder); },
                       .describe = [](const CheckResult& result,
                                      const std::string& error) { return describe_check(result, error); }});
}

}  // namespace

void add_check_command(CLI::App& app, Invocation& invocation) {
  CLI::App* command =
      app.add_subcommand("check", "what a change has broken: heddle check --base REV [--head REV] [options]");
  auto options = std::make_shared<CheckCommandOptions>();
  add_change_check_options(*command, *options);
  command->add_flag("--all-tests", options->all_tests, "also tests that do not matter for the change");
  command->callback([&invocation, options] { invocation.action = [options] { return run(*options); }; });
}

}  // namespace heddle
