#include "fast_programs.h"

#include <cstdlib>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "interact/fast/fast_form.h"

namespace heddle::fast {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void give_up(const std::string& why) {
  ADD_FAILURE() << why;
  std::abort();
}

std::string in_quotes(std::string_view text) {
  return fmt::format("\"{}\"", text.substr(0, 400));
}

}  // namespace

const fs::path& fast_folder() {
  static const fs::path folder = [] {
    const char* const parent = std::getenv("TEST_TMPDIR");
    fs::path path = fs::absolute(fs::path(parent == nullptr ? "." : parent) / "fast");
    fs::remove_all(path);
    fs::create_directories(path);
    return path;
  }();
  return folder;
}

CompiledProgram compile_both(const ProgramSource& source) {
  const fs::path folder = fast_folder() / source.name;
  fs::create_directories(folder);
  const CompiledProgram result = {folder / "fast", folder / "plain"};
  concolic::CompileRequest request;
  std::string command = "clang-19 -O1 -w";
  bool is_cxx = false;
  for (const fs::path& file : source.files) {
    const bool is_cxx_file = file.extension() == ".cpp";
    is_cxx = is_cxx || is_cxx_file;
    request.units.push_back({file.parent_path(),
                             file,
                             is_cxx_file ? program::UnitLanguage::kCxx : program::UnitLanguage::kC,
                             {}});
    command += fmt::format(" '{}'", file.string());
  }
  for (const std::string& flag : source.flags) command += " " + flag;
  request.folder = folder / "objects";
  request.output = result.fast;
  request.watched = source.watched;
  request.link_arguments = source.flags;
  const Expected<void> compiled = compile_fast_form(request);
  if (!compiled) give_up(compiled.error().message);
  command += fmt::format(" -o '{}'{}", result.plain.string(), is_cxx ? " -lstdc++ -lm" : "");
  if (std::system(command.c_str()) != 0) give_up("not compiled: " + command);
  return result;
}

CompiledProgram compile_text(const std::string& name, const std::string& text, bool is_cxx) {
  const fs::path file = fast_folder() / (name + (is_cxx ? ".cpp" : ".c"));
  std::ofstream(file) << text;
  return compile_both({.name = name, .files = {file}});
}

interact::RunLimits test_limits() {
  interact::RunLimits limits;
  limits.timeout = std::chrono::seconds(3);
  limits.most_output = uint64_t{64} << 10;
  limits.file_name = "data";
  limits.program_name = "PROGRAM";
  return limits;
}

FastRunner make_fast_runner(const CompiledProgram& program, size_t versions,
                            const interact::RunLimits& limits) {
  FastOptions options;
  for (size_t i = 0; i < versions; ++i) options.versions.push_back({program.fast, "", program.plain});
  options.folder = fast_folder() / "runs";
  options.limits = limits;
  // Ten times what the slowest program that ends needs.
  options.timeout = std::chrono::milliseconds(300);
  Expected<FastRunner> runner = FastRunner::create(std::move(options));
  if (!runner) give_up(runner.error().message);
  return std::move(*runner);
}

interact::ProgramRunner make_process(const CompiledProgram& program, const interact::RunLimits& limits) {
  Expected<interact::ProgramRunner> runner =
      interact::ProgramRunner::create(program.plain, fast_folder() / "processes", limits);
  if (!runner) give_up(runner.error().message);
  return std::move(*runner);
}

std::string difference(const VersionRun& run, const interact::Behaviour& process) {
  if (process.timed_out != (run.end == RunEnd::kTime)) return "one does not end";
  if (process.wrote_too_much != (run.end == RunEnd::kOutput)) return "one writes too much";
  if (process.was_ended()) return "";
  if (process.signal != run.signal) return fmt::format("signal {} and not {}", run.signal, process.signal);
  if (process.exit_code != run.exit_code)
    return fmt::format("exit code {} and not {}", run.exit_code, process.exit_code);
  if (process.out != run.out)
    return fmt::format("writes {} and not {}", in_quotes(run.out), in_quotes(process.out));
  // What a failed assertion says is in the report there.
  if (!process.report.empty() && run.process == nullptr) return run.err.empty() ? "does not say why" : "";
  if (process.err != run.err)
    return fmt::format("says {} and not {}", in_quotes(run.err), in_quotes(process.err));
  if (run.process == nullptr && !process.files.empty()) return "leaves no files";
  return "";
}

}  // namespace heddle::fast
