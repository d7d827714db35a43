// How code that uses a class is compiled and linked.
#pragma once

#include <string>
#include <vector>

namespace heddle::generate {

struct ClassSources {
  std::vector<std::string> headers;       // as they are to be included
  std::vector<std::string> flags;         // of the compiler: -I, -D, -std=…
  std::vector<std::string> sources;       // compiled with it
  std::vector<std::string> more_sources;  // compiled only if something is missing without them
  std::vector<std::string> libraries;     // arguments of the linker
  std::string compiler;                   // what `heddle c++` is to run; empty: its default
};

}  // namespace heddle::generate
