#include "program/extract_types.h"

#include <llvm/BinaryFormat/Dwarf.h>

namespace heddle::program {
namespace {

bool is_base(const llvm::DIDerivedType* part) {
  return part->getTag() == llvm::dwarf::DW_TAG_inheritance;
}

// Members of an object and its base classes, not what the class only declares.
const llvm::DIDerivedType* as_part(const llvm::DINode* element) {
  const auto* part = llvm::dyn_cast_or_null<llvm::DIDerivedType>(element);
  if (part == nullptr || part->isStaticMember()) return nullptr;
  if (part->getTag() == llvm::dwarf::DW_TAG_member) return part;
  // Where a virtual base stands is known only at run time; the debug information has its place in the table.
  if (is_base(part) && (part->getFlags() & llvm::DINode::FlagVirtual) == 0) return part;
  return nullptr;
}

uint64_t bytes(uint64_t bits) {
  return (bits + 7) / 8;
}

bool is_atomic_name(const std::string& name) {
  return name.starts_with("std::atomic<") || name.starts_with("std::__atomic_base<") ||
         name.starts_with("std::__1::atomic<") || name == "std::atomic_flag" ||
         name.starts_with("std::__atomic_float<");
}

std::string scope_prefix(const llvm::DIScope* scope) {
  if (const auto* space = llvm::dyn_cast_or_null<llvm::DINamespace>(scope)) {
    std::string name = space->getName().empty() ? "(anonymous namespace)" : space->getName().str();
    return scope_prefix(space->getScope()) + name + "::";
  }
  if (const auto* type = llvm::dyn_cast_or_null<llvm::DICompositeType>(scope))
    return qualified_type_name(type) + "::";
  if (const auto* function = llvm::dyn_cast_or_null<llvm::DISubprogram>(scope))
    return scope_prefix(function->getScope()) + function->getName().str() + "::";
  if (const auto* block = llvm::dyn_cast_or_null<llvm::DILexicalBlockBase>(scope))
    return scope_prefix(block->getScope());
  return {};
}

}  // namespace

const llvm::DIType* bare_type(const llvm::DIType* type) {
  while (const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type)) {
    switch (derived->getTag()) {
      case llvm::dwarf::DW_TAG_typedef:
      case llvm::dwarf::DW_TAG_const_type:
      case llvm::dwarf::DW_TAG_volatile_type:
      case llvm::dwarf::DW_TAG_restrict_type:
      case llvm::dwarf::DW_TAG_immutable_type:
      case llvm::dwarf::DW_TAG_template_alias:
        type = derived->getBaseType();
        break;
      default:
        return type;
    }
  }
  return type;
}

const llvm::DIType* pointee_type(const llvm::DIType* type) {
  const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(bare_type(type));
  if (derived == nullptr) return nullptr;
  switch (derived->getTag()) {
    case llvm::dwarf::DW_TAG_pointer_type:
    case llvm::dwarf::DW_TAG_reference_type:
    case llvm::dwarf::DW_TAG_rvalue_reference_type:
      return bare_type(derived->getBaseType());
    case llvm::dwarf::DW_TAG_atomic_type:
      return pointee_type(derived->getBaseType());
    default:
      return nullptr;
  }
}

bool is_class(const llvm::DIType* type) {
  const auto* composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(type);
  if (composite == nullptr) return false;
  switch (composite->getTag()) {
    case llvm::dwarf::DW_TAG_class_type:
    case llvm::dwarf::DW_TAG_structure_type:
    case llvm::dwarf::DW_TAG_union_type:
      return true;
    default:
      return false;
  }
}

