#include "generate/class_reader/type_text.h"

#include <cctype>

#include <clang/AST/DeclTemplate.h>
#include <llvm/Support/raw_ostream.h>

#include "generate/class_reader/standard_templates.h"

namespace heddle::generate {
namespace {

clang::PrintingPolicy policy_of(const clang::ASTContext& context) {
  clang::PrintingPolicy policy(context.getLangOpts());
  policy.SuppressTagKeyword = true;
  policy.SuppressUnwrittenScope = true;
  policy.FullyQualifiedName = true;
  policy.SuppressDefaultTemplateArgs = true;
  policy.PrintCanonicalTypes = true;
  policy.Bool = true;
  return policy;
}

// "const int" and "&": "const int&"; "int" and "x": "int x".
std::string join(const std::string& base, const std::string& declarator) {
  if (declarator.empty()) return base;
  const bool is_word = std::isalnum(static_cast<unsigned char>(declarator[0])) || declarator[0] == '_';
  return base + (is_word ? " " : "") + declarator;
}

std::string with_qualifiers(clang::Qualifiers qualifiers, std::string text) {
  if (qualifiers.hasVolatile()) text = "volatile " + text;
  if (qualifiers.hasConst()) text = "const " + text;
  return text;
}

// "*", "* const".
std::string indirection(const std::string& sign, clang::Qualifiers qualifiers,
                        const std::string& declarator) {
  std::string text = sign;
  if (qualifiers.hasConst()) text += " const";
  if (qualifiers.hasVolatile()) text += " volatile";
  return join(text, declarator);
}

bool needs_parentheses(clang::QualType pointee) {
  return pointee->isFunctionType() || pointee->isArrayType();
}

std::string function_suffix(const clang::FunctionProtoType& function) {
  std::string text;
  if (function.isConst()) text += " const";
  if (function.isVolatile()) text += " volatile";
  if (function.getRefQualifier() == clang::RQ_LValue) text += " &";
  if (function.getRefQualifier() == clang::RQ_RValue) text += " &&";
  if (clang::isNoexceptExceptionSpec(function.getExceptionSpecType())) text += " noexcept";
  return text;
}

}  // namespace

TypeText::TypeText(clang::ASTContext& context) : context_(context), policy_(policy_of(context)) {
  const clang::IdentifierInfo& name = context.Idents.get("std");
  for (const clang::NamedDecl* found : context.getTranslationUnitDecl()->lookup(&name)) {
    if (const auto* scope = llvm::dyn_cast<clang::NamespaceDecl>(found)) {
      for (const clang::NamespaceDecl* part : scope->redecls()) learn_names(*part, "std::");
    }
  }
}

void TypeText::learn_names(const clang::DeclContext& scope, const std::string& prefix) {
  for (const clang::Decl* declaration : scope.decls()) {
    if (const auto* inner = llvm::dyn_cast<clang::NamespaceDecl>(declaration)) {
      if (inner->isInline())
        learn_names(*inner, prefix);
      else if (!inner->getName().starts_with("_"))
        learn_names(*inner, prefix + inner->getName().str() + "::");
      continue;
    }
    const auto* alias = llvm::dyn_cast<clang::TypedefNameDecl>(declaration);
    if (alias == nullptr || alias->getName().starts_with("_") || alias->getDescribedTemplate() != nullptr)
      continue;
    const clang::QualType type = alias->getUnderlyingType().getCanonicalType();
    const auto* record = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
        type.hasQualifiers() ? nullptr : type->getAsCXXRecordDecl());
    if (record == nullptr || !is_standard(*record)) continue;
    const std::string name = prefix + alias->getName().str();
    std::string& known = standard_names_[type.getTypePtr()];
    if (known.empty() || name.size() < known.size() || (name.size() == known.size() && name < known))
      known = name;
  }
}

std::string TypeText::of(clang::QualType type) const {
  return can_name(type) ? declare(type.getCanonicalType(), "") : "auto";
}

std::string TypeText::description(clang::QualType type) const {
  return declare(type.getCanonicalType(), "");
}

