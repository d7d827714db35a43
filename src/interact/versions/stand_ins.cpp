#include "interact/versions/stand_ins.h"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <regex>
#include <set>
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

// gcc, x86_64-linux-gnu-g++-12, clang-19, c99, …
std::set<std::string> compilers_in_path() {
  const std::regex compiler(R"((\S+-)?(cc|c\+\+|gcc|g\+\+|clang|clang\+\+|c89|c99)(-[0-9.]+)?)");
  const std::string path = path_variable();
  std::set<std::string> names;
  for (std::string_view rest = path; !rest.empty();) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
    std::error_code failed;
    for (auto entry = fs::directory_iterator(fs::path(folder), failed);
         !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
      const std::string name = entry->path().filename().string();
      // The last letters, or a version, so that few names are looked at closely.
      constexpr std::string_view kEnds = "cg+0123456789";
      if (kEnds.find(name.back()) != std::string_view::npos && std::regex_match(name, compiler))
        names.insert(name);
    }
  }
  return names;
}

}  // namespace

Expected<void> make_stand_ins(const fs::path& folder, const fs::path& recorder) {
  std::error_code failed;
  if (!fs::exists(recorder, failed))
    return internal_error(
        fmt::format("a part of heddle is missing: there is no {}; install heddle again", recorder.string()));
  fs::create_directories(folder, failed);
  std::set<std::string> names = compilers_in_path();
  names.insert({kRecordedC, kRecordedCxx});
  for (const std::string& name : names) {
    const fs::path link = folder / name;
    if (fs::read_symlink(link, failed) == recorder) continue;
    static std::atomic<unsigned> count{0};  // threads may do this, too
    const fs::path next = folder / fmt::format(".{}.{}.{}", name, ::getpid(), count++);
    fs::create_symlink(recorder, next, failed);
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
