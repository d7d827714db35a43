// Which declaration of the old version is which of the new one, and what has become of it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "change/renamed_names.h"
#include "change/statement_map.h"

namespace heddle {

struct DeclarationMatch {
  std::vector<DeclarationChange> changes;
  std::map<std::string, std::string> new_fields;  // qualified names, of all fields that are in both
  std::map<std::string, std::string>
      new_words;  // unqualified names that were renamed: of variables, fields, and those of RenamedNames
};

// `scopes`: classes and namespaces known to have been renamed or moved, under the old names of `renamed`;
// more are found by their fields.
DeclarationMatch match_declarations(const std::vector<SourceFile>& before,
                                    const std::vector<SourceFile>& after,
                                    std::map<std::string, std::string> scopes, const NewNames& renamed);

// Whether the statements that use it are changed by it: another type, guard, attribute or condition of the
// preprocessor, or another value of a constant. Not: another initial value of a variable, or names in it that
// were renamed (DeclarationMatch::new_words).
bool changes_uses(const SourceDeclaration& before, const SourceDeclaration& after,
                  const std::map<std::string, std::string>& new_words);

// Whether it has one value for ever: const or constexpr, or no data at all.
bool is_constant(const SourceDeclaration& declaration);

// "field", "variable", …
const char* kind_name(DeclarationKind kind);

}  // namespace heddle