const llvm::DIType* part_of_type(const llvm::DIType* type, uint64_t offset) {
  type = bare_type(type);
  const auto* composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(type);
  if (composite == nullptr) return nullptr;
  if (composite->getTag() == llvm::dwarf::DW_TAG_array_type) return bare_type(composite->getBaseType());
  const llvm::DIDerivedType* around = nullptr;
  for (const llvm::DINode* element : composite->getElements()) {
    const llvm::DIDerivedType* part = as_part(element);
    if (part == nullptr) continue;
    const uint64_t begin = part->getOffsetInBits() / 8;
    // An empty base class stands where the first member does, which is the one that is meant.
    if (begin == offset && !is_base(part)) return bare_type(part->getBaseType());
    if (begin <= offset &&
        (offset < begin + bytes(part->getBaseType() ? part->getBaseType()->getSizeInBits() : 0) ||
         begin == offset))
      around = part;
  }
  if (around == nullptr) return nullptr;
  const uint64_t rest = offset - around->getOffsetInBits() / 8;
  const llvm::DIType* inner = bare_type(around->getBaseType());
  return rest == 0 ? inner : part_of_type(inner, rest);
}

const llvm::DIType* leading_pointer(const llvm::DIType* type) {
  for (int depth = 0; depth < 16 && type != nullptr; ++depth) {  // deeper nesting than any real wrapper
    type = bare_type(type);
    if (type == nullptr || pointee_type(type) != nullptr) return type;
    type = part_of_type(type, 0);
  }
  return nullptr;
}

std::string qualified_type_name(const llvm::DIType* type) {
  if (type == nullptr) return {};
  std::string name = type->getName().str();
  if (name.empty()) name = "(unnamed)";
  return scope_prefix(type->getScope()) + name;
}

uint32_t TypeTable::index_of(const llvm::DIType* type) {
  type = bare_type(type);
  while (type != nullptr && type->getTag() == llvm::dwarf::DW_TAG_array_type)
    type = bare_type(llvm::cast<llvm::DICompositeType>(type)->getBaseType());
  if (type == nullptr) return kNone;
  if (auto known = indices_.find(type); known != indices_.end()) return known->second;

  if (type->getTag() == llvm::dwarf::DW_TAG_atomic_type) {
    const auto index = static_cast<uint32_t>(unit_.types.size());
    indices_.emplace(type, index);
    const llvm::DIType* value = llvm::cast<llvm::DIDerivedType>(type)->getBaseType();
    Type& made = unit_.types.emplace_back();
    made.name = "_Atomic " + (value ? value->getName().str() : "void");
    made.size = value ? bytes(value->getSizeInBits()) : 0;
    made.is_atomic = true;
    return index;
  }
  if (!is_class(type)) return kNone;
  const auto index = static_cast<uint32_t>(unit_.types.size());
  indices_.emplace(type, index);
  unit_.types.emplace_back();
  fill(index, llvm::cast<llvm::DICompositeType>(type));
  return index;
}

void TypeTable::fill(uint32_t index, const llvm::DICompositeType* type) {
  Type made;
  made.name = qualified_type_name(type);
  made.size = bytes(type->getSizeInBits());
  made.is_atomic = is_atomic_name(made.name);
  if (!type->getIdentifier().empty()) by_name_.emplace(type->getIdentifier().str(), index);
  by_name_.emplace(made.name, index);
  for (const llvm::DINode* element : type->getElements()) {
    if (const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(element);
        derived && is_base(derived)) {
      const uint32_t base = index_of(derived->getBaseType());
      if (base != kNone) made.bases.push_back(base);
    }
    const llvm::DIDerivedType* part = as_part(element);
    if (part == nullptr) continue;
    Field field;
    if (!is_base(part)) field.name = part->getName().str();
    field.offset = part->getOffsetInBits() / 8;
    field.size = bytes(part->getBaseType() && !part->isBitField() ? part->getBaseType()->getSizeInBits()
                                                                  : part->getSizeInBits());
    field.type = index_of(part->getBaseType());
    made.fields.push_back(std::move(field));
  }
  unit_.types[index] = std::move(made);
}

void TypeTable::remember(const llvm::DICompositeType* type) {
  if (is_class(type) && !type->isForwardDecl()) index_of(type);
}

uint32_t TypeTable::find(const std::string& identifier, const std::string& qualified_name) const {
  if (auto known = by_name_.find(identifier); known != by_name_.end()) return known->second;
  if (auto known = by_name_.find(qualified_name); known != by_name_.end()) return known->second;
  return kNone;
}

}  // namespace heddle::program
