#include "change/project_build.h"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include <fmt/format.h>

#include "change/build_log.h"
#include "support/interruption.h"
#include "support/process.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

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

// What a build tool says now: "[12/40] Building CXX object …".
std::string last_line(const fs::path& log) {
  constexpr std::streamoff kEnough = 2048;
  constexpr size_t kLongest = 120;
  std::ifstream stream(log, std::ios::binary | std::ios::ate);
  if (!stream) return "";
  stream.seekg(std::max<std::streamoff>(0, static_cast<std::streamoff>(stream.tellg()) - kEnough));
  std::string line;
  std::string last;
  while (std::getline(stream, line)) {
    if (!line.empty()) last = line;
  }
  return last.substr(0, kLongest);
}

int64_t nanoseconds_of(const struct stat& status) {
  return int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
}

SlotFile as_left(const fs::path& path, const std::string& id) {
  struct stat status{};
  if (::lstat(path.c_str(), &status) != 0) return {.id = ""};
  return {id, nanoseconds_of(status), static_cast<uint64_t>(status.st_size)};
}

bool is_as_left(const fs::path& path, const SlotFile& file) {
  struct stat status{};
  return ::lstat(path.c_str(), &status) == 0 && nanoseconds_of(status) == file.written &&
         static_cast<uint64_t>(status.st_size) == file.size;
}

// For CMake.
bool tells_how_to_build(const fs::path& path) {
  const std::string name = path.filename().string();
  return name == "CMakeLists.txt" || name.starts_with("CMake") || path.extension() == ".cmake" ||
         path.extension() == ".in";
}

ProjectBuild in_slot(const BuildSlot& slot, const Revision& revision, uint64_t id) {
  ProjectBuild build;
  build.revision = revision;
  build.source = slot.home / "source";
  build.folder = slot.home / "build";
  build.id = id;
  build.was_cached = true;
  build.in_use = slot.lock;
  std::error_code failed;
  if (const fs::path commands = build.folder / "compile_commands.json"; fs::exists(commands, failed))
    build.compile_commands = commands;
  return build;
}

}  // namespace

std::string to_text(const BuildFailure& failure) {
  std::string text = fmt::format("`{}` failed", failure.step);
  if (!failure.target.empty()) text += fmt::format(" at {}", failure.target);
  if (!failure.words.empty()) text += ":\n" + failure.words;
  return text + fmt::format("all of it is in {}", failure.log);
}

// What is to be built, and how.
struct Builder::Wanted {
  std::map<std::string, std::string> files;
  uint64_t configuration = 0;
  uint64_t build = 0;
};

Expected<Builder::Wanted> Builder::wanted(const Repository& repository, const Revision& revision,
                                          const Project& project) {
  Expected<std::map<std::string, std::string>> files = repository.file_ids(revision);
  if (!files) return tl::unexpected(files.error());
  Wanted wanted{.files = std::move(*files)};
  wanted.files.erase("heddle.toml");  // what it says of builds counts, and not its text
  std::vector<std::string> parts = {HEDDLE_VERSION,
                                    options_.compilers.string(),
                                    identity_of_compiler(compiler_of(project.c_compiler, "CC", "gcc")),
                                    identity_of_compiler(compiler_of(project.cxx_compiler, "CXX", "g++")),
                                    project.source_folder.string(),
                                    project.flags};
  for (const auto* list : {&project.build_commands, &project.cmake_options, &project.targets}) {
    parts.insert(parts.end(), list->begin(), list->end());
    parts.emplace_back();
  }
  wanted.configuration = hash_of(parts);
  for (const auto& [path, id] : wanted.files) {
    parts.push_back(path);
    parts.push_back(id);
  }
  wanted.build = hash_of(parts);
  return wanted;
}

// Only what differs is written, so that to the build tool nothing else is newer than what was made of it.
Expected<void> Builder::write_sources(const Repository& repository, const Revision& revision,
                                      const Wanted& wanted, BuildSlot* slot) {
  const fs::path source = slot->home / "source";
  std::map<std::string, SlotFile>& there = slot->state.files;
  std::error_code failed;
  bool build_files_differ = false;
  for (auto file = there.begin(); file != there.end();) {
    if (wanted.files.count(file->first) != 0) {
      ++file;
      continue;
    }
    build_files_differ |= tells_how_to_build(file->first);
    fs::remove(source / file->first, failed);
    for (fs::path folder = (source / file->first).parent_path(); folder != source;
         folder = folder.parent_path()) {
      if (!fs::remove(folder, failed) || failed) break;  // it is not empty
    }
    file = there.erase(file);
  }
  fs::create_directories(source, failed);
  for (const auto& [path, id] : wanted.files) {
    const auto known = there.find(path);
    if (known != there.end() && known->second.id == id && is_as_left(source / path, known->second)) continue;
    if (was_interrupted()) return usage_error("interrupted");
    build_files_differ |= tells_how_to_build(path);
    if (const Expected<void> written = repository.write_file(revision, path, id, source / path); !written)
      return written;
    there[path] = as_left(source / path, id);
  }
  // What CMake has found out or been told by default may be otherwise now.
  if (build_files_differ) fs::remove(slot->home / "build" / "CMakeCache.txt", failed);
  return {};
}

