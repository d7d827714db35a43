// `heddle check`: what a change has broken.
#include <memory>

#include "check/stages/stages.h"
#include "cli/change_check.h"
#include "cli/check_report.h"
#include "cli/command_line.h"
#include "cli/generate_stage.h"
#include "cli/interact_stage.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

struct CheckCommandOptions : ChangeCheckOptions {
  bool all_tests = false;
  bool no_generate = false;
  bool no_interact = false;
};

Check::Stages stages_of(const CheckCommandOptions& options, Progress& progress) {
  Check::Stages stages;
  stages.push_back(make_record_stage());
  stages.push_back(make_select_stage());
  stages.push_back(make_replay_stage());
  stages.push_back(make_tests_stage());
  stages.push_back(make_impact_stage());
  stages.push_back(make_explore_stage());
  if (!options.no_interact) stages.push_back(make_interact_stage());
  if (!options.no_generate) stages.push_back(make_generate_stage(progress));
  return stages;
}

Expected<int> run(const CheckCommandOptions& options) {
  return check_change(
      options,
      {.scope = options.all_tests ? CheckScope::kAll : CheckScope::kReaching,
       .stages = [&](Progress& progress) { return stages_of(options, progress); }},
      {.tell = [](CheckResult& result, const fs::path& folder,
                  const EvidenceOptions& evidence) { return tell_check(result, folder, evidence); },
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
  command->add_flag("--no-generate", options->no_generate,
                    "make up no concurrent tests for the classes that the change touches");
  command->add_flag("--no-interact", options->no_interact,
                    "make up no inputs for the programs that the change is in");
  command->callback([&invocation, options] { invocation.action = [options] { return run(*options); }; });
}

}  // namespace heddle
