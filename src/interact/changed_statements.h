// Changed statements: what a change has left in the program of the head.
//
// A statement that was removed is not there to be executed: its neighbours stand for it, the statement that
// now follows in its place and the condition that it was under. Who uses a variable that begins with another
// value has not changed in its text either, and stands for that.
#pragma once

#include <string>
#include <vector>

#include "change/source_change.h"
#include "interact/program_statements.h"

namespace heddle::interact {

struct ChangedStatement {
  enum class Kind : uint8_t {
    kAdded,
    kModified,         // also by a macro or declaration that it uses
    kBesideRemoved,    // is as it was, and stands for a statement that is gone
    kBeginsOtherwise,  // is as it was, and uses a variable with another initial value
  };
  StatementIndex statement = kNone;
  Kind kind = Kind::kModified;
  std::string because;  // "stands for the removed `x = 1 ;` (a.c:3)"; empty if the text says it all
};

struct ChangedStatements {
  std::vector<ChangedStatement> all;  // by statement, each once
  // Sentences on what has changed and is nowhere in the program: code that is not compiled, a declaration, a
  // function that was removed.
  std::vector<std::string> left_out;
};

ChangedStatements find_changed_statements(const program::Program& head, const ProgramStatements& statements,
                                          const StatementMap& change);

}  // namespace heddle::interact
