// A program in two versions, of which the second is searched for inputs.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "../changed_program.h"
#include "interact/search/directed_search.h"

namespace heddle::interact {

// What stood in the first version instead: {what the second has, what the first had}.
using Replaced = std::vector<std::pair<std::string, std::string>>;

class SearchedProgram {
 public:
  // `file` is main.c or main.cpp; the folder has the name.
  SearchedProgram(const std::string& name, const std::string& file, const std::string& text,
                  const Replaced& replaced, concolic::RunnerOptions options = {});

  const ChangedProgram& program() const { return *program_; }
  const ProgramGraph& graph() const { return program_->graph(); }
  concolic::ConcolicRunner& runner() { return *runner_; }
  // With the limits of the runner.
  std::unique_ptr<DirectedSearch> search(SearchOptions options = {});

  // As the comments at the end of their lines call them: "1 5 7".
  std::string names(const std::vector<StatementIndex>& statements) const;

 private:
  std::unique_ptr<ChangedProgram> program_;
  std::unique_ptr<concolic::ConcolicRunner> runner_;
};

struct SearchResult {
  std::optional<SearchedInput> found;
  std::vector<concolic::ProgramInput> inputs;  // that were executed, in order
};
SearchResult search_until(DirectedSearch& search, size_t most_executions,
                          const std::function<bool(const SearchedInput&)>& is_wanted);

std::string described(const concolic::ProgramInput& input);

}  // namespace heddle::interact
