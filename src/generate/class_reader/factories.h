// Factories: functions other than constructors that give objects of a class.
#pragma once

#include <vector>

#include <clang/AST/DeclCXX.h>

namespace heddle::generate {

// Static methods of the class, and functions of the namespaces it is in, that give an object by value or by
// smart pointer, and if the class has no other way, by reference or pointer; none that takes such an object.
std::vector<const clang::FunctionDecl*> find_factories(const clang::CXXRecordDecl& record,
                                                       bool has_constructor);

}  // namespace heddle::generate
