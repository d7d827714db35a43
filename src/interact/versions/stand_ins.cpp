#include "interact/versions/stand_ins.h"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <map>
#include <regex>
#include <string_view>

#include <fmt/format.h>

#include "interact/versions/recorder_names.h"

namespace heddle::interact {
namespace {

namespace fs = std::filesystem;

std::string path_variable() {
  const char* path = std::getenv("PATH");
  return path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path;
}

// What the names in the folder are links to. Compilers: gcc, x86_64-linux-gnu-g++-12, clang-19, c99, … Beside
// a compiler called heddle-c++ CMake looks for heddle-gcc-ar and the like, if units are optimised together.
std::map<std::string, fs::path> links_to_make(const fs::path& recorder) {
  const std::regex compiler(R"((\S+-)?(cc|c\+\+|gcc|g\+\+|clang|clang\+\+|c89|c99)(-[0-9.]+)?)");
  const std::regex archiver(R"((gcc|llvm)-(ar|ranlib|nm)(-[0-9.]+)?)");
  const std::string path = path_variable();
  std::map<std::string, fs::path> links = {{kRecordedC, recorder}, {kRecordedCxx, recorder}};
  for (std::string_view rest = path; !rest.empty();) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
    std::error_code failed;
    for (auto entry = fs::directory_iterator(fs::path(folder), failed);
         !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
      const std::string name = entry->path().filename().string();
      // The last letters, or a version, so that few names are looked at closely.
      constexpr std::string_view kEnds = "cg+rbm0123456789";
      if (kEnds.find(name.back()) == std::string_view::npos) continue;
      if (std::regex_match(name, compiler)) links.emplace(name, recorder);
      if (std::regex_match(name, archiver)) links.emplace("heddle-" + name, entry->path());
    }
  }
  return links;
}

}  // namespace

Expected<void> make_stand_ins(const fs::path& folder, const fs::path& recorder) {
  std::error_code failed;
  if (!fs::exists(recorder, failed))
    return internal_error(
        fmt::format("a part of heddle is missing: there is no {}; install heddle again", recorder.string()));
  fs::create_directories(folder, failed);
  for (const auto& [name, target] : links_to_make(recorder)) {
    const fs::path link = folder / name;
    if (fs::read_symlink(link, failed) == target) continue;
    static std::atomic<unsigned> count{0};  // threads may do this, too
    const fs::path next = folder / fmt::format(".{}.{}.{}", name, ::getpid(), count++);
    fs::create_symlink(target, next, failed);
    fs::rename(next, link, failed);
    if (failed) return usage_error(fmt::format("cannot write {}: {}", link.string(), failed.message()));
  }
  return {};
}

std::vector<std::pair<std::string, std::string>> recording_environment(const fs::path& folder) {
  return {{"PATH", folder.string() + ":" + path_variable()},
          {kStandInsVariable, folder.string()},
          // What comes from a cache is not compiled, so that nobody would know how.
          {"CCACHE_DISABLE", "1"},
          {"SCCACHE_RECACHE", "1"}};
}

}  // namespace heddle::interact
