#include "generate/class_reader/class_members.h"

#include <algorithm>
#include <set>

#include <clang/AST/CXXInheritance.h>
#include <clang/AST/DeclTemplate.h>

#include "generate/class_reader/source_place.h"

namespace heddle::generate {
namespace {

using clang::dyn_cast;
using Names = std::set<clang::DeclarationName>;

const clang::FunctionDecl* function_of(const clang::NamedDecl* declaration) {
  if (const auto* open = dyn_cast<clang::FunctionTemplateDecl>(declaration)) return open->getTemplatedDecl();
  return dyn_cast<clang::FunctionDecl>(declaration);
}

bool is_wanted(const clang::NamedDecl& declaration) {
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(function_of(&declaration));
  if (method == nullptr || method->isDeleted()) return false;
  if (llvm::isa<clang::CXXConstructorDecl>(method) || llvm::isa<clang::CXXDestructorDecl>(method))
    return false;
  switch (method->getOverloadedOperator()) {
    case clang::OO_Equal:
    case clang::OO_New:
    case clang::OO_Delete:
    case clang::OO_Array_New:
    case clang::OO_Array_Delete:
      return false;
    default:
      return true;
  }
}

// Two methods between which a call could not choose.
bool has_same_parameters(const clang::FunctionDecl& one, const clang::FunctionDecl& other) {
  const auto* left = dyn_cast<clang::CXXMethodDecl>(&one);
  const auto* right = dyn_cast<clang::CXXMethodDecl>(&other);
  if (left == nullptr || right == nullptr || left->getNumParams() != right->getNumParams() ||
      left->isConst() != right->isConst() || left->getRefQualifier() != right->getRefQualifier())
    return false;
  for (unsigned index = 0; index < left->getNumParams(); ++index) {
    if (left->getParamDecl(index)->getType().getCanonicalType() !=
        right->getParamDecl(index)->getType().getCanonicalType())
      return false;
  }
  return true;
}

class MethodSearch {
 public:
  std::vector<const clang::NamedDecl*> search(const clang::CXXRecordDecl& record) {
    visit(record, {});
    return std::move(found_);
  }

 private:
  void visit(const clang::CXXRecordDecl& record, Names hidden) {
    if (!visited_.insert(record.getCanonicalDecl()).second) return;
    Names own;
    std::vector<const clang::NamedDecl*> brought;  // by using declarations
    const size_t first = found_.size();
    for (const clang::Decl* each : record.decls()) {
      const auto* declaration = dyn_cast<clang::NamedDecl>(each);
      if (declaration == nullptr || hidden.contains(declaration->getDeclName())) continue;
      own.insert(declaration->getDeclName());
      if (declaration->getAccess() != clang::AS_public) continue;
      if (const auto* shadow = dyn_cast<clang::UsingShadowDecl>(declaration)) {
        if (is_wanted(*shadow->getTargetDecl())) brought.push_back(shadow->getTargetDecl());
      } else if (is_wanted(*declaration)) {
        found_.push_back(declaration);
      }
    }
    for (const clang::NamedDecl* declaration : brought) {
      if (!is_overridden(*declaration, first)) found_.push_back(declaration);
    }
    hidden.insert(own.begin(), own.end());
    for (const clang::CXXBaseSpecifier& base : record.bases()) {
      const clang::CXXRecordDecl* parent = base.getType()->getAsCXXRecordDecl();
      if (base.getAccessSpecifier() == clang::AS_public && parent != nullptr && parent->hasDefinition())
        visit(*parent->getDefinition(), hidden);
    }
  }

  bool is_overridden(const clang::NamedDecl& declaration, size_t first) const {
    for (size_t index = first; index < found_.size(); ++index) {
      if (found_[index]->getDeclName() == declaration.getDeclName() &&
          has_same_parameters(*function_of(found_[index]), *function_of(&declaration)))
        return true;
    }
    return false;
  }

