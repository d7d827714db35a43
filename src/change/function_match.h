// Which function of the old version is which of the new one.
//
// In this order: file and signature; file and name (parameters have changed); what is left by the likeness of
// bodies, which finds functions that were renamed or moved, unless a second candidate is as good. Functions
// of a class or namespace that was renamed follow those that were recognised.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "change/statement_index.h"

namespace heddle {

struct FunctionMatch {
  std::vector<uint32_t> to_after;             // per old function; ~0u: removed
  std::vector<uint32_t> to_before;            // per new function; ~0u: added
  std::map<std::string, std::string> scopes;  // classes and namespaces that were renamed, qualified
};

FunctionMatch match_functions(const StatementIndex& before, const StatementIndex& after,
                              const std::map<std::string, std::string>& renamed_files);

}  // namespace heddle
