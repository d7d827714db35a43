#include "change/project_build.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <thread>

#include <fmt/format.h>

#include "change/build_log.h"
#include "support/process.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

// A file that whoever builds holds locked; the kernel lets go of it when the process ends, however it does.
class BuildLock {
 public:
  static Expected<BuildLock> take(const fs::path& file,
                                  const std::function<void(const std::string&)>& progress) {
    const int fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0) return usage_error(fmt::format("cannot write {}: {}", file.string(), std::strerror(errno)));
    BuildLock lock(fd);
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return lock;
    if (progress) progress("another heddle is building this revision; waiting for it");
    while (::flock(fd, LOCK_EX) != 0) {
      if (errno != EINTR)
        return usage_error(fmt::format("cannot lock {}: {}", file.string(), std::strerror(errno)));
    }
    return lock;
  }
  BuildLock(BuildLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  ~BuildLock() {
    if (fd_ >= 0) ::close(fd_);
  }

 private:
  explicit BuildLock(int fd) : fd_(fd) {}
  int fd_;
};

uint64_t hash_of(const std::vector<std::string>& parts) {
  uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const std::string& part : parts) {
    for (const char c : part) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
    hash = (hash ^ 0xff) * 0x100000001b3;
  }
  return hash;
}

std::string variable_or(const char* name, const std::string& otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

std::string compiler_of(const std::string& chosen, const char* variable, const char* otherwise) {
  return chosen.empty() ? variable_or(variable, otherwise) : chosen;
}

// What the compiler says of its version, or its name if it says nothing.
std::string identity_of_compiler(const std::string& compiler) {
  const Expected<CapturedProcess> version = capture_process({.argv = {compiler, "--version"}});
  return version && version->end.ok() ? version->out : compiler;
}

bool has_ninja() {
  const Expected<CapturedProcess> version = capture_process({.argv = {"ninja", "--version"}});
  return version && version->end.ok();
}

std::vector<std::vector<std::string>> steps_of(const Project& project, const ProjectBuild& build,
                                               const fs::path& compilers) {
  std::vector<std::vector<std::string>> steps;
  for (const std::string& command : project.build_commands) steps.push_back({"sh", "-e", "-c", command});
  if (!steps.empty()) return steps;
  std::vector<std::string> configure = {"cmake",
                                        "-S",
                                        (build.source / project.source_folder).lexically_normal().string(),
                                        "-B",
                                        build.folder.string(),
                                        "-DCMAKE_C_COMPILER=" + (compilers / "heddle-cc").string(),
                                        "-DCMAKE_CXX_COMPILER=" + (compilers / "heddle-c++").string(),
                                        "-DCMAKE_BUILD_TYPE=",
                                        "-DCMAKE_C_FLAGS=" + project.flags,
                                        "-DCMAKE_CXX_FLAGS=" + project.flags,
                                        "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"};
  if (has_ninja()) configure.insert(configure.end(), {"-G", "Ninja"});
  configure.insert(configure.end(), project.cmake_options.begin(), project.cmake_options.end());
  steps.push_back(std::move(configure));
  // With a number: make would start everything at once.
  std::vector<std::string> make = {"cmake", "--build", build.folder.string(), "--parallel",
                                   std::to_string(std::max(1u, std::thread::hardware_concurrency()))};
  if (!project.targets.empty()) make.push_back("--target");
  make.insert(make.end(), project.targets.begin(), project.targets.end());
  steps.push_back(std::move(make));
  return steps;
}

std::string read_all(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::stringstream content;
  content << stream.rdbuf();
  return content.str();
}

}  // namespace

std::string to_text(const BuildFailure& failure) {
  std::string text = fmt::format("`{}` failed", failure.step);
  if (!failure.target.empty()) text += fmt::format(" at {}", failure.target);
  if (!failure.words.empty()) text += ":\n" + failure.words;
  return text + fmt::format("all of it is in {}", failure.log);
}

