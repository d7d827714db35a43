// What is known of the class templates of the standard library: how their instances are made up.
#pragma once

#include <vector>

#include <clang/AST/DeclCXX.h>

#include "generate/class_model.h"

namespace heddle::generate {

struct StandardInstance {
  TypeKind kind = TypeKind::kOther;
  std::vector<clang::QualType> elements;  // of a kFunction its function type
};

// Whether a class is the standard library's, in whichever of its namespaces.
bool is_standard(const clang::Decl& declaration);
// "vector", if it is an instance of std::vector or a class std::vector; empty for what is not in std.
llvm::StringRef standard_name(clang::QualType type);
// kOther for everything that is no instance of such a template, or of one that is not known.
StandardInstance standard_instance(clang::QualType type);

}  // namespace heddle::generate
