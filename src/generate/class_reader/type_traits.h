// What Clang says of types when it is asked as a program would ask.
#pragma once

#include <clang/AST/DeclCXX.h>
#include <clang/Sema/Sema.h>

namespace heddle::generate {

// Instantiates a class template if that is needed.
bool is_complete(clang::Sema& sema, clang::QualType type);
bool is_default_constructible(clang::Sema& sema, clang::QualType type);
bool is_copy_constructible(clang::Sema& sema, clang::QualType type);
bool is_move_constructible(clang::Sema& sema, clang::QualType type);
// Whether == compares two constant objects.
bool is_equality_comparable(clang::Sema& sema, clang::QualType type);

// The class a type is, without const and reference; null for everything else.
const clang::CXXRecordDecl* class_of(clang::QualType type);

}  // namespace heddle::generate
