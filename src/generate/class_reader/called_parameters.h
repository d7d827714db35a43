// What a function template does with a parameter of unknown type, as far as it can be seen: how it calls it.
#pragma once

#include <optional>
#include <vector>

#include <clang/AST/DeclTemplate.h>

namespace heddle::generate {

struct CallShape {
  // Null if not known.
  clang::QualType result;
  std::vector<clang::QualType> arguments;
};

// Null for a type that templates leave open.
clang::QualType known_type(clang::QualType type);

// Of the parameter with this index, whose type is a template parameter. What its concepts say counts first,
// then what the body does; nothing if neither calls it.
// `depth`: how many functions have passed the parameter on to this one.
std::optional<CallShape> called_parameter(const clang::FunctionTemplateDecl& function, unsigned index,
                                          int depth = 0);

}  // namespace heddle::generate
