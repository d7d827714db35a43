#include "generate/class_reader/callable_reader.h"

#include <clang/AST/ASTConcept.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <clang/Sema/Template.h>
#include <clang/Sema/TemplateDeduction.h>
#include <fmt/format.h>
#include <llvm/ADT/SmallBitVector.h>

#include "generate/class_reader/called_parameters.h"
#include "generate/class_reader/source_place.h"

namespace heddle::generate {
namespace {

using clang::dyn_cast;
using clang::QualType;

// Whether callers leave a parameter's type wholly to deduction: T, const T&, T&&.
bool is_bare(QualType type) {
  return type.getNonReferenceType()->getAs<clang::TemplateTypeParmType>() != nullptr;
}

bool is_changed_by_call(QualType type) {
  return type->isLValueReferenceType() && !type.getNonReferenceType().isConstQualified();
}

}  // namespace

ReadCallable CallableReader::read(const clang::NamedDecl& function, CallableKind kind) {
  const auto* open = dyn_cast<clang::FunctionTemplateDecl>(&function);
  const clang::FunctionDecl& declared =
      open != nullptr ? *open->getTemplatedDecl() : llvm::cast<clang::FunctionDecl>(function);
  ReadCallable read;
  Callable& callable = read.callable;
  callable.kind = kind;
  callable.name = name_of(declared, kind);
  if (const auto* owner = dyn_cast<clang::CXXRecordDecl>(declared.getDeclContext()))
    callable.owner = text_.name(*owner);
  if (const auto* method = dyn_cast<clang::CXXMethodDecl>(&declared)) {
    callable.is_const = method->isConst();
    callable.is_static = method->isStatic();
    if (method->getRefQualifier() == clang::RQ_RValue) {
      read.obstacle = "it can only be called on an object that is given up (&&)";
    }
  }
  const SourcePlace place = place_of(declared);
  callable.file = place.file;
  callable.line = place.line;
  callable.is_template = open != nullptr;
  callable.is_variadic = declared.isVariadic();
  callable.is_noexcept = cannot_throw(declared);
  const clang::FunctionDecl* example = open != nullptr ? example_of(*open) : nullptr;
  for (unsigned index = 0; index < declared.getNumParams(); ++index) {
    const clang::ParmVarDecl& parameter = *declared.getParamDecl(index);
    if (parameter.isParameterPack()) {
      callable.is_variadic = true;
      break;
    }
    if (parameter.getType()->isDependentType() && open != nullptr)
      read_open_parameter(*open, index, example, read);
    else
      read_parameter(parameter, read);
  }
  read_result(declared, read);
  if (open != nullptr)
    check_deduction(*open, read);
  else
    check_requirements(declared, read);
  return read;
}

bool CallableReader::cannot_throw(const clang::FunctionDecl& function) {
  const auto* type = function.getType()->getAs<clang::FunctionProtoType>();
  // Of implicit members and of templates it is found out when somebody asks.
  if (type != nullptr && clang::isUnresolvedExceptionSpec(type->getExceptionSpecType()))
    type = function.isDependentContext() ? nullptr : sema_.ResolveExceptionSpec(function.getLocation(), type);
  return type != nullptr && type->isNothrow();
}

std::string CallableReader::name_of(const clang::FunctionDecl& function, CallableKind kind) const {
  if (kind == CallableKind::kFactory) return text_.name(function);
  if (const auto* constructor = dyn_cast<clang::CXXConstructorDecl>(&function))
    return constructor->getParent()->getNameAsString();
  if (const auto* conversion = dyn_cast<clang::CXXConversionDecl>(&function))
    return "operator " + text_.description(conversion->getConversionType());
  return function.getNameAsString();
}

void CallableReader::read_parameter(const clang::ParmVarDecl& parameter, ReadCallable& into) {
  // A parameter's own const is nobody else's business.
  const QualType type = parameter.getType().getUnqualifiedType();
  const bool can_name = text_.can_name(type);
  if (!can_name) {
    into.obstacle = fmt::format("the type of a parameter, {}, cannot be named from outside the class",
                                text_.description(type.getNonReferenceType().getUnqualifiedType()));
  }
  into.types.push_back(type);
  into.callable.parameters.push_back({parameter.getNameAsString(),
                                      can_name ? text_.of(type) : text_.description(type),
                                      default_value(parameter)});
}

void CallableReader::read_open_parameter(const clang::FunctionTemplateDecl& function, unsigned index,
                                         const clang::FunctionDecl* example, ReadCallable& into) {
  const clang::ParmVarDecl& parameter = *function.getTemplatedDecl()->getParamDecl(index);
  if (!is_bare(parameter.getType()) && example != nullptr && index < example->getNumParams() &&
      text_.can_name(example->getParamDecl(index)->getType())) {
    const QualType type = example->getParamDecl(index)->getType().getUnqualifiedType();
    into.types.push_back(type);
    into.callable.parameters.push_back(
        {parameter.getNameAsString(), text_.of(type), default_value(parameter)});
    return;
  }
  TypeModel model;
  model.name = "auto";
  model.kind = TypeKind::kTemplateParameter;
  const std::optional<CallShape> call =
      is_bare(parameter.getType()) ? called_parameter(function, index) : std::nullopt;
  if (call) {
    const auto element = [&](QualType type) {
      if (type.isNull() || !text_.can_name(type)) return std::string("auto");
      into.types.push_back(type);
      return text_.of(type.getNonReferenceType().getUnqualifiedType());
    };
    model.kind = TypeKind::kCallable;
    model.elements.push_back(element(call->result));
    std::string arguments;
    for (const QualType argument : call->arguments) {
      model.elements.push_back(element(argument));
      arguments += (arguments.empty() ? "" : ", ") + model.elements.back();
    }
    model.name = fmt::format("auto:{}({})", model.elements[0], arguments);
  }
  const bool needs_variable = !call && is_changed_by_call(parameter.getType());
  into.callable.parameters.push_back(
      {parameter.getNameAsString(), model.name + (needs_variable ? "&" : ""), default_value(parameter)});
  into.unknown.push_back(std::move(model));
}

void CallableReader::read_result(const clang::FunctionDecl& function, ReadCallable& into) {
  if (const auto* constructor = dyn_cast<clang::CXXConstructorDecl>(&function)) {
    into.callable.result = text_.name(*constructor->getParent());
    return;
  }
  QualType result = function.getReturnType();
  if (result->isUndeducedType() && !function.isDependentContext()) {
    sema_.DeduceReturnType(const_cast<clang::FunctionDecl*>(&function), function.getLocation(),
                           /*Diagnose=*/false);
    result = function.getReturnType();
  }
  result = result->isReferenceType() ? result : result.getUnqualifiedType();
  into.callable.result = text_.of(result);
  if (text_.can_name(result)) {
    into.types.push_back(result);
  } else {
    TypeModel model;
    model.name = "auto";
    into.unknown.push_back(std::move(model));
  }
}

void CallableReader::check_deduction(const clang::FunctionTemplateDecl& function, ReadCallable& into) {
  llvm::SmallBitVector deduced;
  clang::Sema::MarkDeducedTemplateParameters(sema_.Context, &function, deduced);
  const clang::TemplateParameterList& parameters = *function.getTemplateParameters();
  for (unsigned index = 0; index < parameters.size(); ++index) {
    const clang::NamedDecl& parameter = *parameters.getParam(index);
    const auto* type = dyn_cast<clang::TemplateTypeParmDecl>(&parameter);
    const auto* value = dyn_cast<clang::NonTypeTemplateParmDecl>(&parameter);
    if (deduced[index] || parameter.isTemplateParameterPack() ||
        (type != nullptr && type->hasDefaultArgument()) || (value != nullptr && value->hasDefaultArgument()))
      continue;
    into.obstacle =
        fmt::format("its template parameter {} cannot be deduced from a call", parameter.getNameAsString());
    into.help =
        fmt::format("name a call of it in a pools file: observe = [\"object.{}<…>(…)\"]", into.callable.name);
    return;
  }
}

void CallableReader::check_requirements(const clang::FunctionDecl& function, ReadCallable& into) {
  if (function.getTrailingRequiresClause() == nullptr) return;
  clang::ConstraintSatisfaction satisfaction;
  const bool failed = sema_.CheckFunctionConstraints(&function, satisfaction, function.getLocation());
  if (failed || !satisfaction.IsSatisfied)
    into.obstacle = "its requirements are not met with these template arguments";
}

const clang::FunctionDecl* CallableReader::example_of(const clang::FunctionTemplateDecl& function) {
  clang::ASTContext& context = sema_.Context;
  llvm::SmallVector<clang::TemplateArgument, 4> arguments;
  for (const clang::NamedDecl* parameter : *function.getTemplateParameters()) {
    if (parameter->isTemplateParameterPack()) {
      arguments.push_back(clang::TemplateArgument::getEmptyPack());
    } else if (llvm::isa<clang::TemplateTypeParmDecl>(parameter)) {
      arguments.emplace_back(QualType(context.IntTy));
    } else if (const auto* value = dyn_cast<clang::NonTypeTemplateParmDecl>(parameter);
               value != nullptr && value->getType()->isIntegralOrEnumerationType()) {
      arguments.emplace_back(context, llvm::APSInt(context.MakeIntValue(1, value->getType())),
                             value->getType());
    } else {
      return nullptr;
    }
  }
  return sema_.InstantiateFunctionDeclaration(const_cast<clang::FunctionTemplateDecl*>(&function),
                                              clang::TemplateArgumentList::CreateCopy(context, arguments),
                                              function.getLocation());
}

std::string CallableReader::default_value(const clang::ParmVarDecl& parameter) const {
  if (!parameter.hasDefaultArg()) return "";
  const clang::SourceManager& sources = sema_.getSourceManager();
  const clang::CharSourceRange range = clang::Lexer::makeFileCharRange(
      clang::CharSourceRange::getTokenRange(parameter.getDefaultArgRange()), sources, sema_.getLangOpts());
  llvm::StringRef text = clang::Lexer::getSourceText(range, sources, sema_.getLangOpts());
  // The range of some lists begins with the sign.
  if (text.consume_front("=")) text = text.ltrim();
  // One that a macro makes cannot be shown, but it is there.
  return text.empty() ? "{}" : text.str();
}

}  // namespace heddle::generate
