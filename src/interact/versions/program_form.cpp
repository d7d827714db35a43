#include "interact/versions/program_form.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <sstream>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "execute/runtime_location.h"
#include "program/compile_unit.h"
#include "program/read_text.h"
#include "support/process.h"

namespace heddle::interact {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFuzzMain = "libheddle_versions.a";

struct CompilerStep {
  std::vector<std::string> command;
  fs::path directory;
  fs::path log;
  std::string what;  // "compile src/a.c"
};

// The linker's own word, if it is the linker that failed: the compiler's is only that it did.
std::string telling_line(const std::string& words) {
  std::istringstream lines(words);
  for (std::string line; std::getline(lines, line);)
    for (const char* telling :
         {"undefined reference", "undefined symbol", "multiple definition", "cannot find "})
      if (line.find(telling) != std::string::npos) return line;
  return program::first_error(words);
}

Expected<void> run_step(const CompilerStep& step) {
  ProcessRequest process;
  process.argv = step.command;
  process.directory = step.directory.string();
  process.environment = {{"LC_ALL", "C"}};  // the word "error" is looked for
  process.output = step.log.string();
  const Expected<CommandEnd> end = run_process(process);
  if (!end) return tl::unexpected(end.error());
  if (end->interrupted) return usage_error("interrupted");
  if (end->ok()) return {};
  const std::string words = program::read_text(step.log);
  return usage_error(
      fmt::format("cannot {}: {}", step.what, words.empty() ? to_text(*end) : telling_line(words)));
}

// On all cores; the error is that of the first step that has one.
Expected<void> run_steps(const std::vector<CompilerStep>& steps) {
  std::atomic<size_t> next{0};
  std::mutex mutex;
  std::optional<std::pair<size_t, Error>> failure;
  const auto work = [&] {
    for (size_t i = next++; i < steps.size(); i = next++) {
      const Expected<void> end = run_step(steps[i]);
      if (end) continue;
      next = steps.size();
      const std::lock_guard lock(mutex);
      if (!failure || i < failure->first) failure.emplace(i, end.error());
    }
  };
  const size_t workers = std::min<size_t>(steps.size(), std::max(1U, std::thread::hardware_concurrency()));
  std::vector<std::thread> threads;
  for (size_t i = 1; i < workers; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  if (failure) return tl::unexpected(failure->second);
  return {};
}

bool is_instrumentation(std::string_view word) {
  constexpr std::string_view kBeginnings[] = {"-fsanitize",         "-fno-sanitize",  "-flto",
                                              "-fprofile-",         "--coverage",     "-fcoverage-",
                                              "-ftest-coverage",    "-fauto-profile", "-Wp,-D_FORTIFY_SOURCE",
                                              "-fuse-linker-plugin"};
  return word == "-pg" || word == "-p" ||
         std::any_of(std::begin(kBeginnings), std::end(kBeginnings),
                     [&](std::string_view beginning) { return word.starts_with(beginning); });
}

CompilerStep compile_step(const FormRequest& request, size_t number, const fs::path& object) {
  const ProgramUnit& unit = request.units[number];
  CompilerStep step;
  step.directory = unit.call.directory;
  step.log = request.folder / fmt::format("unit{}.log", number);
  step.what = fmt::format("compile {}", unit.source.string());
  std::vector<std::string> words = without_instrumentation(unit.call.arguments);
  std::vector<std::string> added = {"-w"};
  if (request.is_guarded && !unit.is_assembler) {
    // Fortified functions are others than those that AddressSanitizer looks after.
    added.insert(added.end(),
                 {"-O1", "-g", "-fno-omit-frame-pointer", "-fsanitize=address", "-U_FORTIFY_SOURCE"});
  }
  // The last words are "-c" and the source.
  words.insert(words.end() - 2, added.begin(), added.end());
  words.insert(words.end(), {"-o", object.string()});
  step.command = std::move(words);
  return step;
}

}  // namespace

std::vector<std::string> without_instrumentation(const std::vector<std::string>& arguments) {
  std::vector<std::string> kept;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    // A header that clang has compiled in the project's way; its text follows in another option.
    if (word == "-Xclang" && i + 3 < arguments.size() && arguments[i + 1] == "-include-pch") {
      i += 3;
    } else if (word == "-include-pch") {
      ++i;
    } else if ((word == "-D" || word == "-U") && i + 1 < arguments.size() &&
               arguments[i + 1].starts_with("_FORTIFY_SOURCE")) {
      ++i;
    } else if (!is_instrumentation(word) && !word.starts_with("-D_FORTIFY_SOURCE")) {
      kept.push_back(word);
    }
  }
  return kept;
}

Expected<std::vector<fs::path>> compile_units(const FormRequest& request) {
  std::vector<CompilerStep> steps;
  std::vector<fs::path> objects;
  for (size_t i = 0; i < request.units.size(); ++i) {
    objects.push_back(request.folder / fmt::format("unit{}.o", i));
    steps.push_back(compile_step(request, i, objects.back()));
  }
  if (const Expected<void> compiled = run_steps(steps); !compiled) return tl::unexpected(compiled.error());
  return objects;
}

Expected<void> make_form(const FormRequest& request) {
  const Expected<std::string> runtime = find_runtime();
  if (!runtime) return tl::unexpected(runtime.error());
  const Expected<std::vector<fs::path>> objects = compile_units(request);
  if (!objects) return tl::unexpected(objects.error());
  CompilerStep linking;
  linking.directory = request.folder;
  linking.log = request.folder / "link.log";
  linking.what = fmt::format("link {}", request.output.filename().string());
  linking.command = {request.linker, "-w", "-o", request.output.string()};
  for (const fs::path& object : *objects) linking.command.push_back(object.string());
  if (request.is_guarded) linking.command.emplace_back("-fsanitize=address");
  // Before libraries that may have a main() as well.
  if (request.is_fuzz_target) linking.command.push_back((fs::path(*runtime) / kFuzzMain).string());
  linking.command.insert(linking.command.end(), request.link_arguments.begin(), request.link_arguments.end());
  const Expected<void> linked = run_step(linking);
  std::error_code failed;
  for (const fs::path& object : *objects) fs::remove(object, failed);
  return linked;
}

}  // namespace heddle::interact
