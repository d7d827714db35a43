#include "bug.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include "check/change_impact.h"
#include "suite/test_suite.h"
#include "support/process.h"

namespace heddle::bench {
namespace {

namespace fs = std::filesystem;

// What the subject says of its change.
void read_description(const Subject& subject, Bug* bug) {
  const toml::table table = toml::parse_file((subject.folder / "subject.toml").string());
  const auto change = table["changes"][subject.main_change];
  bug->kind = change["kind"].value_or(std::string());
  if (const toml::array* functions = change["functions"].as_array())
    for (const toml::node& function : *functions) bug->functions.push_back(function.value_or(std::string()));
}

Expected<void> run(const std::vector<std::string>& argv) {
  ProcessRequest request;
  request.argv = argv;
  const Expected<CommandEnd> end = heddle::run_process(request);
  if (!end) return tl::unexpected(end.error());
  if (!end->ok())
    return internal_error(fmt::format("`{}` ended with {}", fmt::join(argv, " "), to_text(*end)));
  return {};
}

Expected<TestCommand> build_natively(const Bug& bug, const fs::path& folder, const fs::path& instrumented,
                                     const TestCommand& command) {
  const fs::path source = folder / "native-source";
  const fs::path build = folder / "native";
  std::error_code ignored;
  fs::remove_all(source, ignored);
  const std::vector<std::vector<std::string>> steps = {
      {"git", "-C", bug.repository.string(), "worktree", "prune"},
      {"git", "-C", bug.repository.string(), "worktree", "add", "-f", "--detach", source.string(),
       "change/" + bug.change},
      {"cmake", "-S", source.string(), "-B", build.string(), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"},
      {"cmake", "--build", build.string()}};
  for (const std::vector<std::string>& step : steps)
    if (const Expected<void> done = run(step); !done) return tl::unexpected(done.error());
  // The same place in the other build folder.
  TestCommand native = command;
  native.argv[0] = (build / fs::path(command.argv[0]).lexically_relative(instrumented)).string();
  native.directory = build.string();
  return native;
}

}  // namespace

Expected<Bug> prepare_bug(const Subject& subject, const fs::path& work, const fs::path& compilers) {
  const fs::path folder = work / subject.name;
  const Expected<SubjectRepository> made = SubjectRepository::make(subject, folder / "repository");
  if (!made) return tl::unexpected(made.error());
  Bug bug;
  bug.name = subject.name;
  bug.change = subject.main_change;
  bug.repository = folder / "repository";
  bug.store = folder / "store";
  read_description(subject, &bug);
  const Expected<Revision> base = made->base();
  if (!base) return tl::unexpected(base.error());
  const Expected<Revision> head = made->change(subject.main_change);
  if (!head) return tl::unexpected(head.error());
  const Expected<Project> project = read_project(made->repository().root());
  if (!project) return tl::unexpected(project.error());
  std::error_code ignored;
  fs::create_directories(bug.store, ignored);
  const Expected<ChangeImpact> change =
      ChangeImpact::prepare(made->repository(), *project, {.base = *base, .head = *head},
                            {.store = bug.store, .compilers = compilers});
  if (!change) return tl::unexpected(change.error());
  if (change->suite().tests.size() != 1)
    return usage_error(fmt::format("{} has {} tests, not one", subject.name, change->suite().tests.size()));
  const SuiteTest& test = change->suite().tests.front();
  bug.test = test.name;
  bug.head = test.command;
  Expected<TestCommand> native = build_natively(bug, folder, change->head_build().folder, test.command);
  if (!native) return tl::unexpected(native.error());
  bug.native = std::move(*native);
  return bug;
}

}  // namespace heddle::bench
