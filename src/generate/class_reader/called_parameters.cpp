#include "generate/class_reader/called_parameters.h"

#include <clang/AST/ExprConcepts.h>

#include "generate/class_reader/call_search.h"
#include "generate/class_reader/standard_templates.h"

namespace heddle::generate {
namespace {

using clang::dyn_cast;
using clang::QualType;

const clang::TemplateTypeParmType* template_parameter(QualType type) {
  return type.getNonReferenceType()->getAs<clang::TemplateTypeParmType>();
}

std::vector<QualType> types_of(llvm::ArrayRef<clang::TemplateArgument> arguments) {
  std::vector<QualType> types;
  for (const clang::TemplateArgument& argument : arguments) {
    if (argument.getKind() == clang::TemplateArgument::Pack) {
      for (const QualType type : types_of(argument.pack_elements())) types.push_back(type);
    } else if (argument.getKind() == clang::TemplateArgument::Type) {
      types.push_back(known_type(argument.getAsType()));
    }
  }
  return types;
}

// std::invocable<F, Args…>, std::predicate<F, Args…>.
std::optional<CallShape> constrained_call(const clang::ASTContext& context, const clang::Expr* constraint,
                                          const clang::TemplateTypeParmType& parameter) {
  constraint = constraint->IgnoreParenImpCasts();
  if (const auto* both = dyn_cast<clang::BinaryOperator>(constraint)) {
    if (both->getOpcode() != clang::BO_LAnd) return std::nullopt;
    if (auto shape = constrained_call(context, both->getLHS(), parameter)) return shape;
    return constrained_call(context, both->getRHS(), parameter);
  }
  const auto* use = dyn_cast<clang::ConceptSpecializationExpr>(constraint);
  if (use == nullptr || !is_standard(*use->getNamedConcept())) return std::nullopt;
  const llvm::StringRef name = use->getNamedConcept()->getName();
  const bool is_predicate = name == "predicate";
  if (!is_predicate && name != "invocable" && name != "regular_invocable") return std::nullopt;
  const llvm::ArrayRef<clang::TemplateArgument> arguments = use->getTemplateArguments();
  if (arguments.empty() || arguments[0].getKind() != clang::TemplateArgument::Type) return std::nullopt;
  const clang::TemplateTypeParmType* constrained = template_parameter(arguments[0].getAsType());
  if (constrained == nullptr || constrained->getDepth() != parameter.getDepth() ||
      constrained->getIndex() != parameter.getIndex())
    return std::nullopt;
  return CallShape{is_predicate ? QualType(context.BoolTy) : QualType(), types_of(arguments.drop_front())};
}

// The template as it is written: that of a class template's instance has no body.
const clang::FunctionTemplateDecl& written_template(const clang::FunctionTemplateDecl& function) {
  const clang::FunctionTemplateDecl* written = &function;
  while (const clang::FunctionTemplateDecl* from = written->getInstantiatedFromMemberTemplate())
    written = from;
  const clang::FunctionDecl* definition = nullptr;
  if (written->getTemplatedDecl()->isDefined(definition)) {
    if (const clang::FunctionTemplateDecl* defined = definition->getDescribedFunctionTemplate())
      return *defined;
  }
  return *written;
}

}  // namespace

QualType known_type(QualType type) {
  return type.isNull() || type->isDependentType() || type->isUndeducedType() ? QualType() : type;
}

std::optional<CallShape> called_parameter(const clang::FunctionTemplateDecl& function, unsigned index,
                                          int depth) {
  const clang::ASTContext& context = function.getASTContext();
  const clang::FunctionTemplateDecl& open = written_template(function);
  const clang::FunctionDecl& written = *open.getTemplatedDecl();
  const clang::ParmVarDecl& parameter = *written.getParamDecl(index);
  std::optional<CallShape> promised;
  if (const auto* type = template_parameter(parameter.getType())) {
    llvm::SmallVector<const clang::Expr*, 4> constraints;
    open.getAssociatedConstraints(constraints);
    for (const clang::Expr* constraint : constraints) {
      promised = constrained_call(context, constraint, *type);
      if (promised) break;
    }
  }
  if ((promised && !promised->result.isNull()) || !written.hasBody()) return promised;
  std::optional<CallShape> seen = seen_call(written, parameter, depth);
  if (promised && seen) promised->result = seen->result;
  return promised ? promised : seen;
}

}  // namespace heddle::generate
