// The classes that headers know, by name.
#pragma once

#include <string>
#include <vector>

#include "generate/class_reader/header_parse.h"
#include "generate/class_reader/type_text.h"

namespace heddle::generate {

// Those that the headers themselves define outside of classes and functions.
std::vector<std::string> classes_of_headers(const ParsedHeaders& parsed, const TypeText& text);

// Those whose names are most like `name`, best first: the same in another scope, or little else in the
// spelling.
std::vector<std::string> nearest_classes(const ParsedHeaders& parsed, const TypeText& text,
                                         const std::string& name);

// Whatever has this name, without template arguments; null if nothing has.
const clang::NamedDecl* find_name(const clang::ASTContext& context, llvm::StringRef name);

// "ns::Cache", "<int>" of "ns::Cache<int>": the name as it can be looked up.
std::string without_arguments(const std::string& name);

}  // namespace heddle::generate
