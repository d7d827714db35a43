#include "generate/class_reader/factories.h"

#include <set>

#include <clang/AST/DeclTemplate.h>

#include "generate/class_reader/standard_templates.h"
#include "generate/class_reader/type_traits.h"

namespace heddle::generate {
namespace {

using clang::dyn_cast;
using clang::QualType;

bool is_class(QualType type, const clang::CXXRecordDecl& record) {
  const clang::CXXRecordDecl* other = class_of(type);
  return other != nullptr && other->getCanonicalDecl() == record.getCanonicalDecl();
}

// What a pointer, smart or not, points to; null for everything else.
QualType pointee_of(QualType type) {
  if (type->isPointerType()) return type->getPointeeType();
  const llvm::StringRef name = standard_name(type);
  if (name != "unique_ptr" && name != "shared_ptr") return {};
  const auto* instance = dyn_cast<clang::ClassTemplateSpecializationDecl>(class_of(type));
  return instance == nullptr ? QualType() : instance->getTemplateArgs()[0].getAsType();
}

bool leads_to(QualType type, const clang::CXXRecordDecl& record) {
  if (is_class(type, record)) return true;
  const QualType pointee = pointee_of(type.getNonReferenceType());
  return !pointee.isNull() && is_class(pointee, record);
}

class FactorySearch {
 public:
  FactorySearch(const clang::CXXRecordDecl& record, bool has_constructor)
      : record_(record), has_constructor_(has_constructor) {}

  std::vector<const clang::FunctionDecl*> search() {
    for (const clang::CXXMethodDecl* method : record_.methods()) {
      if (method->isStatic() && method->getAccess() == clang::AS_public) consider(*method);
    }
    for (const clang::DeclContext* scope = record_.getDeclContext(); scope != nullptr;
         scope = scope->getParent()) {
      if (const auto* space = dyn_cast<clang::NamespaceDecl>(scope)) {
        for (const clang::NamespaceDecl* part : space->redecls()) visit(*part);
      } else if (scope->isTranslationUnit()) {
        visit(*scope);
      }
    }
    return std::move(found_);
  }

 private:
  void visit(const clang::DeclContext& scope) {
    for (const clang::Decl* declaration : scope.decls()) {
      const auto* function = dyn_cast<clang::FunctionDecl>(declaration);
      if (function != nullptr) consider(*function);
    }
  }

  void consider(const clang::FunctionDecl& function) {
    if (function.isDeleted() || !gives_object(function.getReturnType())) return;
    for (const clang::ParmVarDecl* parameter : function.parameters()) {
      if (leads_to(parameter->getType(), record_)) return;
    }
    if (known_.insert(function.getCanonicalDecl()).second) found_.push_back(&function);
  }

  bool gives_object(QualType result) const {
    if (result.getNonReferenceType().isConstQualified()) return false;
    const bool is_borrowed = result->isReferenceType() || result->isPointerType();
    if (is_borrowed && result->isPointerType() && result->getPointeeType().isConstQualified()) return false;
    return leads_to(result, record_) && (!is_borrowed || !has_constructor_);
  }

  const clang::CXXRecordDecl& record_;
  const bool has_constructor_;
  std::vector<const clang::FunctionDecl*> found_;
  std::set<const clang::FunctionDecl*> known_;
};

}  // namespace

std::vector<const clang::FunctionDecl*> find_factories(const clang::CXXRecordDecl& record,
                                                       bool has_constructor) {
  return FactorySearch(record, has_constructor).search();
}

}  // namespace heddle::generate