std::string TypeText::declare(clang::QualType type, const std::string& declarator) const {
  const clang::Qualifiers qualifiers = type.getQualifiers();
  const auto around = [&](clang::QualType pointee, const std::string& sign) {
    const std::string text = indirection(sign, qualifiers, declarator);
    return declare(pointee, needs_parentheses(pointee) ? "(" + text + ")" : text);
  };
  if (const auto* pointer = type->getAs<clang::PointerType>()) return around(pointer->getPointeeType(), "*");
  if (const auto* reference = type->getAs<clang::ReferenceType>())
    return around(reference->getPointeeType(), type->isRValueReferenceType() ? "&&" : "&");
  if (const auto* member = type->getAs<clang::MemberPointerType>()) {
    const std::string owner = base(clang::QualType(member->getClass(), 0));
    const std::string text = indirection(owner + "::*", qualifiers, declarator);
    return declare(member->getPointeeType(),
                   member->isMemberFunctionPointer() ? "(" + text + ")" : " " + text);
  }
  if (const auto* array = context_.getAsConstantArrayType(type)) {
    llvm::SmallString<16> size;
    array->getSize().toStringUnsigned(size);
    return declare(array->getElementType(), declarator + "[" + size.str().str() + "]");
  }
  if (const auto* array = context_.getAsIncompleteArrayType(type))
    return declare(array->getElementType(), declarator + "[]");
  if (const auto* function = type->getAs<clang::FunctionProtoType>()) {
    std::string parameters;
    for (const clang::QualType parameter : function->param_types())
      parameters += (parameters.empty() ? "" : ", ") + declare(parameter, "");
    if (function->isVariadic()) parameters += parameters.empty() ? "..." : ", ...";
    return declare(function->getReturnType(),
                   declarator + "(" + parameters + ")" + function_suffix(*function));
  }
  return join(with_qualifiers(qualifiers, base(type)), declarator);
}

std::string TypeText::base(clang::QualType type) const {
  const clang::QualType plain = type.getCanonicalType().getUnqualifiedType();
  const auto known = standard_names_.find(plain.getTypePtr());
  if (known != standard_names_.end()) return known->second;
  if (const clang::TagDecl* tag = plain->getAsTagDecl()) return name(*tag);
  if (plain->isTemplateTypeParmType() || plain->isUndeducedType()) return "auto";
  if (plain->isNullPtrType()) return "std::nullptr_t";
  return plain.getAsString(policy_);
}

std::string TypeText::name(const clang::NamedDecl& declaration) const {
  std::string text = scope(*declaration.getDeclContext());
  const auto* tag = llvm::dyn_cast<clang::TagDecl>(&declaration);
  if (tag != nullptr && tag->getTypedefNameForAnonDecl() != nullptr)
    return text + tag->getTypedefNameForAnonDecl()->getName().str();
  text += declaration.getDeclName().isEmpty() ? "(unnamed)" : declaration.getNameAsString();
  if (const auto* specialization = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&declaration))
    text += template_arguments(*specialization);
  return text;
}

std::string TypeText::scope(const clang::DeclContext& scope) const {
  if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(&scope)) {
    const std::string outer = this->scope(*space->getDeclContext());
    if (space->isInline() || space->isAnonymousNamespace()) return outer;
    return outer + space->getName().str() + "::";
  }
  if (const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(&scope)) return name(*record) + "::";
  if (const auto* enumeration = llvm::dyn_cast<clang::EnumDecl>(&scope)) {
    // Unscoped enumerators are known by this name, too.
    return enumeration->getDeclName().isEmpty() ? this->scope(*enumeration->getDeclContext())
                                                : name(*enumeration) + "::";
  }
  return scope.getParent() == nullptr ? "" : this->scope(*scope.getParent());
}

