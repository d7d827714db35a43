#include "generate/class_reader/call_search.h"

#include <set>
#include <utility>

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include "generate/class_reader/standard_templates.h"

namespace heddle::generate {
namespace {

using clang::dyn_cast;
using clang::QualType;

constexpr int kMostPasses = 3;  // functions that pass a parameter on to one another

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
  CallSearch(const clang::FunctionDecl& function, const clang::ParmVarDecl& parameter, int depth)
      : context_(function.getASTContext()), function_(function), depth_(depth), names_{&parameter} {}

  std::optional<CallShape> search() {
    const QualType nothing = context_.VoidTy;
    visit(function_.getBody(), nothing);
    if (const auto* constructor = dyn_cast<clang::CXXConstructorDecl>(&function_)) {
      for (const clang::CXXCtorInitializer* initializer : constructor->inits()) {
        if (initializer->getMember() != nullptr)
          hand_over(initializer->getInit(), initializer->getMember()->getType());
        visit(initializer->getInit(), QualType());
      }
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
                                            ? known_type(operation->getLHS()->getType())
                                            : operand);
    }
    if (const auto* choice = dyn_cast<clang::ConditionalOperator>(statement)) {
      visit(choice->getCond(), truth);
      visit(choice->getTrueExpr(), used);
      return visit(choice->getFalseExpr(), used);
    }
    if (const auto* declarations = dyn_cast<clang::DeclStmt>(statement)) {
      for (const clang::Decl* declaration : declarations->decls()) {
        if (const auto* variable = dyn_cast<clang::VarDecl>(declaration)) visit_variable(*variable);
      }
      return;
    }
    if (const auto* result = dyn_cast<clang::ReturnStmt>(statement))
      return visit(result->getRetValue(), lambdas_ == 0 ? known_type(function_.getReturnType()) : QualType());
    if (const auto* lambda = dyn_cast<clang::LambdaExpr>(statement)) {
      for (const clang::LambdaCapture& capture : lambda->captures()) {
        const auto* variable =
            capture.capturesVariable() ? dyn_cast<clang::VarDecl>(capture.getCapturedVar()) : nullptr;
        if (variable != nullptr && variable->isInitCapture()) visit_variable(*variable);
      }
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
    } else {
      for (unsigned index = 0; index < arguments.size(); ++index) {
        if (!is_parameter(arguments[index])) continue;
        if (index + 1 == arguments.size()) add_algorithm(name);
        pass_on(call, index);
      }
    }
    visit(call.getCallee(), QualType());
    for (const clang::Expr* argument : arguments) visit(argument, QualType());
  }

  void visit_variable(const clang::VarDecl& variable) {
    const clang::Expr* value = variable.getInit();
    if (value == nullptr) return;
    // A new name for it.
    if (is_parameter(value) && known_type(variable.getType()).isNull()) names_.insert(&variable);
    hand_over(value, variable.getType());
    visit(value, known_type(variable.getType()));
  }

  // What becomes a std::function is called as that is.
  void hand_over(const clang::Expr* value, QualType type) {
    if (const auto* list = dyn_cast<clang::ParenListExpr>(value); list != nullptr && list->getNumExprs() == 1)
      value = list->getExpr(0);
    if (const auto* list = dyn_cast<clang::InitListExpr>(value); list != nullptr && list->getNumInits() == 1)
      value = list->getInit(0);
    if (is_parameter(value)) add_function(type);
  }

  void add_function(QualType type) {
    if (known_type(type).isNull()) return;
    const StandardInstance instance = standard_instance(type);
    if (instance.kind != TypeKind::kFunction) return;
    if (const auto* function = instance.elements[0]->getAs<clang::FunctionProtoType>())
      add(CallShape{function->getReturnType(), function->param_types().vec()});
  }

  // To another template, or into a container of std::function.
  void pass_on(const clang::CallExpr& call, unsigned index) {
    const clang::Expr* callee = call.getCallee()->IgnoreParenImpCasts();
    if (const auto* overloads = dyn_cast<clang::OverloadExpr>(callee);
        overloads != nullptr && depth_ < kMostPasses) {
      for (const clang::NamedDecl* declaration : overloads->decls()) {
        const auto* open = dyn_cast<clang::FunctionTemplateDecl>(declaration->getUnderlyingDecl());
        if (open == nullptr || index >= open->getTemplatedDecl()->getNumParams()) continue;
        if (auto shape = called_parameter(*open, index, depth_ + 1)) add(std::move(*shape));
      }
    }
    QualType object;
    if (const auto* member = dyn_cast<clang::UnresolvedMemberExpr>(callee)) object = member->getBaseType();
    if (const auto* member = dyn_cast<clang::MemberExpr>(callee)) object = member->getBase()->getType();
    const StandardInstance container =
        known_type(object).isNull() ? StandardInstance() : standard_instance(object);
    if (container.kind == TypeKind::kContainer && !container.elements.empty())
      add_function(container.elements.back());
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
    return reference != nullptr && names_.contains(reference->getDecl());
  }

  void add(llvm::ArrayRef<const clang::Expr*> arguments, QualType used) {
    CallShape shape{used, {}};
    for (const clang::Expr* argument : arguments) shape.arguments.push_back(known_type(argument->getType()));
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
  const int depth_;
  std::set<const clang::ValueDecl*> names_;  // of the parameter
  std::optional<CallShape> found_;
  int lambdas_ = 0;  // around the place that is visited
};

}  // namespace

std::optional<CallShape> seen_call(const clang::FunctionDecl& function, const clang::ParmVarDecl& parameter,
                                   int depth) {
  return CallSearch(function, parameter, depth).search();
}

}  // namespace heddle::generate
