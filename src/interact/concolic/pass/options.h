// What the pass is told, by the environment: the same for all compilers that load it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/DebugLoc.h>

namespace heddle::concolic {

class PassOptions {
 public:
  static PassOptions from_environment();

  bool is_library() const { return is_library_; }

  // A name of the C library that the program has a function of its own for.
  bool is_programs_own(llvm::StringRef name) const { return own_functions_.count(name.str()) != 0; }

  bool watches() const { return !columns_.empty(); }
  // Where the statement begins that is to be recorded when the location is executed: a column of its line, 0
  // for all of the line.
  std::optional<unsigned> watched_column(const llvm::DebugLoc& location) const;

 private:
  bool is_library_ = false;  // HEDDLE_CONCOLIC_LIBRARY: one of libc/
  std::map<std::string, std::set<unsigned>>
      lines_;  // HEDDLE_CONCOLIC_WATCH: a file of path:line:column, by file name
  std::map<std::string, std::set<unsigned>> columns_;  // by path:line
  std::set<std::string> own_functions_;                // HEDDLE_CONCOLIC_OWN: names, with blanks between
};

}  // namespace heddle::concolic
