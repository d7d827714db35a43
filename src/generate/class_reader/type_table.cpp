#include "generate/class_reader/type_table.h"

#include <utility>

#include <clang/AST/CXXInheritance.h>

#include "generate/class_reader/class_members.h"
#include "generate/class_reader/standard_templates.h"
#include "generate/class_reader/type_traits.h"

namespace heddle::generate {
namespace {

using clang::dyn_cast;
using clang::QualType;

// An object for an argument is built of objects, which are built of objects; no deeper than this.
constexpr int kMostDepth = 3;

// Of the standard library's classes only what its users call: no templates, nothing of its own inner types.
bool is_for_users(const Callable& constructor) {
  if (constructor.is_template) return false;
  return constructor.parameters.empty() || !constructor.name.starts_with('_');
}

QualType plain(QualType type) {
  return type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
}

}  // namespace

std::map<std::string, TypeModel> TypeTable::take() {
  while (!waiting_.empty()) {
    const Waiting next = waiting_.front();
    waiting_.pop();
    const std::string name = text_.of(next.type);
    if (types_.contains(name)) continue;
    types_[name].name = name;
    TypeModel model = read(next.type, next.depth);
    types_[name] = std::move(model);
  }
  return std::move(types_);
}

void TypeTable::add(const ReadCallable& callable, int depth) {
  for (const QualType type : callable.types) add(type, depth);
  for (const TypeModel& model : callable.unknown) {
    // Results without a name share theirs with parameters; what is needed for an argument counts.
    const auto [known, is_new] = types_.try_emplace(model.name, model);
    if (!is_new && model.kind == TypeKind::kTemplateParameter) known->second = model;
  }
}

void TypeTable::add(QualType type, int depth) {
  if (text_.can_name(type)) waiting_.push({plain(type), depth});
}

void TypeTable::add_elements(llvm::ArrayRef<QualType> types, int depth, TypeModel& model) {
  for (const QualType type : types) {
    model.elements.push_back(text_.of(type));
    add(type, depth);
  }
}

TypeModel TypeTable::read(QualType type, int depth) {
  TypeModel model;
  model.name = text_.of(type);
  if (type->isVoidType()) {
    model.kind = TypeKind::kVoid;
    model.is_copyable = model.is_movable = false;
    return model;
  }
  model.is_copyable = is_copy_constructible(sema_, type);
  model.is_movable = is_move_constructible(sema_, type);
  model.is_default_constructible = is_default_constructible(sema_, type);
  if (const auto* enumeration = type->getAs<clang::EnumType>()) {
    read_enumeration(*enumeration->getDecl(), model);
  } else if (type->isArithmeticType()) {
    read_number(type, model);
  } else if (const auto* function = type->getAs<clang::FunctionProtoType>()) {
    read_function(*function, depth, model);
  } else if (type->isFunctionPointerType()) {
    if (const auto* pointee = type->getPointeeType()->getAs<clang::FunctionProtoType>())
      read_function(*pointee, depth, model);
  } else if (type->isPointerType()) {
    const QualType pointee = type->getPointeeType();
    // Only of plain char: bytes are no text.
    const bool is_text =
        pointee.isConstQualified() && sema_.Context.hasSameUnqualifiedType(pointee, sema_.Context.CharTy);
    model.kind = is_text ? TypeKind::kStringView : TypeKind::kPointer;
    add_elements(pointee, depth, model);
  } else if (const clang::CXXRecordDecl* record = class_of(type)) {
    if (record->getCanonicalDecl() == subject_.getCanonicalDecl())
      model.kind = TypeKind::kSubject;
    else if (!read_standard_class(type, depth, model) && !record->isUnion())
      read_class(*record, type, depth, model);
  }
  return model;
}

void TypeTable::read_number(QualType type, TypeModel& model) const {
  model.bits = static_cast<uint32_t>(sema_.Context.getTypeSize(type));
  model.is_signed = type->isSignedIntegerOrEnumerationType() || type->isFloatingType();
  const bool is_byte = type->isSpecificBuiltinType(clang::BuiltinType::SChar) ||
                       type->isSpecificBuiltinType(clang::BuiltinType::UChar);
  if (type->isBooleanType())
    model.kind = TypeKind::kBool;
  else if (type->isFloatingType())
    model.kind = TypeKind::kFloating;
  else if (type->isAnyCharacterType() && !is_byte)
    model.kind = TypeKind::kCharacter;
  else
    model.kind = TypeKind::kInteger;
}

void TypeTable::read_enumeration(const clang::EnumDecl& enumeration, TypeModel& model) const {
  model.kind = TypeKind::kEnum;
  model.bits = static_cast<uint32_t>(sema_.Context.getTypeSize(enumeration.getIntegerType()));
  model.is_signed = enumeration.getIntegerType()->isSignedIntegerType();
  for (const clang::EnumConstantDecl* enumerator : enumeration.enumerators())
    model.enumerators.push_back(text_.name(*enumerator));
}

void TypeTable::read_function(const clang::FunctionProtoType& function, int depth, TypeModel& model) {
  model.kind = TypeKind::kFunction;
  add_elements(function.getReturnType(), depth, model);
  add_elements(function.param_types(), depth, model);
}

bool TypeTable::read_standard_class(QualType type, int depth, TypeModel& model) {
  if (standard_name(type) == "any") {
    model.kind = TypeKind::kValueHolder;
    add_elements(QualType(sema_.Context.IntTy), depth, model);
    return true;
  }
  const StandardInstance instance = standard_instance(type);
  if (instance.kind == TypeKind::kOther) return false;
  model.kind = instance.kind;
  if (model.kind != TypeKind::kFunction) {
    add_elements(instance.elements, depth, model);
  } else if (const auto* function = instance.elements[0]->getAs<clang::FunctionProtoType>()) {
    read_function(*function, depth, model);
  }
  return true;
}

void TypeTable::read_class(const clang::CXXRecordDecl& record, QualType type, int depth, TypeModel& model) {
  model.kind = TypeKind::kClass;
  if (!is_complete(sema_, type) || depth >= kMostDepth) return;
  const clang::CXXRecordDecl& definition = *record.getDefinition();
  model.is_abstract = definition.isAbstract();
  if (model.is_abstract) read_pure_virtuals(definition, depth, model);
  for (ReadCallable& constructor : read_constructors(sema_, definition, callables_, text_)) {
    if (!constructor.obstacle.empty() || (is_standard(record) && !is_for_users(constructor.callable)))
      continue;
    add(constructor, depth + 1);
    if (constructor.is_of_fields) model.fields = constructor.callable.parameters;
    model.constructors.push_back(std::move(constructor.callable));
  }
}

void TypeTable::read_pure_virtuals(const clang::CXXRecordDecl& record, int depth, TypeModel& model) {
  for (const clang::CXXMethodDecl* method : pure_virtuals(record)) {
    const ReadCallable read = callables_.read(*method, CallableKind::kMethod);
    add(read, depth + 1);
    model.pure_virtuals.push_back(read.callable);
  }
}

}  // namespace heddle::generate
