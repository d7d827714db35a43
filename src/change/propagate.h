// Statements whose text is the same but whose meaning is not: what they use is declared or defined otherwise.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "change/declaration_match.h"
#include "change/statement_index.h"

namespace heddle {

struct AffectedStatement {
  uint32_t function = 0;  // of the new version
  uint32_t statement = 0;
  ChangeReason reason = ChangeReason::kDeclaration;
  std::string because;
};

// At most one per statement: macros before declarations.
std::vector<AffectedStatement> affected_statements(const StatementMap::Files& files,
                                                   const DeclarationMatch& declarations,
                                                   const StatementIndex& after, WordTable& words);

// Names of macros that are not defined the same in both, where more than one file can use them.
std::set<std::string> changed_public_macros(const StatementMap::Files& files);

}  // namespace heddle
