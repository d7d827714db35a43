#include "git_versions.h"

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <fmt/format.h>

#include "execute/shell_words.h"
#include "interact/concolic/concolic_run.h"

namespace heddle::interact {
namespace {

namespace fs = std::filesystem;

Ran run_line(const std::string& line, const fs::path& output) {
  const int status =
      std::system(fmt::format("{{ {}\n}} >{} 2>&1", line, shell_quoted(output.string())).c_str());
  std::ifstream file(output, std::ios::binary);
  Ran ran;
  ran.out = {std::istreambuf_iterator<char>(file), {}};
  ran.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ran;
}

}  // namespace

void GitVersions::SetUp() {
  std::string name = (fs::temp_directory_path() / "heddle-versions-XXXXXX").string();
  ASSERT_NE(mkdtemp(name.data()), nullptr);
  folder_ = fs::canonical(name);
  fs::create_directories(project());
  const Ran made =
      run_line(fmt::format("git init -q -b main {}", shell_quoted(project().string())), folder_ / "git.out");
  ASSERT_EQ(made.exit_code, 0) << made.out;
}

void GitVersions::TearDown() {
  std::error_code failed;
  fs::remove_all(folder_, failed);
}

void GitVersions::write(const std::string& path, const std::string& text) const {
  const fs::path file = project() / path;
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

void GitVersions::commit() const {
  const Ran done = run_line(
      fmt::format(
          "cd {} && git add -A && git -c user.email=a@b -c user.name=a -c commit.gpgsign=false commit "
          "-q -m next",
          shell_quoted(project().string())),
      folder_ / "git.out");
  ASSERT_EQ(done.exit_code, 0) << done.out;
}

void GitVersions::build_by(const std::string& command) const {
  write("heddle.toml", fmt::format("[build]\ncommands = ['''{}''']\n", command));
}

VersionMaker GitVersions::maker(const std::string& program, bool is_function) {
  return VersionMaker({.store = folder_ / "store",
                       .compilers = HEDDLE_COMPILERS,
                       .program = program,
                       .is_function = is_function,
                       .progress = [this](const std::string& text) {
                         const std::lock_guard lock(mutex_);
                         said_.push_back(text);
                       }});
}

Expected<ProgramVersion> GitVersions::try_to_make(const std::string& program, bool is_function,
                                                  const std::string& revision) {
  const Expected<Repository> repository = Repository::open(project());
  if (!repository) return tl::unexpected(repository.error());
  const Expected<Project> settings = read_project(project());
  if (!settings) return tl::unexpected(settings.error());
  const Expected<Revision> resolved =
      revision.empty() ? repository->working_tree() : repository->resolve(revision);
  if (!resolved) return tl::unexpected(resolved.error());
  return maker(program, is_function).make(*repository, *settings, *resolved);
}

ProgramVersion GitVersions::make(const std::string& program, bool is_function, const std::string& revision) {
  Expected<ProgramVersion> made = try_to_make(program, is_function, revision);
  if (!made) throw std::runtime_error(made.error().message);
  return std::move(*made);
}

std::string GitVersions::error_of(const std::string& program, bool is_function, const std::string& revision) {
  const Expected<ProgramVersion> made = try_to_make(program, is_function, revision);
  return made ? "" : made.error().message;
}

fs::path GitVersions::recordable(const ProgramVersion& version, const std::string& program, bool is_function,
                                 const std::vector<concolic::WatchedLine>& watched) {
  const Expected<fs::path> made = maker(program, is_function).make_recordable(version, watched);
  if (!made) throw std::runtime_error(made.error().message);
  return *made;
}

GitVersions::Recorded GitVersions::record(const fs::path& program,
                                          const concolic::ProgramInput& input) const {
  Expected<concolic::ConcolicRunner> runner =
      concolic::ConcolicRunner::create({.program = program, .folder = folder_ / "run"});
  if (!runner) throw std::runtime_error(runner.error().message);
  const Expected<concolic::ConcolicRun> run = runner->run(input);
  if (!run) throw std::runtime_error(run.error().message);
  EXPECT_EQ(run->damage, "");
  Recorded recorded{run->out, run->exit_code};
  for (const concolic::Event& event : run->recording.events) {
    if (concolic::is_branch(event)) ++recorded.branches;
    if (event.kind == concolic::SiteKind::kMark) ++recorded.marks;
  }
  return recorded;
}

Ran GitVersions::run(const fs::path& program, const std::string& words) const {
  return run_line(shell_quoted(program.string()) + " " + words, folder_ / "program.out");
}

std::vector<std::string> GitVersions::unit_names(const ProgramVersion& version) {
  std::vector<std::string> names;
  for (const program::UnitCommand& unit : version.recipe.units)
    names.push_back(unit.file.filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace heddle::interact
