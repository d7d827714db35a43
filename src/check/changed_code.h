// Which tests came to code that a change touches: what classic regression test selection asks, for faults
// that need no second thread.
//
// It is asked of whole functions. Which of a function's blocks a changed statement is in, the text alone does
// not tell, and to run a test once is cheap.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "change/source_change.h"
#include "history/test_records.h"

namespace heddle {

// The code of the base that the change touches. `flags`: files of the head that are compiled otherwise.
class ChangedCode {
 public:
  ChangedCode(const SourceChange& change, const std::map<std::string, std::string>& flags);
  bool is_reached_by(const FunctionActivity& activity) const;

 private:
  void add(const FunctionId& function, const StatementMap& statements);

  bool is_everything_ = false;
  std::set<std::string> files_;
  std::set<FunctionId> known_;
  std::set<std::string> names_;  // of new functions
  // File and name: a function's first block may lie before its first statement.
  std::set<std::pair<std::string, std::string>> functions_;
  std::map<std::string, std::vector<std::pair<uint32_t, uint32_t>>>
      lines_;  // of what compilers name otherwise
};

// Of the tests that are recorded on the base.
std::set<std::string> tests_reaching(const SourceChange& change,
                                     const std::map<std::string, std::string>& flags,
                                     const std::vector<KnownTest>& history);

}  // namespace heddle
