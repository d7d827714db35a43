// The members of a class that code outside of it can use, as Clang knows them.
#pragma once

#include <vector>

#include <clang/AST/DeclCXX.h>
#include <clang/Sema/Sema.h>

#include "generate/class_reader/callable_reader.h"

namespace heddle::generate {

// Public methods and method templates, inherited ones included, none that is hidden or deleted; no
// constructors, destructors and assignments.
std::vector<const clang::NamedDecl*> public_methods(const clang::CXXRecordDecl& record);

// Methods that keep it from being instantiated.
std::vector<const clang::CXXMethodDecl*> pure_virtuals(const clang::CXXRecordDecl& record);

// Public ones that neither copy nor move; of an aggregate also one that takes all its fields.
std::vector<ReadCallable> read_constructors(clang::Sema& sema, const clang::CXXRecordDecl& record,
                                            CallableReader& callables, const TypeText& text);

// Non-static ones, those of bases first.
std::vector<const clang::FieldDecl*> all_fields(const clang::CXXRecordDecl& record);
std::vector<Field> read_fields(const clang::CXXRecordDecl& record, const TypeText& text);

}  // namespace heddle::generate
