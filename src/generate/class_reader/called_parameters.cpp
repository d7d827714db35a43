#include "generate/class_reader/called_parameters.h"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/ExprConcepts.h>
#include <clang/AST/StmtCXX.h>

#include "generate/class_reader/standard_templates.h"

namespace heddle::generate {
namespace {

using clang::dyn_cast;
using clang::QualType;

QualType known(QualType type) {
  return type.isNull() || type->isDependentType() || type->isUndeducedType() ? QualType() : type;
}

llvm::StringRef called_name(const clang::CallExpr& call) {
  const clang::Expr* callee = call.getCallee()->IgnoreParenImpCasts();
  clang::DeclarationName name;
  if (const auto* reference = dyn_cast<clang::DeclRefExpr>(callee))
    name = reference->getDecl()->getDeclName();
  if (const auto* overloads = dyn_cast<clang::OverloadExpr>(callee)) name = overloads->getName();
  return name.isIdentifier()
             ? name.getAsIdentifierInfo() == nullptr ? "" : name.getAsIdentifierInfo()->getName()
             : "";
}

// Looks for calls of one parameter in a body; knows at each place what becomes of the value there.
class CallSearch {
 public:
  CallSearch(const clang::ASTContext& context, const clang::FunctionDecl& function,
             const clang::ParmVarDecl& parameter)
      : context_(context), function_(function), parameter_(parameter) {}

  std::optional<CallShape> search() {
    const QualType nothing = context_.VoidTy;
    visit(function_.getBody(), nothing);
    if (const auto* constructor = dyn_cast<clang::CXXConstructorDecl>(&function_)) {
      for (const clang::CXXCtorInitializer* initializer : constructor->inits())
        visit(initializer->getInit(), QualType());
    }
    return found_;
  }

 private:
  // `used`: as what; null if that is not known.
  void visit(const clang::Stmt* statement, QualType used) {
    if (statement == nullptr) return;
    const QualType nothing = context_.VoidTy;
    const QualType truth = context_.BoolTy;
    if (const auto* expression = dyn_cast<clang::Expr>(statement)) {
      const clang::Expr* inner = expression->IgnoreParenImpCasts();
      if (const auto* whole = dyn_cast<clang::FullExpr>(inner)) return visit(whole->getSubExpr(), used);
      if (inner != expression) return visit(inner, used);
    }
    if (const auto* call = dyn_cast<clang::CallExpr>(statement)) return visit_call(*call, used);
    if (const auto* branch = dyn_cast<clang::IfStmt>(statement)) {
      visit(branch->getInit(), nothing);
      visit(branch->getConditionVariableDeclStmt(), nothing);
      visit(branch->getCond(), truth);
      visit(branch->getThen(), nothing);
      return visit(branch->getElse(), nothing);
    }
    if (const auto* loop = dyn_cast<clang::WhileStmt>(statement)) {
      visit(loop->getCond(), truth);
      return visit(loop->getBody(), nothing);
    }
    if (const auto* loop = dyn_cast<clang::DoStmt>(statement)) {
      visit(loop->getCond(), truth);
      return visit(loop->getBody(), nothing);
    }
    if (const auto* loop = dyn_cast<clang::ForStmt>(statement)) {
      visit(loop->getInit(), nothing);
      visit(loop->getCond(), truth);
      visit(loop->getInc(), nothing);
      return visit(loop->getBody(), nothing);
    }
    if (const auto* loop = dyn_cast<clang::CXXForRangeStmt>(statement)) {
      visit(loop->getRangeInit(), QualType());
      return visit(loop->getBody(), nothing);
    }
    if (const auto* negation = dyn_cast<clang::UnaryOperator>(statement))
      return visit(negation->getSubExpr(), negation->getOpcode() == clang::UO_LNot ? truth : QualType());
    if (const auto* operation = dyn_cast<clang::BinaryOperator>(statement)) {
      const QualType operand = operation->isLogicalOp() ? truth : QualType();
      visit(operation->getLHS(), operand);
      return visit(operation->getRHS(), operation->getOpcode() == clang::BO_Assign
                                            ? known(operation->getLHS()->getType())
                                            : operand);
    }
    if (const auto* choice = dyn_cast<clang::ConditionalOperator>(statement)) {
      visit(choice->getCond(), truth);
      visit(choice->getTrueExpr(), used);
      return visit(choice->getFalseExpr(), used);
    }
    if (const auto* declarations = dyn_cast<clang::DeclStmt>(statement)) {
      for (const clang::Decl* declaration : declarations->decls()) {
        if (const auto* variable = dyn_cast<clang::VarDecl>(declaration))
          visit(variable->getInit(), known(variable->getType()));
      }
      return;
    }
    if (const auto* result = dyn_cast<clang::ReturnStmt>(statement))
      return visit(result->getRetValue(), lambdas_ == 0 ? known(function_.getReturnType()) : QualType());
    if (const auto* lambda = dyn_cast<clang::LambdaExpr>(statement)) {
      ++lambdas_;
      visit(lambda->getBody(), nothing);
      --lambdas_;
      return;
    }
    const bool is_expression = llvm::isa<clang::Expr>(statement);
    for (const clang::Stmt* child : statement->children()) visit(child, is_expression ? QualType() : nothing);
  }

