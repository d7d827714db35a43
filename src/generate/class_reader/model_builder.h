// Makes the model of a class that Clang has read.
#pragma once

#include <string>

#include "generate/class_model.h"
#include "generate/class_reader/header_parse.h"
#include "generate/class_reader/type_text.h"

namespace heddle::generate {

ClassModel build_model(const ParsedHeaders& parsed, const TypeText& text, const clang::CXXRecordDecl& record,
                       const std::string& spelled);

}  // namespace heddle::generate
