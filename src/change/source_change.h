// SourceChange: what differs between two revisions, in statements, functions and declarations.
#pragma once

#include <string>
#include <vector>

#include "change/revision.h"
#include "change/statement_map.h"

namespace heddle {

struct SourceChange {
  Revision base;
  Revision head;
  std::vector<FileChange> files;    // all that differ
  std::vector<std::string> opaque;  // those among them that are not C or C++: build files, data, scripts
  bool is_reworded = false;         // C or C++ differs in more than comments and layout
  StatementMap statements{StatementMap::Files{}};
};

// Reads the files that differ, and those that mention a macro or declaration that differs: there, statements
// whose text is the same mean something else. No compiler, no build.
Expected<SourceChange> compare_sources(const Repository& repository, const Revision& base,
                                       const Revision& head);

}  // namespace heddle
