// Names of types, taken apart as texts: enough for spelling values of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::generate {

// One spelling for each type: "const char *" → "const char*", "std::basic_string<char>" → "std::string".
std::string normal_type(std::string_view type);

// How a parameter or a result uses a type.
struct TypeUse {
  std::string value;  // normal, without reference and without const of its own
  bool is_const = false;
  bool is_lvalue_reference = false;
  bool is_rvalue_reference = false;

  bool is_changed() const { return is_lvalue_reference && !is_const; }
};
TypeUse take_apart(std::string_view type);

// "std::map<int, ns::Key>" → "int", "ns::Key"; empty if it is not a specialisation.
std::vector<std::string> template_arguments(std::string_view type);
// Without template arguments: "std::map".
std::string template_name(std::string_view type);
// Also without the scope: "ns::Cache<int>" → "Cache".
std::string simple_name(std::string_view type);
// "const ns::Key*" → "const ns::Key".
std::string pointee_of(std::string_view type);

// Whether the type is this one, or is made of it: "std::vector<ns::Key*>" of "ns::Key", and of "ns::Key*".
bool mentions_type(std::string_view type, std::string_view part);

// Parts of a list, as far as they are not in brackets or literals: "1, f(2, 3)" → "1", "f(2, 3)".
std::vector<std::string> split_list(std::string_view text);

// "maxRetry_count" → "max", "retry", "count".
std::vector<std::string> words_of(std::string_view name);
// "RemovalListener" → "removal_listener".
std::string snake_case(std::string_view name);

bool is_identifier(std::string_view text);
// Whether the text has this name in it, outside of literals.
bool mentions(std::string_view text, std::string_view name);
// Each occurrence of the name replaced, outside of literals.
std::string replace_name(std::string_view text, std::string_view name, std::string_view by);
// Each `first` becomes `second` and the other way round, outside of literals.
std::string swap_names(std::string_view text, std::string_view first, std::string_view second);

}  // namespace heddle::generate
