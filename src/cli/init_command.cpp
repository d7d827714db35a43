// `heddle init`: a commented heddle.toml.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "change/project.h"
#include "change/revision.h"
#include "cli/command_line.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

Expected<int> run() {
  const Expected<Repository> repository = Repository::open(fs::current_path());
  if (!repository) return tl::unexpected(repository.error());
  const fs::path file = repository->root() / "heddle.toml";
  const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0 && errno == EEXIST)
    return usage_error(fmt::format("{} exists already; it stays as it is", file.string()));
  if (fd < 0) return usage_error(fmt::format("cannot write {}: {}", file.string(), std::strerror(errno)));
  ::close(fd);
  std::ofstream stream(file);
  stream << commented_project_file(repository->root());
  stream.close();
  if (!stream) return usage_error(fmt::format("cannot write {}: {}", file.string(), std::strerror(errno)));
  say(fmt::format("{} written; what it says is what heddle does without it", file.string()));
  return exit_code::kClean;
}

}  // namespace

void add_init_command(CLI::App& app, Invocation& invocation) {
  CLI::App* command =
      app.add_subcommand("init", "write a commented heddle.toml: how the project is built and tested");
  command->callback([&invocation] { invocation.action = [] { return run(); }; });
}

}  // namespace heddle
