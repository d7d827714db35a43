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

// Of the parameter with this index, whose type is a template parameter. What its concepts say counts first,
// then what the body does; nothing if neither calls it.
std::optional<CallShape> called_parameter(const clang::FunctionTemplateDecl& function, unsigned index);

}  // namespace heddle::generate
