#include "generate/class_reader/inner_classes.h"

#include <queue>
#include <set>

#include <clang/AST/DeclTemplate.h>

#include "generate/class_reader/class_members.h"
#include "generate/class_reader/standard_templates.h"
#include "generate/class_reader/type_traits.h"

namespace heddle::generate {
namespace {

// Those that are nearest to the object come first.
constexpr size_t kMostInnerClasses = 48;

class InnerClassSearch {
 public:
  InnerClassSearch(clang::Sema& sema, const clang::CXXRecordDecl& subject, const TypeText& text)
      : sema_(sema), subject_(subject), text_(text), is_subject_of_system_(is_of_system(subject)) {}

  InnerClasses search() {
    known_.insert(subject_.getCanonicalDecl());
    visit_fields(subject_);
    for (; !waiting_.empty() && found_.fields.size() < kMostInnerClasses; waiting_.pop()) {
      const clang::CXXRecordDecl& record = *waiting_.front();
      visit_fields(record);
      found_.fields.emplace(text_.name(record), read_fields(record, text_));
    }
    return std::move(found_);
  }

 private:
  void visit_fields(const clang::CXXRecordDecl& record) {
    for (const clang::FieldDecl* field : all_fields(record)) visit(field->getType());
  }

  void visit(clang::QualType type) {
    type = type.getCanonicalType();
    if (type->isPointerType() || type->isReferenceType()) return visit(type->getPointeeType());
    if (type->isArrayType()) return visit(sema_.Context.getBaseElementType(type));
    const clang::CXXRecordDecl* record = class_of(type);
    if (record == nullptr || !known_.insert(record->getCanonicalDecl()).second) return;
    if (is_standard(*record)) {
      if (const auto* instance = clang::dyn_cast<clang::ClassTemplateSpecializationDecl>(record))
        visit_arguments(instance->getTemplateArgs().asArray());
      return;
    }
    if (record->isUnion() || !text_.has_name(*record)) return;
    if (!is_subject_of_system_ && is_of_system(*record)) return;
    if (!is_complete(sema_, type)) return found_.hidden.push_back(text_.name(*record));
    waiting_.push(record->getDefinition());
  }

  void visit_arguments(llvm::ArrayRef<clang::TemplateArgument> arguments) {
    for (const clang::TemplateArgument& argument : arguments) {
      if (argument.getKind() == clang::TemplateArgument::Type) visit(argument.getAsType());
      if (argument.getKind() == clang::TemplateArgument::Pack) visit_arguments(argument.pack_elements());
    }
  }

  bool is_of_system(const clang::CXXRecordDecl& record) const {
    return sema_.getSourceManager().isInSystemHeader(record.getLocation());
  }

  clang::Sema& sema_;
  const clang::CXXRecordDecl& subject_;
  const TypeText& text_;
  const bool is_subject_of_system_;
  std::set<const clang::CXXRecordDecl*> known_;
  std::queue<const clang::CXXRecordDecl*> waiting_;
  InnerClasses found_;
};

}  // namespace

InnerClasses read_inner_classes(clang::Sema& sema, const clang::CXXRecordDecl& record, const TypeText& text) {
  return InnerClassSearch(sema, record, text).search();
}

}  // namespace heddle::generate
