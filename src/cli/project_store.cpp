#include "cli/project_store.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include <fmt/format.h>

#include "cli/command_line.h"

namespace heddle {
namespace fs = std::filesystem;
namespace {

fs::path cache_folder(const fs::path& root) {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  const fs::path base = cache != nullptr && *cache != '\0' ? fs::path(cache)
                        : home != nullptr                  ? fs::path(home) / ".cache"
                                                           : fs::temp_directory_path();
  return base / "heddle" / (root.filename().string() + fmt::format("-{:016x}", fs::hash_value(root)));
}

}  // namespace

fs::path own_folder() {
  std::error_code failed;
  return fs::read_symlink("/proc/self/exe", failed).parent_path();
}

fs::path own_includes() {
  return own_folder().parent_path() / "include";
}

Expected<fs::path> prepare_store(const std::string& chosen, const fs::path& root) {
  std::error_code failed;
  fs::path store = chosen.empty() ? root / ".heddle" : fs::absolute(chosen, failed);
  fs::create_directories(store, failed);
  if (chosen.empty() && (failed || ::access(store.c_str(), W_OK) != 0)) {
    store = cache_folder(root);
    fs::create_directories(store, failed);
    say(fmt::format("the project cannot be written, so builds go to {}", store.string()));
  }
  if (failed) return usage_error(fmt::format("cannot make folder {}: {}", store.string(), failed.message()));
  if (!fs::exists(store / ".gitignore", failed)) std::ofstream(store / ".gitignore") << "*\n";
  return store.lexically_normal();
}

}  // namespace heddle
