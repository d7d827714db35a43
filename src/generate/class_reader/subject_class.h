// Finds the class that a user named, or says why it cannot be used.
#pragma once

#include <string>

#include "generate/class_reader/header_parse.h"
#include "generate/class_reader/type_text.h"
#include "support/error.h"

namespace heddle::generate {

// Source behind the headers that makes Clang look the name up and instantiate what it names.
std::string subject_tail(const std::string& name);

Expected<const clang::CXXRecordDecl*> find_subject(const ParsedHeaders& parsed, const TypeText& text,
                                                   const std::string& name);

// What the compiler said of the headers themselves, if it could not compile them.
Expected<void> check_headers(const ParsedHeaders& parsed);

}  // namespace heddle::generate
