#include "interact/concolic/compile.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "execute/runtime_location.h"
#include "support/process.h"

namespace heddle::concolic {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPlugin = "libheddle_concolic_pass.so";
constexpr const char* kRuntime = "libheddle_concolic_rt.a";
constexpr const char* kLibrary = "libheddle_concolic_libc.a";
constexpr const char* kFuzzMain = "heddle_concolic_fuzz_main.o";
constexpr const char* kWatchVariable = "HEDDLE_CONCOLIC_WATCH";
constexpr const char* kOwnVariable = "HEDDLE_CONCOLIC_OWN";

const char* compiler_of(program::UnitLanguage language) {
  return language == program::UnitLanguage::kC ? "clang-19" : "clang++-19";
}

// What program/ compiles with, but for the functions of ctype.h, which are tables otherwise, and templates of
// the C++ library, which come from there without instrumentation otherwise.
std::vector<std::string> unit_arguments(const program::UnitCommand& unit, const std::string& runtime) {
  std::vector<std::string> arguments = {compiler_of(unit.language), "-x",
                                        unit.language == program::UnitLanguage::kC ? "c" : "c++"};
  arguments.insert(arguments.end(), unit.flags.begin(), unit.flags.end());
  arguments.insert(arguments.end(),
                   {"-O1", "-gline-tables-only", "-w", "-fno-color-diagnostics", "-ferror-limit=1",
                    "-fno-vectorize", "-fno-slp-vectorize", "-fno-omit-frame-pointer", "-D__NO_CTYPE",
                    fmt::format("-fpass-plugin={}/{}", runtime, kPlugin)});
  return arguments;
}

using Environment = std::vector<std::pair<std::string, std::string>>;

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Compilation {
 public:
  Compilation(const CompileRequest& request, std::string runtime)
      : request_(request),
        runtime_(std::move(runtime)),
        folder_(fs::absolute(request.folder)),
        log_(folder_ / "compiler.log") {}

  Expected<void> run() {
    if (const auto compiled = compile_units(); !compiled) return compiled;
    const Expected<std::string> own = own_library_functions();
    if (!own) return tl::unexpected(own.error());
    if (!own->empty()) {
      // Rare, so that nobody else pays for it.
      own_functions_ = *own;
      if (const auto compiled = compile_units(); !compiled) return compiled;
    }
    return link();
  }

 private:
  // An error is the command's first one.
  Expected<void> run_command(std::vector<std::string> command, const fs::path& directory,
                             const Environment& environment, const std::string& what) const {
    std::error_code ignored;
    fs::remove(log_, ignored);
    ProcessRequest process;
    process.argv = std::move(command);
    process.directory = directory.string();
    process.environment = environment;
    process.output = log_.string();
    const Expected<CommandEnd> end = run_process(process);
    if (!end) return tl::unexpected(end.error());
    if (end->ok()) return {};
    return usage_error(fmt::format("cannot {}: {}", what, program::first_error(text_of(log_))));
  }

  Environment pass_options() const {
    Environment environment;
    if (!own_functions_.empty()) environment.emplace_back(kOwnVariable, own_functions_);
    if (request_.watched.empty()) return environment;
    const fs::path lines = folder_ / "watched.txt";
    std::ofstream file(lines);
    for (const WatchedLine& watched : request_.watched)
      file << watched.file << ':' << watched.line << ':' << watched.column << '\n';
    environment.emplace_back(kWatchVariable, lines.string());
    return environment;
  }

  Expected<void> compile_units() {
    const Environment environment = pass_options();
    objects_.clear();
    for (const program::UnitCommand& unit : request_.units) {
      objects_.push_back((folder_ / fmt::format("unit{}.o", objects_.size())).string());
      std::vector<std::string> command = unit_arguments(unit, runtime_);
      command.insert(command.end(), {"-c", unit.file.string(), "-o", objects_.back()});
      if (const auto compiled = run_command(std::move(command), unit.directory, environment,
                                            fmt::format("compile {}", unit.file.string()));
          !compiled)
        return compiled;
    }
    return {};
  }

  // The functions that the program defines under a name of the C library, in another unit than those that
  // call them.
  Expected<std::string> own_library_functions() const {
    std::vector<std::string> command = {"nm", "--defined-only", "--extern-only", "--format=posix"};
    command.insert(command.end(), objects_.begin(), objects_.end());
    if (const auto listed = run_command(std::move(command), folder_, {}, "list the program's functions");
        !listed)
      return tl::unexpected(listed.error());
    static const std::set<std::string> doubles = {
#define HEDDLE_CONCOLIC_FUNCTION(name) #name,
#include "interact/concolic/libc/functions.inc"
#undef HEDDLE_CONCOLIC_FUNCTION
    };
    std::istringstream lines(text_of(log_));
    std::string own;
    for (std::string line; std::getline(lines, line);) {
      const std::string name = line.substr(0, line.find(' '));
      if (doubles.count(name) != 0) own += (own.empty() ? "" : " ") + name;
    }
    return own;
  }

  Expected<void> link() const {
    const bool is_cxx = std::any_of(request_.units.begin(), request_.units.end(), [](const auto& unit) {
      return unit.language != program::UnitLanguage::kC;
    });
    std::vector<std::string> command = {is_cxx ? "clang++-19" : "clang-19", "-o",
                                        fs::absolute(request_.output).string()};
    command.insert(command.end(), objects_.begin(), objects_.end());
    if (request_.is_fuzz_target) command.push_back(fmt::format("{}/{}", runtime_, kFuzzMain));
    command.insert(command.end(), request_.link_arguments.begin(), request_.link_arguments.end());
    command.insert(command.end(), {fmt::format("{}/{}", runtime_, kLibrary),
                                   fmt::format("{}/{}", runtime_, kRuntime), "-pthread"});
    return run_command(std::move(command), folder_, {}, fmt::format("link {}", request_.output.string()));
  }

  const CompileRequest& request_;
  const std::string runtime_;
  const fs::path folder_;
  const fs::path log_;
  std::string own_functions_;
  std::vector<std::string> objects_;
};

}  // namespace

Expected<void> compile_for_recording(const CompileRequest& request) {
  Expected<std::string> runtime = find_runtime();
  if (!runtime) return tl::unexpected(runtime.error());
  std::error_code error;
  fs::create_directories(request.folder, error);
  if (error)
    return usage_error(
        fmt::format("cannot make the folder {}: {}", request.folder.string(), error.message()));
  return Compilation(request, std::move(*runtime)).run();
}

}  // namespace heddle::concolic
