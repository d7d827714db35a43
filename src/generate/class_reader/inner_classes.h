// The classes that an object is made of: those of its fields, and whatever their fields lead to.
#pragma once

#include <string>
#include <vector>

#include <clang/AST/DeclCXX.h>
#include <clang/Sema/Sema.h>

#include "generate/class_model.h"
#include "generate/class_reader/type_text.h"

namespace heddle::generate {

struct InnerClasses {
  FieldsByClass fields;
  std::vector<std::string> hidden;  // only declared
};

// Fields of the project's own classes, by name, found through arrays, pointers, references and what the
// standard library's classes hold. Without the class itself, unions, and what has no name.
InnerClasses read_inner_classes(clang::Sema& sema, const clang::CXXRecordDecl& record, const TypeText& text);

}  // namespace heddle::generate
