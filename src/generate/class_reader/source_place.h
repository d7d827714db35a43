// Where a declaration stands, as a person would say it.
#pragma once

#include <cstdint>
#include <string>

#include <clang/AST/Decl.h>

namespace heddle::generate {

struct SourcePlace {
  std::string file;  // empty if there is none
  uint32_t line = 0;
};

SourcePlace place_of(const clang::NamedDecl& declaration);

}  // namespace heddle::generate