  void visit_call(const clang::CallExpr& call, QualType used) {
    const llvm::ArrayRef<const clang::Expr*> arguments(call.getArgs(), call.getNumArgs());
    const llvm::StringRef name = called_name(call);
    if (is_parameter(call.getCallee())) {
      add(arguments, used);
    } else if (name == "invoke" && !arguments.empty() && is_parameter(arguments[0])) {
      add(arguments.drop_front(), used);
    } else if (!arguments.empty() && is_parameter(arguments.back())) {
      add_algorithm(name);
    }
    visit(call.getCallee(), QualType());
    for (const clang::Expr* argument : arguments) visit(argument, QualType());
  }

  // Those of the standard library that call their last argument.
  void add_algorithm(llvm::StringRef name) {
    const std::vector<QualType> element = {QualType()};
    if (name == "for_each") add(CallShape{context_.VoidTy, element});
    if (name.ends_with("_if") || name == "any_of" || name == "all_of" || name == "none_of")
      add(CallShape{context_.BoolTy, element});
    if (name.ends_with("sort") || name.ends_with("_heap"))
      add(CallShape{context_.BoolTy, {QualType(), QualType()}});
  }

  // The parameter itself, moved or forwarded.
  bool is_parameter(const clang::Expr* expression) const {
    expression = expression->IgnoreParenImpCasts();
    if (const auto* cast = dyn_cast<clang::ExplicitCastExpr>(expression))
      return is_parameter(cast->getSubExpr());
    if (const auto* call = dyn_cast<clang::CallExpr>(expression)) {
      const llvm::StringRef name = called_name(*call);
      return call->getNumArgs() == 1 && (name == "forward" || name == "move") &&
             is_parameter(call->getArg(0));
    }
    const auto* reference = dyn_cast<clang::DeclRefExpr>(expression);
    return reference != nullptr && reference->getDecl() == &parameter_;
  }

  void add(llvm::ArrayRef<const clang::Expr*> arguments, QualType used) {
    CallShape shape{used, {}};
    for (const clang::Expr* argument : arguments) shape.arguments.push_back(known(argument->getType()));
    add(std::move(shape));
  }

  // A value can be dropped, but none cannot be used: of several calls the most demanding counts.
  void add(CallShape shape) {
    const auto demand = [](const CallShape& call) {
      return call.result.isNull() ? 1 : call.result->isVoidType() ? 0 : 2;
    };
    if (!found_ || demand(*found_) < demand(shape)) found_ = std::move(shape);
  }

  const clang::ASTContext& context_;
  const clang::FunctionDecl& function_;
  const clang::ParmVarDecl& parameter_;
  std::optional<CallShape> found_;
  int lambdas_ = 0;
};

const clang::TemplateTypeParmType* template_parameter(QualType type) {
  return type.getNonReferenceType()->getAs<clang::TemplateTypeParmType>();
}

std::vector<QualType> types_of(llvm::ArrayRef<clang::TemplateArgument> arguments) {
  std::vector<QualType> types;
  for (const clang::TemplateArgument& argument : arguments) {
    if (argument.getKind() == clang::TemplateArgument::Pack) {
      for (const QualType type : types_of(argument.pack_elements())) types.push_back(type);
    } else if (argument.getKind() == clang::TemplateArgument::Type) {
      types.push_back(known(argument.getAsType()));
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

std::optional<CallShape> called_parameter(const clang::FunctionTemplateDecl& function, unsigned index) {
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
  std::optional<CallShape> seen = CallSearch(context, written, parameter).search();
  if (promised && seen) promised->result = seen->result;
  return promised ? promised : seen;
}

}  // namespace heddle::generate
