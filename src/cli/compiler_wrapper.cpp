#include "cli/compiler_wrapper.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>

#include "execute/binary.h"
#include "execute/compiler_arguments.h"
#include "execute/runtime_location.h"
#include "execute/shell_words.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

// Options after which nothing is linked.
constexpr auto kNoLink = std::to_array<std::string_view>({"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only"});

// What is already compiled: a command with only these just links.
constexpr auto kLinkedSuffixes = std::to_array<std::string_view>({".o", ".a", ".so", ".obj", ".lo"});

template <size_t size>
bool contains(const std::array<std::string_view, size>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_linked_file(std::string_view name) {
  const size_t versioned = name.find(".so.");
  return versioned != std::string_view::npos ||
         std::any_of(kLinkedSuffixes.begin(), kLinkedSuffixes.end(),
                     [&](std::string_view suffix) { return name.ends_with(suffix); });
}

std::string first_line_of(const std::string& command) {
  FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return {};
  std::string line;
  for (int c; (c = std::fgetc(pipe)) != EOF && c != '\n';) line += static_cast<char>(c);
  ::pclose(pipe);
  return line;
}

std::string take_compiler(const std::string& language, std::vector<std::string>& argv) {
  constexpr std::string_view kOption = "--heddle-compiler=";
  const char* variable = std::getenv(language == "cc" ? "HEDDLE_CC" : "HEDDLE_CXX");
  std::string compiler = variable != nullptr && *variable != '\0' ? variable
                         : language == "cc"                       ? "gcc"
                                                                  : "g++";
  std::erase_if(argv, [&](const std::string& word) {
    if (!word.starts_with(kOption)) return false;
    compiler = word.substr(kOption.size());
    return true;
  });
  return compiler;
}

}  // namespace

CompilerJob analyse_arguments(const std::vector<std::string>& argv) {
  const std::vector<std::string> words = expand_response_files(argv, ".");
  CompilerJob job;
  job.links = true;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (contains(kNoLink, word)) {
      job.links = false;
    } else if (takes_next_word(word)) {
      if (word == "-l") job.has_input = true;
      ++i;
    } else if (word.starts_with("-l")) {
      job.has_input = true;
    } else if (word == "-" || (!word.starts_with('-') && !word.empty())) {
      job.has_input = true;
      if (!is_linked_file(word)) job.compiles = true;
    }
  }
  job.links = job.links && job.has_input;
  return job;
}

CompilerFamily compiler_family(const std::string& compiler) {
  const auto family_of = [](const fs::path& path) -> std::optional<CompilerFamily> {
    const std::string name = path.filename().string();
    if (name.find("clang") != std::string::npos) return CompilerFamily::kClang;
    if (name.find("gcc") != std::string::npos || name.find("g++") != std::string::npos)
      return CompilerFamily::kGcc;
    return std::nullopt;
  };
  if (const auto family = family_of(compiler)) return *family;
  if (const Expected<std::string> path = resolve_program({.argv = {compiler}})) {
    std::error_code failed;
    const fs::path target = fs::canonical(*path, failed);
    if (!failed) return family_of(target).value_or(CompilerFamily::kGcc);
  }
  return CompilerFamily::kGcc;
}

std::vector<std::string> wrap_arguments(CompilerFamily family, const std::vector<std::string>& argv,
                                        const WrapperPaths& paths) {
  const CompilerJob job = analyse_arguments(argv);
  if (!job.has_input) return argv;
  std::vector<std::string> result;
  const auto add = [&](std::initializer_list<std::string> words) { result.insert(result.end(), words); };
  if (family == CompilerFamily::kGcc) {
    add({"-fsanitize=thread", "-g"});
    // gcc warns that ThreadSanitizer does not support fences; heddle does. Before gcc 11 there is no such
    // warning, and gcc passes over what it is not to warn of.
    if (job.compiles) add({"-fsanitize-coverage=trace-pc", "-Wno-tsan"});
  } else {
    // Which of these a step uses is clang's business; it must not warn about flags the user did not write.
    add({"--start-no-unused-arguments", "-fsanitize=thread", "-g"});
    if (job.compiles) {
      // Without the last one the read of `x++` is not reported.
      add({"-fsanitize-coverage=trace-pc-guard,pc-table", "-mllvm", "-tsan-instrument-read-before-write"});
    }
    if (job.links) {
      // A runtime in a library of its own is one that heddle can take the place of. The search path serves
      // programs started without heddle, and must be of the kind that LD_LIBRARY_PATH overrides.
      add({"-shared-libsan", "-Wl,--enable-new-dtags"});
      if (!paths.clang_runtimes.empty()) add({"-Wl,-rpath," + paths.clang_runtimes});
    }
    add({"--end-no-unused-arguments"});
  }
  if (job.compiles && !paths.includes.empty()) add({"-idirafter", paths.includes});
  result.insert(result.end(), argv.begin(), argv.end());
  if (family == CompilerFamily::kGcc && job.links) {
    // At the end, since an archive serves what stands before it. A language given by -x would apply to it.
    add({"-x", "none", paths.coverage_stub});
  }
  return result;
}

Error run_compiler(const std::string& language, std::vector<std::string> argv) {
  const std::string compiler = take_compiler(language, argv);
  const Expected<std::string> path = resolve_program({.argv = {compiler}});
  if (!path) {
    return {fmt::format("compiler {} was not found; choose one with --heddle-compiler=NAME or {}", compiler,
                        language == "cc" ? "HEDDLE_CC" : "HEDDLE_CXX")};
  }
  std::error_code failed;
  if (fs::equivalent(*path, "/proc/self/exe", failed)) {
    return {fmt::format("compiler {} is heddle itself; name the compiler that it should call", compiler)};
  }
  const CompilerFamily family = compiler_family(compiler);
  WrapperPaths paths;
  paths.includes =
      (fs::read_symlink("/proc/self/exe", failed).parent_path().parent_path() / "include").string();
  if (!fs::exists(fs::path(paths.includes) / "heddle", failed)) paths.includes.clear();
  if (analyse_arguments(argv).links) {
    if (family == CompilerFamily::kClang) {
      const fs::path library =
          first_line_of(shell_quoted(*path) + " --print-file-name=libclang_rt.tsan-x86_64.so 2>/dev/null");
      if (library.is_absolute()) paths.clang_runtimes = library.parent_path().string();
    } else {
      const Expected<std::string> runtime = find_runtime();
      if (!runtime) return runtime.error();
      paths.coverage_stub = *runtime + "/libheddle_cov.a";
    }
  }

  std::vector<std::string> words = wrap_arguments(family, argv, paths);
  words.insert(words.begin(), compiler);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execv(path->c_str(), pointers.data());
  return {fmt::format("cannot start compiler {}: {}", *path, std::strerror(errno))};
}

}  // namespace heddle