std::string TypeText::template_arguments(const clang::ClassTemplateSpecializationDecl& specialization) const {
  const clang::TemplateParameterList& parameters =
      *specialization.getSpecializedTemplate()->getTemplateParameters();
  llvm::ArrayRef<clang::TemplateArgument> arguments = specialization.getTemplateArgs().asArray();
  const llvm::ArrayRef<clang::TemplateArgument> all = arguments;
  while (!arguments.empty() && arguments.size() <= parameters.size()) {
    const clang::NamedDecl* parameter = parameters.getParam(static_cast<unsigned>(arguments.size() - 1));
    if (parameter->isTemplateParameterPack() ||
        !clang::isSubstitutedDefaultArgument(context_, arguments.back(), parameter, all,
                                             parameters.getDepth()))
      break;
    arguments = arguments.drop_back();
  }
  std::string text;
  for (const clang::TemplateArgument& each : arguments) {
    const std::string written = argument(each);
    if (!written.empty()) text += (text.empty() ? "" : ", ") + written;
  }
  return "<" + text + ">";
}

std::string TypeText::argument(const clang::TemplateArgument& argument) const {
  std::string text;
  switch (argument.getKind()) {
    case clang::TemplateArgument::Type:
      return declare(argument.getAsType().getCanonicalType(), "");
    case clang::TemplateArgument::Template:
      if (const clang::TemplateDecl* named = argument.getAsTemplate().getAsTemplateDecl())
        return name(*named);
      break;
    case clang::TemplateArgument::Pack:
      for (const clang::TemplateArgument& element : argument.pack_elements())
        text += (text.empty() ? "" : ", ") + this->argument(element);
      return text;
    default:
      break;
  }
  llvm::raw_string_ostream stream(text);
  argument.print(policy_, stream, /*IncludeType=*/false);
  return text;
}

bool TypeText::can_name(clang::QualType type) const {
  return can_name(type, Access::kChecked);
}

bool TypeText::has_name(const clang::TagDecl& declaration) const {
  return can_name(declaration, Access::kIgnored);
}

bool TypeText::can_name(clang::QualType type, Access access) const {
  const clang::QualType plain = type.getCanonicalType();
  if (plain->isPointerType() || plain->isReferenceType()) return can_name(plain->getPointeeType(), access);
  if (const auto* member = plain->getAs<clang::MemberPointerType>())
    return can_name(clang::QualType(member->getClass(), 0), access) &&
           can_name(member->getPointeeType(), access);
  if (const clang::ArrayType* array = context_.getAsArrayType(plain))
    return can_name(array->getElementType(), access);
  if (const auto* function = plain->getAs<clang::FunctionProtoType>()) {
    for (const clang::QualType parameter : function->param_types()) {
      if (!can_name(parameter, access)) return false;
    }
    return can_name(function->getReturnType(), access);
  }
  if (const clang::TagDecl* tag = plain->getAsTagDecl()) return can_name(*tag, access);
  return !plain->isDependentType() && !plain->isUndeducedType();
}

bool TypeText::can_name(const clang::TagDecl& declaration, Access access) const {
  if (declaration.getDeclName().isEmpty() && declaration.getTypedefNameForAnonDecl() == nullptr) return false;
  if (declaration.isDependentType()) return false;
  const bool is_hidden =
      declaration.getAccess() == clang::AS_private || declaration.getAccess() == clang::AS_protected;
  if (is_hidden && access == Access::kChecked) return false;
  const clang::DeclContext* scope = declaration.getDeclContext();
  if (scope->isFunctionOrMethod()) return false;
  if (const auto* specialization = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&declaration)) {
    for (const clang::TemplateArgument& argument : specialization->getTemplateArgs().asArray()) {
      if (!can_name(argument, access)) return false;
    }
  }
  const auto* outer = llvm::dyn_cast<clang::TagDecl>(scope);
  return outer == nullptr || can_name(*outer, access);
}

bool TypeText::can_name(const clang::TemplateArgument& argument, Access access) const {
  if (argument.getKind() == clang::TemplateArgument::Type) return can_name(argument.getAsType(), access);
  if (argument.getKind() == clang::TemplateArgument::Pack) {
    for (const clang::TemplateArgument& element : argument.pack_elements()) {
      if (!can_name(element, access)) return false;
    }
  }
  return true;
}

}  // namespace heddle::generate