Expected<void> Builder::run_steps(const Project& project, const ProjectBuild& build, const SlotLock& lock,
                                  BuildFailure* failure) {
  const fs::path log = build.folder.parent_path() / "log";
  std::error_code ignored;
  fs::remove(log, ignored);
  std::string said_last;
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
    request.environment.insert(request.environment.end(), options_.environment.begin(),
                               options_.environment.end());
    request.output = log.string();
    request.timeout = project.build_timeout;
    request.inherited = {lock.fd()};  // what goes on when heddle is killed still uses the slot
    if (options_.says) {
      request.while_it_runs = [&] {
        const std::string line = last_line(log);
        if (line.empty() || line == said_last) return;
        said_last = line;
        options_.says(fmt::format("building {}: {}", build.revision.name, line));
      };
    }
    const std::string words =
        project.build_commands.empty() ? fmt::format("{}", fmt::join(step, " ")) : step[3];
    const Expected<CommandEnd> end = run_process(request);
    if (end && end->ok()) continue;
    if (end && end->interrupted) return usage_error("interrupted");
    const std::string said = read_all(log);
    *failure = {words, failed_target(said), telling_part(said), log.string()};
    if (!end) failure->words = end.error().message + "\n";
    if (end && end->timed_out)
      failure->words = fmt::format("it did not end within {} s\n", project.build_timeout.count());
    return usage_error(to_text(*failure));
  }
  return {};
}

// In a slot that belongs to this process.
Expected<void> Builder::make(const Repository& repository, const Project& project, const Wanted& wanted,
                             BuildSlot* slot, const ProjectBuild& build, BuildFailure* failure) {
  // Nobody knows what an interrupted command has left half done, but ninja does.
  const bool was_cut_off = slot->state.phase == SlotPhase::kBuilding;
  const bool is_safe = project.build_commands.empty() ? !was_cut_off || has_ninja() : !project.clean_builds;
  std::error_code failed;
  if (slot->state.configuration != wanted.configuration || !is_safe ||
      (was_cut_off && !project.build_commands.empty())) {
    fs::remove_all(build.source, failed);
    fs::remove_all(build.folder, failed);
    slot->state.files.clear();
  }
  slot->state.build = wanted.build;
  slot->state.configuration = wanted.configuration;
  slot->state.phase = SlotPhase::kBuilding;
  const BuildSlots slots(options_.store / "builds");
  // The sources are the build's own, since some projects write into them.
  const Expected<void> written = write_sources(repository, build.revision, wanted, slot);
  if (const Expected<void> saved = slots.save(*slot); !saved || !written) return written ? saved : written;
  fs::create_directories(build.folder, failed);
  const Expected<void> built = run_steps(project, build, *slot->lock, failure);
  if (built) return slots.finish(slot, SlotPhase::kFinished);
  if (!was_interrupted()) slots.finish(slot, SlotPhase::kFailed);
  return built;
}

std::optional<ProjectBuild> Builder::find(const Repository& repository, const Revision& revision,
                                          const Project& project) {
  const Expected<Wanted> wanted = this->wanted(repository, revision, project);
  if (!wanted) return std::nullopt;
  std::optional<BuildSlot> slot = BuildSlots(options_.store / "builds").find(wanted->build);
  if (!slot) return std::nullopt;
  return in_slot(*slot, revision, wanted->build);
}

Expected<ProjectBuild> Builder::build(const Repository& repository, const Revision& revision,
                                      const Project& project, BuildFailure* failure) {
  const auto started = std::chrono::steady_clock::now();
  BuildFailure own_failure;
  if (failure == nullptr) failure = &own_failure;
  std::error_code failed;
  if (project.build_commands.empty() &&
      !fs::exists(project.root / project.source_folder / "CMakeLists.txt", failed)) {
    return usage_error(
        fmt::format("there is no CMakeLists.txt in {}; for another build, `heddle init` writes a heddle.toml "
                    "that says how "
                    "to name its commands ([build] commands), or where CMakeLists.txt is ([build] source)",
                    (project.root / project.source_folder).lexically_normal().string()));
  }
  const Expected<Wanted> wanted = this->wanted(repository, revision, project);
  if (!wanted) return tl::unexpected(wanted.error());
  Expected<BuildSlot> slot =
      BuildSlots(options_.store / "builds")
          .take(wanted->build, wanted->configuration, wanted->files, options_.progress);
  if (!slot) return tl::unexpected(slot.error());
  ProjectBuild build = in_slot(*slot, revision, wanted->build);
  if (!slot->is_finished) {
    build.was_cached = false;
    if (options_.progress) options_.progress(fmt::format("building {}", revision.name));
    const Expected<void> made = make(repository, project, *wanted, &*slot, build, failure);
    if (!made && was_interrupted()) return usage_error("interrupted");
    if (!made) {
      return tl::unexpected(Error{fmt::format("{} does not build: {}", revision.name, made.error().message),
                                  made.error().kind});
    }
  }
  if (const fs::path commands = build.folder / "compile_commands.json"; fs::exists(commands, failed))
    build.compile_commands = commands;
  build.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return build;
}

}  // namespace heddle
