// What the pass is told, by the environment: the same for all compilers that load it.
#pragma once

#include <map>
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

  bool watches() const { return !places_.empty(); }
  // A statement whose execution is to be recorded.
  bool is_watched(const llvm::DebugLoc& location) const;

 private:
  bool is_library_ = false;  // HEDDLE_CONCOLIC_LIBRARY: one of libc/
  std::map<std::string, std::set<unsigned>>
      lines_;  // HEDDLE_CONCOLIC_WATCH: a file of path:line, by file name
  std::set<std::string> places_;
  std::set<std::string> own_functions_;  // HEDDLE_CONCOLIC_OWN: names, with blanks between
};

}  // namespace heddle::concolic
