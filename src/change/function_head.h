// What stands before a body, an initialiser or a semicolon outside functions: where it ends, and if it is a
// function's, its name and parameters.
#pragma once

#include <string>
#include <vector>

#include "change/declarators.h"

namespace heddle {

struct DeclarationHead {
  uint32_t begin = 0;
  uint32_t stop = 0;               // the token that ends it: `;` `{` `=` `:` `try` `}` or the end
  uint32_t class_key = kNoToken;   // class, struct, union, enum with a body to come
  uint32_t open = kNoToken;        // the parenthesis of the parameters
  uint32_t name_begin = kNoToken;  // of the function's name, with its qualifiers
  uint32_t name_end = kNoToken;
  uint32_t macro_open = kNoToken;  // TEST(a, b): the parenthesis of what belongs to the name

  bool is_function() const { return open != kNoToken; }
};

DeclarationHead read_head(const Tokens& tokens, uint32_t begin, uint32_t end);

// Where the qualified name whose last part is at `part` begins.
uint32_t begin_of_name(const Tokens& tokens, uint32_t part, uint32_t begin);

// Names in `template <class T, int N>`: the `<` is at `open`.
std::vector<std::string> template_parameters(const Tokens& tokens, uint32_t open, uint32_t close);

// "Queue::push": template arguments that merely repeat the parameters of the template are left out.
std::string name_text(const Tokens& tokens, uint32_t begin, uint32_t end,
                      const std::vector<std::string>& template_parameters);

// "(int, const Foo&) const"
std::string parameters_text(const Tokens& tokens, const DeclarationHead& head);

// The declaration [begin, end) of a function, in which the names of parameters say nothing.
std::string without_parameter_names(const Tokens& tokens, uint32_t begin, uint32_t end,
                                    const DeclarationHead& head);

// Whether anything before the name can be the type of the result.
bool has_result(const Tokens& tokens, const DeclarationHead& head);

}  // namespace heddle
