#include "interact/fast/fast_form.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "execute/runtime_location.h"
#include "program/read_text.h"
#include "support/process.h"

namespace heddle::fast {
namespace {

namespace fs = std::filesystem;
using program::UnitLanguage;

constexpr const char* kFastPlugin = "libheddle_fast_pass.so";
constexpr const char* kFastRuntime = "libheddle_fast_rt.a";
constexpr const char* kProgramParts = "libheddle_versions.a";  // with main() of a fuzz target
constexpr const char* kFastWatch = "HEDDLE_FAST_WATCH";

const char* clang_of(UnitLanguage language) {
  return language == UnitLanguage::kC ? "clang-19" : "clang++-19";
}

// It must be loaded at any address, by a dynamic linker, and main() must be found in it. Nothing is left to
// be optimised when it is linked.
bool is_against_loading(std::string_view word) {
  return word == "-static" || word == "-no-pie" || word == "-nopie" || word == "-static-pie" ||
         word == "-s" || word == "-Wl,-s" || word == "-Wl,--strip-all" || word.starts_with("-flto") ||
         word == "-fuse-linker-plugin";
}

struct FastCommand {
  std::vector<std::string> words;
  fs::path folder;
  std::string what;
};

class FastCompilation {
 public:
  FastCompilation(const concolic::CompileRequest& request, fs::path runtime)
      : request_(request), runtime_(std::move(runtime)), folder_(fs::absolute(request.folder)) {}

  Expected<void> run() {
    write_watched();
    for (const program::UnitCommand& unit : request_.units) {
      if (const Expected<void> compiled = compile(unit); !compiled) return compiled;
    }
    return link();
  }

 private:
  Expected<void> run_command(FastCommand command) const {
    const fs::path log = folder_ / "compiler.log";
    std::error_code ignored;
    fs::remove(log, ignored);
    ProcessRequest process;
    process.argv = std::move(command.words);
    process.directory = command.folder.string();
    process.environment = {{"LC_ALL", "C"}};  // the word "error" is looked for
    if (!request_.watched.empty()) process.environment.emplace_back(kFastWatch, watched_file().string());
    process.output = log.string();
    const Expected<CommandEnd> end = run_process(process);
    if (!end) return tl::unexpected(end.error());
    if (end->ok()) return {};
    return usage_error(
        fmt::format("cannot {}: {}", command.what, program::first_error(program::read_text(log))));
  }

  fs::path watched_file() const { return folder_ / "watched.txt"; }

  void write_watched() const {
    std::ofstream file(watched_file());
    for (const concolic::WatchedLine& watched : request_.watched)
      file << watched.file << ':' << watched.line << ':' << watched.column << '\n';
  }

  Expected<void> compile(const program::UnitCommand& unit) {
    objects_.push_back((folder_ / fmt::format("unit{}.o", objects_.size())).string());
    FastCommand command{{clang_of(unit.language), "-x", unit.language == UnitLanguage::kC ? "c" : "c++"},
                        unit.directory,
                        fmt::format("compile {}", unit.file.string())};
    command.words.insert(command.words.end(), unit.flags.begin(), unit.flags.end());
    command.words.insert(
        command.words.end(),
        {"-O1", "-gline-tables-only", "-w", "-fno-color-diagnostics", "-ferror-limit=1", "-fPIE", "-fno-lto",
         "-fsanitize-coverage=inline-8bit-counters,pc-table,trace-cmp", "-U_FORTIFY_SOURCE",
         fmt::format("-fpass-plugin={}", (runtime_ / kFastPlugin).string()), "-c", unit.file.string(), "-o",
         objects_.back()});
    return run_command(std::move(command));
  }

  Expected<void> link() const {
    const bool is_cxx = std::any_of(request_.units.begin(), request_.units.end(),
                                    [](const auto& unit) { return unit.language != UnitLanguage::kC; });
    FastCommand command{{is_cxx ? "clang++-19" : "clang-19", "-o", fs::absolute(request_.output).string()},
                        folder_,
                        fmt::format("link {}", request_.output.string())};
    command.words.insert(command.words.end(), objects_.begin(), objects_.end());
    if (request_.is_fuzz_target) command.words.push_back((runtime_ / kProgramParts).string());
    for (const std::string& word : request_.link_arguments) {
      if (!is_against_loading(word)) command.words.push_back(word);
    }
    command.words.insert(command.words.end(), {"-Wl,-u,malloc", (runtime_ / kFastRuntime).string(), "-pie",
                                               "-Wl,-z,now", "-Wl,--export-dynamic-symbol=main",
                                               "-Wl,--export-dynamic-symbol=heddle_fast_link"});
    return run_command(std::move(command));
  }

  const concolic::CompileRequest& request_;
  const fs::path runtime_;
  const fs::path folder_;
  std::vector<std::string> objects_;
};

}  // namespace

Expected<void> compile_fast_form(const concolic::CompileRequest& request) {
  Expected<std::string> runtime = find_runtime();
  if (!runtime) return tl::unexpected(runtime.error());
  std::error_code error;
  fs::create_directories(request.folder, error);
  if (error)
    return usage_error(
        fmt::format("cannot make the folder {}: {}", request.folder.string(), error.message()));
  return FastCompilation(request, *runtime).run();
}

}  // namespace heddle::fast
