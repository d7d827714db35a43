#include "execute/runtime_location.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace heddle {
namespace {

namespace fs = std::filesystem;

// The name under which the dynamic linker takes heddle's runtime for the one the program was linked with.
constexpr const char* kStandInName = "libtsan.so.2";

std::string variable_of(const TestCommand& command, const char* name) {
  for (const auto& [key, value] : command.environment) {
    if (key == name) return value;
  }
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// `first`, then what the user had, separated as LD_PRELOAD and LD_LIBRARY_PATH want it.
std::string before(const std::string& first, const std::string& rest) {
  return rest.empty() ? first : first + ":" + rest;
}

// Options that the user has set, but for the one that is heddle's own.
std::string without_arena(const std::string& options) {
  std::string result;
  for (size_t begin = 0; begin < options.size();) {
    const size_t end = std::min(options.find(':', begin), options.size());
    const std::string option = options.substr(begin, end - begin);
    if (!option.starts_with("arena=")) result += (result.empty() ? "" : ":") + option;
    begin = end + 1;
  }
  return result;
}

// Blanks separate the entries of LD_PRELOAD: then the name must do, which is looked for in LD_LIBRARY_PATH.
std::string preloaded(const std::string& runtime_folder) {
  return runtime_folder.find(' ') == std::string::npos ? runtime_folder + "/" + kStandInName : kStandInName;
}

}  // namespace

Expected<std::string> find_runtime() {
  std::error_code failed;
  if (const char* folder = std::getenv("HEDDLE_RUNTIME_DIR"); folder != nullptr && *folder != '\0') {
    const fs::path path = fs::absolute(folder, failed);
    if (fs::exists(path / kStandInName, failed)) return path.string();
    return usage_error(
        fmt::format("HEDDLE_RUNTIME_DIR names {}, where there is no {}", path.string(), kStandInName));
  }
  const fs::path self = fs::read_symlink("/proc/self/exe", failed).parent_path();
  // Installed: bin/heddle and lib/heddle/. In a build tree the binaries lie in folders of different depth.
  std::vector<fs::path> tried;
  for (fs::path folder = self; folder.has_relative_path() && tried.size() < 6;
       folder = folder.parent_path()) {
    tried.push_back(folder / "lib" / "heddle");
    if (fs::exists(tried.back() / kStandInName, failed)) return tried.back().string();
  }
  return internal_error(
      fmt::format("heddle's runtime is missing: no {} in {} or a folder lib/heddle above it; "
                  "install heddle again, or set HEDDLE_RUNTIME_DIR",
                  kStandInName, (self.parent_path() / "lib" / "heddle").string()));
}

Expected<std::string> find_debugger_scripts(const std::string& runtime_folder) {
  std::error_code failed;
  const fs::path folder = fs::path(runtime_folder) / "debugger";
  if (fs::exists(folder, failed)) return folder.string();
  return internal_error(fmt::format(
      "heddle's scripts for debuggers are missing: there is no {}; install heddle again", folder.string()));
}

std::vector<std::pair<std::string, std::string>> runtime_environment(const std::string& runtime_folder,
                                                                     const TestCommand& command,
                                                                     const std::string& arena) {
  std::vector<std::pair<std::string, std::string>> result = command.environment;
  const auto set = [&](const char* name, std::string value) {
    std::erase_if(result, [&](const auto& entry) { return entry.first == name; });
    result.emplace_back(name, std::move(value));
  };
  set("LD_LIBRARY_PATH", before(runtime_folder, variable_of(command, "LD_LIBRARY_PATH")));
  set("LD_PRELOAD", before(preloaded(runtime_folder), variable_of(command, "LD_PRELOAD")));
  // Symbols are bound before the server forks, so that no child pays for it or differs in it.
  set("LD_BIND_NOW", "1");
  // Restartable sequences register an address per thread with the kernel, which borrowed threads cannot keep.
  set("GLIBC_TUNABLES", before("glibc.pthread.rseq=0", variable_of(command, "GLIBC_TUNABLES")));
  set("HEDDLE_OPTIONS", before("arena=" + arena, without_arena(variable_of(command, "HEDDLE_OPTIONS"))));
  return result;
}

}  // namespace heddle
