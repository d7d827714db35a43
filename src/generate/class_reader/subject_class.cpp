#include "generate/class_reader/subject_class.h"

#include <clang/AST/DeclTemplate.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "generate/class_reader/known_classes.h"
#include "generate/class_reader/source_place.h"

namespace heddle::generate {
namespace {

using clang::dyn_cast;

constexpr const char* kAlias = "heddle_subject";
constexpr size_t kMostErrors = 5;
constexpr size_t kMostClasses = 12;  // that a message names

std::string words_of(const std::vector<CompileError>& errors, bool of_tail) {
  std::string words;
  size_t count = 0;
  for (const CompileError& error : errors) {
    if (error.in_tail != of_tail || ++count > kMostErrors) continue;
    words += "\n" + error.text;
  }
  if (count > kMostErrors) words += fmt::format("\n(and {} more)", count - kMostErrors);
  return words;
}

bool has_errors(const ParsedHeaders& parsed, bool of_tail) {
  for (const CompileError& error : parsed.errors) {
    if (error.in_tail == of_tail) return true;
  }
  return false;
}

const clang::TypedefNameDecl* find_alias(const clang::ASTContext& context) {
  return llvm::dyn_cast_or_null<clang::TypedefNameDecl>(find_name(context, kAlias));
}

std::string not_found(const ParsedHeaders& parsed, const TypeText& text, const std::string& name) {
  const std::vector<std::string> near = nearest_classes(parsed, text, name);
  if (!near.empty())
    return fmt::format("there is no class {}; did you mean {}?", name, fmt::join(near, " or "));
  std::vector<std::string> defined = classes_of_headers(parsed, text);
  if (defined.empty())
    return fmt::format("there is no class {}: the headers given define no class; give the one that does",
                       name);
  const size_t left_out = defined.size() > kMostClasses ? defined.size() - kMostClasses : 0;
  defined.resize(defined.size() - left_out);
  return fmt::format("there is no class {}; the headers given define {}{}", name, fmt::join(defined, ", "),
                     left_out > 0 ? fmt::format(" and {} more", left_out) : "");
}

// An argument that might stand for a template parameter.
std::string example_argument(const clang::NamedDecl& parameter) {
  if (llvm::isa<clang::TemplateTypeParmDecl>(parameter)) return "int";
  return llvm::isa<clang::TemplateTemplateParmDecl>(parameter) ? "std::vector" : "8";
}

bool has_default(const clang::NamedDecl& parameter) {
  if (const auto* type = dyn_cast<clang::TemplateTypeParmDecl>(&parameter)) return type->hasDefaultArgument();
  if (const auto* value = dyn_cast<clang::NonTypeTemplateParmDecl>(&parameter))
    return value->hasDefaultArgument();
  const auto* open = dyn_cast<clang::TemplateTemplateParmDecl>(&parameter);
  return open != nullptr && open->hasDefaultArgument();
}

std::string wants_arguments(const ParsedHeaders& parsed, const TypeText& text,
                            const clang::TemplateDecl& declaration) {
  std::string wanted;
  std::string example;
  for (const clang::NamedDecl* parameter : *declaration.getTemplateParameters()) {
    std::string written;
    llvm::raw_string_ostream stream(written);
    parameter->print(stream, parsed.context().getPrintingPolicy());
    wanted += (wanted.empty() ? "" : ", ") + written;
    if (!has_default(*parameter)) example += (example.empty() ? "" : ", ") + example_argument(*parameter);
  }
  const std::string name = text.name(declaration);
  return fmt::format("{0} is a template of <{1}>; give its arguments, as in \"{0}<{2}>\"", name, wanted,
                     example);
}

Expected<const clang::CXXRecordDecl*> not_a_class(const std::string& name, const std::string& what) {
  return usage_error(fmt::format("{} is {}, not a class", name, what));
}

std::string compiler_words(const ParsedHeaders& parsed, const std::string& name) {
  return fmt::format("{} cannot be compiled:{}", name, words_of(parsed.errors, true));
}

// The name means nothing as a type: why?
Expected<const clang::CXXRecordDecl*> explain_no_type(const ParsedHeaders& parsed, const TypeText& text,
                                                      const std::string& name) {
  const clang::NamedDecl* found = find_name(parsed.context(), without_arguments(name));
  if (found == nullptr) return usage_error(not_found(parsed, text, name));
  if (const auto* open = dyn_cast<clang::ClassTemplateDecl>(found)) {
    const bool has_arguments = name.find('<') != std::string::npos;
    return usage_error(wants_arguments(parsed, text, *open) +
                       (has_arguments ? words_of(parsed.errors, true) : ""));
  }
  if (const auto* open = dyn_cast<clang::TypeAliasTemplateDecl>(found))
    return usage_error(wants_arguments(parsed, text, *open));
  if (llvm::isa<clang::FunctionDecl>(found) || llvm::isa<clang::FunctionTemplateDecl>(found))
    return not_a_class(name, "a function");
  if (llvm::isa<clang::NamespaceDecl>(found)) return not_a_class(name, "a namespace");
  if (llvm::isa<clang::ValueDecl>(found)) return not_a_class(name, "a variable or constant");
  return usage_error(compiler_words(parsed, name));
}

}  // namespace

std::string subject_tail(const std::string& name) {
  return fmt::format("using {0} = {1};\nconst unsigned long heddle_subject_size = sizeof({0});\n", kAlias,
                     name);
}

Expected<void> check_headers(const ParsedHeaders& parsed) {
  if (!has_errors(parsed, false)) return {};
  return usage_error("the headers do not compile:" + words_of(parsed.errors, false));
}

Expected<const clang::CXXRecordDecl*> find_subject(const ParsedHeaders& parsed, const TypeText& text,
                                                   const std::string& name) {
  const clang::TypedefNameDecl* alias = find_alias(parsed.context());
  const bool is_known = find_name(parsed.context(), without_arguments(name)) != nullptr;
  // Clang goes on with a name that it finds similar.
  const bool is_guess = !is_known && has_errors(parsed, true);
  if (alias == nullptr || alias->isInvalidDecl() || is_guess) return explain_no_type(parsed, text, name);
  const clang::QualType type = alias->getUnderlyingType().getCanonicalType();
  if (type->isEnumeralType()) return not_a_class(name, "an enumeration");
  if (type->isUnionType()) return not_a_class(name, "a union");
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (record == nullptr || type->isReferenceType())
    return not_a_class(name, "another name for " + text.description(type));
  if (!record->hasDefinition()) {
    const SourcePlace place = place_of(*record);
    return usage_error(fmt::format("{} is only declared, at {}:{}; give the header that defines it", name,
                                   place.file, place.line));
  }
  if (has_errors(parsed, true)) return usage_error(compiler_words(parsed, name));
  return record->getDefinition();
}

}  // namespace heddle::generate
