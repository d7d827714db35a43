// ActsOfThreads: how many threads of one execution have done what a change concerns.
//
// A check and an act that were one step and are two now go wrong if two threads check before one of them
// acts. In an execution in which the second thread finds that there is nothing to do, there is one act, so no
// prediction from it knows of two. If more threads come to an impacted statement than go on to another one,
// it is worth looking for an execution in which more of them do: whoever comes there first is made to wait as
// long as anybody else can go on (policy `delay`), so that the others check before it acts.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "check/change_impact.h"

namespace heddle {

class ActsOfThreads {
 public:
  // Statements are those of a line, whatever calls the compiler has inlined around them: two threads that
  // come to one by different calls do the same.
  explicit ActsOfThreads(StatementsOfBoth statements) : statement_of_(std::move(statements)) {}

  // An execution of the head that is compared.
  void add(const TestImpact& test);

  // Where to wait: the places of a statement, in machine code.
  struct Wait {
    std::vector<uint64_t> head;
    std::vector<uint64_t> base;  // none if the base has not come to the statement
    uint64_t seed = 0;
  };
  // The next to try, as long as fewer threads have gone on to something than have come to what led there.
  std::optional<Wait> next();
  // Whether in this execution of the head more threads do something than in any that was added.
  bool adds(TraceSymbols& head) const;

 private:
  using Statements = std::set<uint64_t>;
  using Places = std::map<uint64_t, std::set<uint64_t>>;  // by statement

  // By thread: the impacted statements that it comes to.
  std::map<uint32_t, Statements> acts_in(TraceSymbols& head) const;
  void note_places(TraceSymbols& symbols, const NameOfStatement& statement_of, Places* places) const;
  std::vector<uint64_t> left_out() const;

  const StatementsOfBoth statement_of_;
  Statements impacted_;
  std::vector<uint64_t> order_;            // the same, as they were first come to
  std::map<uint64_t, uint32_t> together_;  // by statement: threads of one execution, at most
  std::set<Statements> of_threads_;        // what one thread of an execution has come to
  Places head_places_;
  Places base_places_;
  std::set<std::pair<uint64_t, uint64_t>> tried_;  // statements and seeds
};

}  // namespace heddle