  std::vector<const clang::NamedDecl*> found_;
  std::set<const clang::CXXRecordDecl*> visited_;
};

bool copies_or_moves(const clang::NamedDecl& declaration) {
  const auto* constructor = dyn_cast<clang::CXXConstructorDecl>(function_of(&declaration));
  return constructor != nullptr && constructor->isCopyOrMoveConstructor();
}

// Own ones and those a using declaration brings in.
std::vector<const clang::NamedDecl*> public_constructors(const clang::CXXRecordDecl& record) {
  std::vector<const clang::NamedDecl*> found;
  for (const clang::Decl* each : record.decls()) {
    const auto* declaration = dyn_cast<clang::NamedDecl>(each);
    bool is_inherited = false;
    if (const auto* shadow = llvm::dyn_cast_or_null<clang::ConstructorUsingShadowDecl>(declaration)) {
      declaration = shadow->getTargetDecl();
      is_inherited = true;
    }
    const clang::FunctionDecl* function = declaration == nullptr ? nullptr : function_of(declaration);
    const auto* constructor = llvm::dyn_cast_or_null<clang::CXXConstructorDecl>(function);
    if (constructor == nullptr || constructor->isDeleted() || copies_or_moves(*declaration)) continue;
    if (declaration->getAccess() != clang::AS_public) continue;
    if (is_inherited && (constructor->isDefaultConstructor() || record.hasUserDeclaredConstructor())) {
      // The class's own of the same parameters count.
      bool is_hidden = constructor->isDefaultConstructor();
      for (const clang::NamedDecl* own : found)
        is_hidden = is_hidden || has_same_parameters(*function_of(own), *constructor);
      if (is_hidden) continue;
    }
    found.push_back(declaration);
  }
  return found;
}

bool is_fields_only(const clang::CXXRecordDecl& record) {
  return record.isAggregate() && record.getNumBases() == 0 && !record.field_empty();
}

ReadCallable fields_constructor(const clang::CXXRecordDecl& record, const TypeText& text) {
  ReadCallable read;
  read.is_of_fields = !record.isUnion();
  read.callable.kind = CallableKind::kConstructor;
  read.callable.name = record.getNameAsString();
  read.callable.owner = read.callable.result = text.name(record);
  for (const clang::FieldDecl* field : record.fields()) {
    const clang::QualType type = field->getType().getUnqualifiedType();
    if (!text.can_name(type)) read.obstacle = "the type of a field cannot be named";
    read.types.push_back(type);
    read.callable.parameters.push_back({field->getNameAsString(), text.of(type), ""});
  }
  const SourcePlace place = place_of(record);
  read.callable.file = place.file;
  read.callable.line = place.line;
  return read;
}

}  // namespace

std::vector<const clang::NamedDecl*> public_methods(const clang::CXXRecordDecl& record) {
  return MethodSearch().search(record);
}

std::vector<const clang::CXXMethodDecl*> pure_virtuals(const clang::CXXRecordDecl& record) {
  clang::CXXFinalOverriderMap overriders;
  record.getFinalOverriders(overriders);
  std::vector<const clang::CXXMethodDecl*> found;
  for (const auto& [method, overriding] : overriders) {
    for (const auto& [subobject, finals] : overriding) {
      if (finals.size() == 1 && finals.front().Method->isPureVirtual() &&
          !llvm::isa<clang::CXXDestructorDecl>(finals.front().Method) &&
          std::find(found.begin(), found.end(), finals.front().Method) == found.end())
        found.push_back(finals.front().Method);
    }
  }
  return found;
}

std::vector<ReadCallable> read_constructors(clang::Sema& sema, const clang::CXXRecordDecl& record,
                                            CallableReader& callables, const TypeText& text) {
  sema.ForceDeclarationOfImplicitMembers(const_cast<clang::CXXRecordDecl*>(&record));
  std::vector<ReadCallable> read;
  for (const clang::NamedDecl* constructor : public_constructors(record)) {
    read.push_back(callables.read(*constructor, CallableKind::kConstructor));
    read.back().callable.name = record.getNameAsString();
    read.back().callable.result = text.name(record);
  }
  if (is_fields_only(record)) read.push_back(fields_constructor(record, text));
  return read;
}

std::vector<const clang::FieldDecl*> all_fields(const clang::CXXRecordDecl& record) {
  std::vector<const clang::FieldDecl*> fields;
  for (const clang::CXXBaseSpecifier& base : record.bases()) {
    const clang::CXXRecordDecl* parent = base.getType()->getAsCXXRecordDecl();
    if (parent == nullptr || !parent->hasDefinition()) continue;
    for (const clang::FieldDecl* field : all_fields(*parent->getDefinition())) fields.push_back(field);
  }
  for (const clang::FieldDecl* field : record.fields()) {
    if (!field->getDeclName().isEmpty()) fields.push_back(field);
  }
  return fields;
}

std::vector<Field> read_fields(const clang::CXXRecordDecl& record, const TypeText& text) {
  std::vector<Field> fields;
  for (const clang::FieldDecl* field : all_fields(record)) {
    fields.push_back(
        {field->getNameAsString(), text.description(field->getType()), text.name(*field->getParent())});
  }
  return fields;
}

}  // namespace heddle::generate
