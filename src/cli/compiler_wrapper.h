// The compiler wrapper behind `heddle cc` and `heddle c++`: which command to run instead.
//
// The wrapper adds flags in front of the user's, so that theirs win, and only those that the step at hand
// uses: it must behave like the compiler in every way that build systems probe.
#pragma once

#include <string>
#include <vector>

#include "support/error.h"

namespace heddle {

enum class CompilerFamily { kGcc, kClang };

// What the arguments ask the compiler to do.
struct CompilerJob {
  bool has_input = false;  // else it is a question such as --version: nothing is added
  bool compiles = false;   // some source is compiled, or preprocessed
  bool links = false;
};

// Response files (@file) are looked into. `argv` is without the compiler itself.
CompilerJob analyse_arguments(const std::vector<std::string>& argv);

// By the compiler's name, or what its link points to (cc, c++).
CompilerFamily compiler_family(const std::string& compiler);

struct WrapperPaths {
  std::string coverage_stub;   // gcc: archive that every module with block coverage links
  std::string includes;        // heddle's own, searched last
  std::string clang_runtimes;  // clang: folder of its own runtimes, for programs started without heddle
};

// The compiler's arguments, flags added.
std::vector<std::string> wrap_arguments(CompilerFamily family, const std::vector<std::string>& argv,
                                        const WrapperPaths& paths);

// Replaces this process by the compiler; returns only if that fails. `language` is "cc" or "c++". The
// compiler is --heddle-compiler=NAME, else HEDDLE_CC or HEDDLE_CXX, else gcc or g++.
Error run_compiler(const std::string& language, std::vector<std::string> argv);

}  // namespace heddle
