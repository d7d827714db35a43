// UserPools: what a user tells about a class that its header does not say, read from a TOML file.
//
//   include   = ["tests/fakes.h"]              # for what is named below
//   skip      = ["connect", "wait(int)"]       # methods, by name or signature
//   observe   = ["object.size()"]              # compared when the threads have ended
//   invariant = ["object.size() <= 8"]         # must hold then
//
//   [values]                                   # by type: expressions
//   "std::string"  = ['"a"', '"b"']
//   "ns::Key"      = ["ns::Key(1)"]
//
//   [construct]                                # how to make the object:
//   with = ["(2)", "= ns::make_cache(4)"]      # arguments, or an expression after "="
#pragma once

#include <map>
#include <string>
#include <vector>

#include "support/error.h"

namespace heddle::generate {

struct UserPools {
  std::vector<std::string> includes;
  std::vector<std::string> skip;
  std::vector<std::string> observe;
  std::vector<std::string> invariant;
  std::map<std::string, std::vector<std::string>> values;
  std::vector<std::string> construct;
};

// An error names the file, the line and what was expected.
Expected<UserPools> read_user_pools(const std::string& path);

}  // namespace heddle::generate
