#include "generate/class_reader/type_traits.h"

#include <clang/Sema/EnterExpressionEvaluationContext.h>
#include <clang/Sema/Overload.h>

namespace heddle::generate {
namespace {

// Where a user of the headers is.
clang::SourceLocation outside(const clang::Sema& sema) {
  const clang::SourceManager& sources = sema.getSourceManager();
  return sources.getLocForEndOfFile(sources.getMainFileID());
}

bool is_constructible(clang::Sema& sema, llvm::ArrayRef<clang::QualType> types) {
  if (!is_complete(sema, types[0])) return false;
  const clang::SourceLocation place = outside(sema);
  llvm::SmallVector<clang::TypeSourceInfo*, 2> arguments;
  for (const clang::QualType type : types)
    arguments.push_back(sema.Context.getTrivialTypeSourceInfo(type, place));
  const clang::ExprResult result = sema.BuildTypeTrait(clang::TT_IsConstructible, place, arguments, place);
  const auto* trait = result.isUsable() ? llvm::dyn_cast<clang::TypeTraitExpr>(result.get()) : nullptr;
  return trait != nullptr && !trait->isValueDependent() && trait->getValue();
}

}  // namespace

bool is_complete(clang::Sema& sema, clang::QualType type) {
  return !type->isDependentType() && sema.isCompleteType(outside(sema), type);
}

bool is_default_constructible(clang::Sema& sema, clang::QualType type) {
  return is_constructible(sema, {type});
}

bool is_copy_constructible(clang::Sema& sema, clang::QualType type) {
  return is_constructible(sema, {type, sema.Context.getLValueReferenceType(type.withConst())});
}

bool is_move_constructible(clang::Sema& sema, clang::QualType type) {
  return is_constructible(sema, {type, sema.Context.getRValueReferenceType(type)});
}

bool is_equality_comparable(clang::Sema& sema, clang::QualType type) {
  const clang::SourceLocation place = outside(sema);
  clang::OpaqueValueExpr left(place, type.withConst(), clang::VK_LValue);
  clang::OpaqueValueExpr right(place, type.withConst(), clang::VK_LValue);
  const clang::EnterExpressionEvaluationContext unevaluated(
      sema, clang::Sema::ExpressionEvaluationContext::Unevaluated);
  return sema.CreateOverloadedBinOp(place, clang::BO_EQ, clang::UnresolvedSet<1>(), &left, &right).isUsable();
}

bool is_standard(const clang::Decl& declaration) {
  const clang::DeclContext* scope = declaration.getDeclContext();
  for (; scope != nullptr; scope = scope->getParent()) {
    if (scope->isStdNamespace()) return true;
  }
  return false;
}

const clang::CXXRecordDecl* class_of(clang::QualType type) {
  return type.getNonReferenceType().getCanonicalType()->getAsCXXRecordDecl();
}

llvm::StringRef standard_name(clang::QualType type) {
  const clang::CXXRecordDecl* record = class_of(type);
  if (record == nullptr || !is_standard(*record) || record->getIdentifier() == nullptr) return "";
  return record->getName();
}

}  // namespace heddle::generate
