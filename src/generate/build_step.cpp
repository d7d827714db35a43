#include "generate/build_step.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <sstream>
#include <thread>

#include <fmt/format.h>

#include "support/process.h"
#include "trace/hash.h"

namespace heddle::generate {
namespace fs = std::filesystem;
namespace {

// Someone's templates may take minutes, but no class of its own does.
constexpr std::chrono::minutes kLongestStep{10};
// Options of gcc and clang that change with the environment are heddle's compilers.
constexpr const char* kVariables[] = {"HEDDLE_CC", "HEDDLE_CXX", "CPATH", "CPLUS_INCLUDE_PATH"};

std::optional<std::string> content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

fs::path inputs_file(const BuildStep& step) {
  return step.output.string() + ".inputs";
}

uint64_t key_of(const BuildStep& step) {
  uint64_t key = trace::fnv1a(std::string_view(HEDDLE_VERSION));
  for (const std::string& word : step.command) key = trace::fnv1a("\n", 1, trace::fnv1a(word, key));
  for (const char* name : kVariables) {
    const char* value = std::getenv(name);
    key = trace::fnv1a("\n", 1, trace::fnv1a(std::string_view(value == nullptr ? "" : value), key));
  }
  return key;
}

// The prerequisites of a rule of make: names behind the colon, blanks in them escaped, lines continued.
std::vector<std::string> prerequisites(const std::string& rule) {
  std::vector<std::string> names;
  std::string name;
  size_t at = rule.find(": ");
  if (at == std::string::npos) return names;
  for (at += 1; at < rule.size(); ++at) {
    const char c = rule[at];
    const bool is_escape = c == '\\' && at + 1 < rule.size();
    if (is_escape && rule[at + 1] != '\n') {
      name += rule[++at];
    } else if (is_escape || c == ' ' || c == '\n') {
      if (!name.empty()) names.push_back(std::move(name));
      name.clear();
      if (is_escape) ++at;
      // Behind the rule come empty ones for each header.
      if (c == '\n') break;
    } else {
      name += c;
    }
  }
  if (!name.empty()) names.push_back(std::move(name));
  return names;
}

// What the output was made of: the command, then each file with its content.
std::optional<std::string> inputs_of(const BuildStep& step, const std::vector<std::string>& files) {
  std::string text = fmt::format("{:016x}\n", key_of(step));
  for (const std::string& file : files) {
    const std::optional<std::string> content = content_of(file);
    if (!content) return std::nullopt;
    text += fmt::format("{:016x} {}\n", trace::fnv1a(*content), file);
  }
  return text;
}

void note_inputs(const BuildStep& step) {
  const std::optional<std::string> rule = content_of(step.dependency_file());
  if (!rule) return;
  std::vector<std::string> files = prerequisites(*rule);
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  if (const std::optional<std::string> inputs = inputs_of(step, files))
    std::ofstream(inputs_file(step)) << *inputs;
}

Expected<BuildEnd> execute(const BuildStep& step) {
  const fs::path log = step.output.string() + ".log";
  std::error_code failed;
  for (const fs::path& old : {log, step.output, inputs_file(step), step.dependency_file()})
    fs::remove(old, failed);
  const Expected<CommandEnd> end = run_process({.argv = step.command,
                                                .directory = {},
                                                .environment = {{"LC_ALL", "C"}},
                                                .output = log.string(),
                                                .timeout = kLongestStep,
                                                .inherited = {},
                                                .while_it_runs = {}});
  if (!end) return tl::unexpected(end.error());
  if (end->interrupted) return usage_error("interrupted");
  if (end->ok()) {
    note_inputs(step);
    return BuildEnd{.ok = true, .words = {}};
  }
  const std::string words = content_of(log).value_or("");
  return BuildEnd{.ok = false, .words = words.empty() ? to_text(*end) : words};
}

}  // namespace

bool is_up_to_date(const BuildStep& step) {
  std::error_code failed;
  const std::optional<std::string> noted = content_of(inputs_file(step));
  if (!noted || !fs::exists(step.output, failed)) return false;
  std::istringstream lines(*noted);
  std::string line;
  std::getline(lines, line);
  std::vector<std::string> files;
  while (std::getline(lines, line)) {
    const size_t blank = line.find(' ');
    if (blank == std::string::npos) return false;
    files.push_back(line.substr(blank + 1));
  }
  return inputs_of(step, files) == noted;
}

Expected<std::vector<BuildEnd>> execute_steps(const std::vector<BuildStep>& steps) {
  std::vector<BuildEnd> ends(steps.size());
  std::optional<Error> error;
  std::mutex mutex;
  std::atomic<size_t> next{0};
  const auto work = [&] {
    for (size_t i = next++; i < steps.size(); i = next++) {
      if (is_up_to_date(steps[i])) {
        ends[i].ok = true;
        continue;
      }
      Expected<BuildEnd> end = execute(steps[i]);
      const std::lock_guard lock(mutex);
      if (end)
        ends[i] = std::move(*end);
      else
        error = end.error();
    }
  };
  const size_t workers = std::min<size_t>(steps.size(), std::max(1u, std::thread::hardware_concurrency()));
  std::vector<std::thread> threads;
  for (size_t i = 1; i < workers; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  if (error) return tl::unexpected(*error);
  return ends;
}

}  // namespace heddle::generate
