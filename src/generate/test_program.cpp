#include "generate/test_program.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "support/process.h"

namespace heddle::generate {
namespace fs = std::filesystem;
namespace {

constexpr size_t kMostWords = 4000;

std::string read(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return std::move(text).str();
}

// GoogleTest's headers take longer to compile than the tests, so that all of them are one unit.
Expected<void> write_unit(const fs::path& unit, const std::vector<fs::path>& files) {
  std::ofstream out(unit, std::ios::trunc);
  for (const fs::path& file : files) {
    std::error_code failed;
    out << fmt::format("#include \"{}\"\n", fs::absolute(file, failed).string());
  }
  if (!out.flush()) return usage_error(fmt::format("cannot write {}", unit.string()));
  return {};
}

std::vector<std::string> compile_command(const fs::path& unit, const fs::path& program,
                                         const TestProgramOptions& options) {
  std::vector<std::string> words = {(options.compilers / "heddle-c++").string()};
  if (!options.sources.compiler.empty()) words.push_back("--heddle-compiler=" + options.sources.compiler);
  const auto add = [&](const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
  };
  add({"-w", "-g", "-O1"});
  add(options.sources.flags);
  add({"-I" + options.includes.string(), unit.string(), "-o", program.string()});
  for (const fs::path& object : options.objects) words.push_back(object.string());
  add(options.sources.libraries);
  // GoogleTest's main() before that of some file of the project.
  add({"-lgtest_main"});
  if (!options.archive.empty()) words.push_back(options.archive.string());
  add({"-lgtest", "-pthread"});
  return words;
}

// The number behind `before`, or 0.
uint64_t number_after(const std::string& text, const std::string& before) {
  const size_t at = text.find(before);
  return at == std::string::npos ? 0 : std::strtoull(text.c_str() + at + before.size(), nullptr, 10);
}

}  // namespace

Expected<TestProgram> TestProgram::build(const std::vector<fs::path>& files,
                                         const TestProgramOptions& options) {
  std::error_code failed;
  fs::create_directories(options.folder, failed);
  const fs::path unit = options.folder / "tests.cpp";
  const fs::path log = options.folder / "tests.log";
  const fs::path program = options.folder / "tests";
  if (const Expected<void> written = write_unit(unit, files); !written)
    return tl::unexpected(written.error());
  fs::remove(log, failed);
  const Expected<CommandEnd> end = run_process({.argv = compile_command(unit, program, options),
                                                .directory = {},
                                                .environment = {},
                                                .output = log.string(),
                                                .timeout = options.timeout,
                                                .inherited = {},
                                                .while_it_runs = {}});
  if (!end) return tl::unexpected(end.error());
  if (!end->ok()) {
    return usage_error(fmt::format("the tests could not be compiled ({}): {}", to_text(*end),
                                   read(log).substr(0, kMostWords)));
  }
  return TestProgram(program, options);
}

Expected<TestRun> TestProgram::run(const std::string& test, std::chrono::milliseconds timeout) const {
  const fs::path log = folder_ / "run.log";
  std::error_code failed;
  fs::remove(log, failed);
  const char* libraries = std::getenv("LD_LIBRARY_PATH");
  const std::string path =
      runtime_.string() + (libraries != nullptr && *libraries != '\0' ? fmt::format(":{}", libraries) : "");
  const Expected<CommandEnd> end = run_process({.argv = {path_.string(), "--gtest_filter=" + test},
                                                .directory = folder_.string(),
                                                .environment = {{"LD_LIBRARY_PATH", path}},
                                                .output = log.string(),
                                                .timeout = timeout,
                                                .inherited = {},
                                                .while_it_runs = {}});
  if (!end) return tl::unexpected(end.error());
  TestRun run;
  run.words = read(log).substr(0, kMostWords);
  run.failed = !end->ok() && !end->timed_out && !end->interrupted;
  run.executions = number_after(run.words, run.failed ? "  execution " : "no failure in ");
  return run;
}

}  // namespace heddle::generate
