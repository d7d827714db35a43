// TypeText: writes a type as C++ that means the same anywhere after the headers.
//
// Aliases are resolved, names are qualified, and template arguments that are defaults are left out, but what
// the standard library itself gives a name to has that name: "std::string", "std::chrono::seconds".
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

namespace heddle::generate {

class TypeText {
 public:
  explicit TypeText(clang::ASTContext& context);

  // "auto" for a type that cannot be named from outside: private, without a name, or a template's parameter.
  std::string of(clang::QualType type) const;
  // Whoever can name it.
  std::string description(clang::QualType type) const;
  bool can_name(clang::QualType type) const;
  // Whether anybody can, be it code that may use everything.
  bool has_name(const clang::TagDecl& declaration) const;
  // Of a class, enumeration, function or enumerator.
  std::string name(const clang::NamedDecl& declaration) const;

 private:
  void learn_names(const clang::DeclContext& scope, const std::string& prefix);
  std::string declare(clang::QualType type, const std::string& declarator) const;
  std::string base(clang::QualType type) const;
  std::string scope(const clang::DeclContext& scope) const;
  std::string template_arguments(const clang::ClassTemplateSpecializationDecl& specialization) const;
  std::string argument(const clang::TemplateArgument& argument) const;
  enum class Access : uint8_t { kChecked, kIgnored };
  bool can_name(clang::QualType type, Access access) const;
  bool can_name(const clang::TagDecl& declaration, Access access) const;
  bool can_name(const clang::TemplateArgument& argument, Access access) const;

  clang::ASTContext& context_;
  clang::PrintingPolicy policy_;
  std::map<const clang::Type*, std::string> standard_names_;  // of canonical types
};

}  // namespace heddle::generate
