#include "generate/class_reader/type_traits.h"

#include <algorithm>
#include <vector>

#include <clang/Sema/EnterExpressionEvaluationContext.h>
#include <clang/Sema/Overload.h>

#include "generate/class_reader/standard_templates.h"

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

bool all_copy(clang::Sema& sema, llvm::ArrayRef<clang::QualType> types) {
  return std::all_of(types.begin(), types.end(), [&](clang::QualType type) {
    return type->isReferenceType() || is_copy_constructible(sema, type.getUnqualifiedType());
  });
}

bool copies_by_members(const clang::CXXRecordDecl& record) {
  for (const clang::CXXConstructorDecl* constructor : record.ctors()) {
    if (constructor->isCopyConstructor()) return constructor->isDefaulted();
  }
  return true;
}

std::vector<clang::QualType> members_of(const clang::CXXRecordDecl& record) {
  std::vector<clang::QualType> members;
  for (const clang::CXXBaseSpecifier& base : record.bases()) {
    // Nobody else makes objects of an abstract class.
    const clang::CXXRecordDecl* parent = class_of(base.getType());
    if (parent != nullptr && !parent->isAbstract()) members.push_back(base.getType());
  }
  for (const clang::FieldDecl* field : record.fields()) {
    const clang::QualType type = field->getType();
    members.push_back(record.getASTContext().getBaseElementType(type));
  }
  return members;
}

}  // namespace

bool is_complete(clang::Sema& sema, clang::QualType type) {
  return !type->isDependentType() && sema.isCompleteType(outside(sema), type);
}

bool is_default_constructible(clang::Sema& sema, clang::QualType type) {
  return is_constructible(sema, {type});
}

bool is_copy_constructible(clang::Sema& sema, clang::QualType type) {
  if (!is_constructible(sema, {type, sema.Context.getLValueReferenceType(type.withConst())})) return false;
  // The library's containers say that they can be copied whatever they hold, and so do classes that hold
  // them.
  const StandardInstance instance = standard_instance(type);
  const clang::CXXRecordDecl* record = class_of(type);
  if (instance.kind == TypeKind::kContainer) return all_copy(sema, instance.elements);
  if (record == nullptr || is_standard(*record) || !copies_by_members(*record)) return true;
  return all_copy(sema, members_of(*record));
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

const clang::CXXRecordDecl* class_of(clang::QualType type) {
  return type.getNonReferenceType().getCanonicalType()->getAsCXXRecordDecl();
}

}  // namespace heddle::generate
