#include "searched_program.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace heddle::interact {
namespace {

std::string first_version(std::string text, const Replaced& replaced) {
  for (const auto& [now, before] : replaced) {
    const size_t at = text.find(now);
    if (at == std::string::npos) throw std::runtime_error("not there: " + now);
    text.replace(at, now.size(), before);
  }
  return text;
}

}  // namespace

SearchedProgram::SearchedProgram(const std::string& name, const std::string& file, const std::string& text,
                                 const Replaced& replaced, concolic::RunnerOptions options)
    : program_(std::make_unique<ChangedProgram>(Sources{{file, first_version(text, replaced)}},
                                                Sources{{file, text}})) {
  const char* const parent = std::getenv("TEST_TMPDIR");
  const std::filesystem::path folder =
      std::filesystem::absolute(std::filesystem::path(parent == nullptr ? "." : parent) / name);
  std::filesystem::create_directories(folder);
  std::ofstream(folder / file) << text;
  concolic::CompileRequest request;
  const bool is_c = file.ends_with(".c");
  request.units.push_back({folder,
                           folder / file,
                           is_c ? program::UnitLanguage::kC : program::UnitLanguage::kCxx,
                           {is_c ? "-std=gnu11" : "-std=c++20"}});
  request.folder = folder;
  request.output = folder / "program";
  request.watched = watched_lines(graph(), folder.string());
  if (const Expected<void> compiled = compile_for_recording(request); !compiled)
    throw std::runtime_error(compiled.error().message);
  options.program = request.output;
  options.folder = folder / "run";
  Expected<concolic::ConcolicRunner> runner = concolic::ConcolicRunner::create(std::move(options));
  if (!runner) throw std::runtime_error(runner.error().message);
  runner_ = std::make_unique<concolic::ConcolicRunner>(std::move(*runner));
}

std::unique_ptr<DirectedSearch> SearchedProgram::search(SearchOptions options) {
  options.solver.input = runner_->options().input;
  return std::make_unique<DirectedSearch>(graph(), *runner_, options);
}

std::string SearchedProgram::names(const std::vector<StatementIndex>& statements) const {
  std::vector<std::string> names;
  for (const StatementIndex statement : statements) names.push_back(program_->name(statement));
  return fmt::format("{}", fmt::join(names, " "));
}

SearchResult search_until(DirectedSearch& search, size_t most_executions,
                          const std::function<bool(const SearchedInput&)>& is_wanted) {
  SearchResult result;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (result.inputs.size() < most_executions) {
    Expected<std::optional<SearchedInput>> next = search.next(deadline);
    if (!next) throw std::runtime_error(next.error().message);
    if (!*next) break;
    result.inputs.push_back((*next)->input);
    if (!is_wanted(**next)) continue;
    result.found = std::move(**next);
    break;
  }
  return result;
}

std::string described(const concolic::ProgramInput& input) {
  return fmt::format("{} < {:?}", fmt::join(input.arguments, " | "), input.standard_input);
}

}  // namespace heddle::interact
