// Names in generated code.
#pragma once

#include <string>

namespace heddle::generate {

// "operator[]" → "subscript", "a::b" → "a__b": something that can be part of a name.
std::string identifier(const std::string& name);
// "put_all" → "PutAll".
std::string camel_case(const std::string& name);

}  // namespace heddle::generate
