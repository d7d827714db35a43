// `heddle program show`: what heddle knows of a function of the program.
#include <chrono>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "change/project_build.h"
#include "cli/command_line.h"
#include "cli/progress.h"
#include "cli/project_store.h"
#include "program/show.h"
#include "report/text.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

struct ProgramCommandOptions {
  std::string function;
  std::string build;
  std::string head;
  std::string store;
};

struct Sources {
  fs::path compile_commands;
  fs::path source;
  ProjectBuild build;  // kept, so that nobody builds something else there meanwhile
};

// The user's own build, if it says how files are compiled.
Expected<Sources> sources_of_build(const fs::path& folder, const fs::path& root) {
  const fs::path file = fs::is_directory(folder) ? folder / "compile_commands.json" : folder;
  std::error_code failed;
  if (!fs::exists(file, failed)) {
    return usage_error(
        fmt::format("there is no {}; CMake writes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, other build "
                    "systems with `bear`",
                    file.string()));
  }
  return Sources{fs::absolute(file), root, {}};
}

Expected<Sources> sources_of_revision(const Repository& repository, const std::string& head,
                                      const fs::path& store) {
  const Expected<Project> project = read_project(repository.root());
  if (!project) return tl::unexpected(project.error());
  const Expected<Revision> revision = head.empty() ? repository.working_tree() : repository.resolve(head);
  if (!revision) return tl::unexpected(revision.error());
  Builder builder({.store = store, .compilers = own_folder(), .progress = say});
  const Expected<ProjectBuild> build = builder.build(repository, *revision, *project);
  if (!build) return tl::unexpected(build.error());
  if (build->compile_commands.empty())
    return usage_error(
        "the project's build leaves no compile_commands.json, so heddle cannot read the program");
  return Sources{build->compile_commands, build->source, *build};
}

void say_report(const program::LoadReport& report) {
  say(fmt::format("{}, {} read again, {}, {} of them not understood", count_of(report.units, "unit"),
                  report.units - report.from_cache, count_of(report.functions, "function"),
                  report.functions_degraded));
  for (const std::string& unit : report.degraded_units) say("not compiled: " + unit);
}

Expected<int> run(const ProgramCommandOptions& options) {
  const Expected<Repository> repository = Repository::open(fs::current_path());
  if (!repository && options.build.empty()) return tl::unexpected(repository.error());
  const fs::path root = repository ? repository->root() : fs::current_path();
  const Expected<fs::path> store = prepare_store(options.store, root);
  if (!store) return tl::unexpected(store.error());
  const Expected<Sources> sources = !options.build.empty()
                                        ? sources_of_build(options.build, root)
                                        : sources_of_revision(*repository, options.head, *store);
  if (!sources) return tl::unexpected(sources.error());

  Progress progress;
  program::LoadReport report;
  const Expected<program::Program> program = program::load_program(
      {.compile_commands = sources->compile_commands,
       .source = sources->source,
       .cache = *store / "facts",
       .progress = [&](const std::string& text) { progress.update([&] { return text; }); }},
      &report);
  progress.clear();
  if (!program) return tl::unexpected(program.error());
  say_report(report);
  const std::vector<program::FunctionIndex> found = program->find(options.function);
  if (found.empty()) return usage_error(fmt::format("the program has no function {}", options.function));
  const program::PointsTo points_to(*program);
  const program::Escape escape(*program, points_to);
  const std::vector<program::LockedRegion> regions = program::locked_regions(*program, points_to);
  for (const program::FunctionIndex index : found)
    fmt::print("{}", program::show_function(*program, index, {points_to, escape, regions}));
  return exit_code::kClean;
}

}  // namespace

void add_program_command(CLI::App& app, Invocation& invocation) {
  CLI::App* command =
      app.add_subcommand("program", "what heddle knows of the program: heddle program show FUNCTION");
  command->require_subcommand(1);
  CLI::App* show = command->add_subcommand(
      "show", "a function: its statements, what they call, which locks they hold, what they share");
  auto options = std::make_shared<ProgramCommandOptions>();
  show->add_option("function", options->function, "its name, qualified as far as needed: Queue::push")
      ->required();
  auto* build = show->add_option("--build", options->build,
                                 "your build folder, with compile_commands.json (default: heddle builds)");
  show->add_option("--head", options->head, "revision to look at; default: the working tree as it is")
      ->excludes(build);
  show->add_option("--store", options->store, "heddle's own folder (default: .heddle in the project)");
  show->callback([&invocation, options] { invocation.action = [options] { return run(*options); }; });
}

}  // namespace heddle