Expected<fs::path> Builder::check_out(const Repository& repository, const Revision& revision,
                                      const fs::path& folder) {
  std::error_code failed;
  if (fs::exists(folder, failed)) return folder;
  if (options_.progress) options_.progress(fmt::format("checking out {}", revision.name));
  const fs::path unfinished = folder.string() + ".unfinished";
  fs::remove_all(unfinished, failed);
  if (const Expected<void> written = repository.check_out(revision, unfinished); !written)
    return tl::unexpected(written.error());
  fs::rename(unfinished, folder, failed);
  if (failed) return usage_error(fmt::format("cannot rename {}: {}", unfinished.string(), failed.message()));
  return folder;
}

Expected<void> Builder::run_steps(const Project& project, const ProjectBuild& build, BuildFailure* failure) {
  const fs::path log = build.folder.parent_path() / "log";
  std::error_code ignored;
  fs::remove(log, ignored);
  for (const std::vector<std::string>& step : steps_of(project, build, options_.compilers)) {
    ProcessRequest request;
    request.argv = step;
    request.directory = build.source.string();
    request.environment = {{"CC", (options_.compilers / "heddle-cc").string()},
                           {"CXX", (options_.compilers / "heddle-c++").string()},
                           {"HEDDLE_CC", compiler_of(project.c_compiler, "CC", "gcc")},
                           {"HEDDLE_CXX", compiler_of(project.cxx_compiler, "CXX", "g++")},
                           {"HEDDLE_BUILD_DIR", build.folder.string()},
                           {"HEDDLE_SOURCE_DIR", build.source.string()}};
    request.output = log.string();
    request.timeout = project.build_timeout;
    const std::string words =
        project.build_commands.empty() ? fmt::format("{}", fmt::join(step, " ")) : step[3];
    if (options_.progress) options_.progress(words);
    const Expected<ProcessEnd> end = run_process(request);
    if (end && end->ok()) continue;
    const std::string said = read_all(log);
    *failure = {words, failed_target(said), telling_part(said), log.string()};
    if (!end) failure->words = end.error().message + "\n";
    if (end && end->timed_out)
      failure->words = fmt::format("it did not end within {} s\n", project.build_timeout.count());
    return usage_error(to_text(*failure));
  }
  return {};
}

Expected<ProjectBuild> Builder::build(const Repository& repository, const Revision& revision,
                                      const Project& project, BuildFailure* failure) {
  const auto started = std::chrono::steady_clock::now();
  BuildFailure own_failure;
  if (failure == nullptr) failure = &own_failure;
  ProjectBuild build;
  build.revision = revision;
  std::vector<std::string> parts = {std::to_string(revision.content),
                                    identity_of_compiler(compiler_of(project.c_compiler, "CC", "gcc")),
                                    identity_of_compiler(compiler_of(project.cxx_compiler, "CXX", "g++")),
                                    project.source_folder.string(), project.flags};
  for (const auto* list : {&project.build_commands, &project.cmake_options, &project.targets}) {
    parts.insert(parts.end(), list->begin(), list->end());
    parts.emplace_back();
  }
  build.id = hash_of(parts);
  const fs::path home = options_.store / "builds" / fmt::format("{:016x}", build.id);
  std::error_code failed;
  fs::create_directories(home, failed);
  if (failed) return usage_error(fmt::format("cannot make folder {}: {}", home.string(), failed.message()));
  const Expected<BuildLock> lock = BuildLock::take(home / "lock", options_.progress);
  if (!lock) return tl::unexpected(lock.error());

  // The sources are the build's own, since some projects write into them.
  const Expected<fs::path> source = check_out(repository, revision, home / "source");
  if (!source) return tl::unexpected(source.error());
  build.source = *source;
  build.folder = home / "build";
  const fs::path done = home / "done";
  build.was_cached = fs::exists(done, failed);
  if (!build.was_cached) {
    fs::create_directories(build.folder, failed);
    if (const Expected<void> built = run_steps(project, build, failure); !built)
      return tl::unexpected(Error{fmt::format("{} does not build: {}", revision.name, built.error().message),
                                  built.error().kind});
    std::ofstream(done) << revision.commit << '\n';
  }
  if (const fs::path commands = build.folder / "compile_commands.json"; fs::exists(commands, failed))
    build.compile_commands = commands;
  build.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return build;
}

}  // namespace heddle
