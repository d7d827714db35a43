#include "symbolize/dwarf_file.h"

#include <algorithm>
#include <string_view>

namespace heddle {

using llvm::DWARFDie;
namespace dwarf = llvm::dwarf;

llvm::DWARFContext* DwarfFile::context() {
  if (is_open_) return context_.get();
  is_open_ = true;
  auto binary = llvm::object::ObjectFile::createObjectFile(path_);
  if (!binary) {
    llvm::consumeError(binary.takeError());
    return nullptr;
  }
  binary_ = std::move(*binary);
  // Damaged parts are skipped; a report is no place to complain about them.
  auto ignore = [](llvm::Error error) { llvm::consumeError(std::move(error)); };
  context_ =
      llvm::DWARFContext::create(*binary_.getBinary(), llvm::DWARFContext::ProcessDebugRelocations::Process,
                                 nullptr, "", ignore, ignore);
  return context_.get();
}

uint64_t attribute_number(const DWARFDie& die, dwarf::Attribute attribute) {
  return dwarf::toUnsigned(die.find(attribute), 0);
}

DWARFDie underlying_type(const DWARFDie& die) {
  DWARFDie type = die.getAttributeValueAsReferencedDie(dwarf::DW_AT_type).resolveTypeUnitReference();
  for (int i = 0; i < kMaxTypeDepth && type; ++i) {
    switch (type.getTag()) {
      case dwarf::DW_TAG_typedef:
      case dwarf::DW_TAG_const_type:
      case dwarf::DW_TAG_volatile_type:
      case dwarf::DW_TAG_atomic_type:
        type = type.getAttributeValueAsReferencedDie(dwarf::DW_AT_type).resolveTypeUnitReference();
        break;
      default:
        return type;
    }
  }
  return type;
}

uint64_t type_size(DWARFDie type) {
  return type ? type.getTypeSize(sizeof(void*)).value_or(0) : 0;
}

bool is_class(const DWARFDie& type) {
  return type.getTag() == dwarf::DW_TAG_structure_type || type.getTag() == dwarf::DW_TAG_class_type;
}

bool is_standard_library_type(const DWARFDie& type) {
  for (DWARFDie scope = type.getParent(); scope; scope = scope.getParent()) {
    const char* name = scope.getTag() == dwarf::DW_TAG_namespace ? scope.getShortName() : nullptr;
    if (name != nullptr && (std::string_view(name) == "std" || std::string_view(name) == "__gnu_cxx"))
      return true;
  }
  const char* name = type.getShortName();
  return name != nullptr && std::string_view(name).starts_with("pthread_");
}

DWARFDie array_inside(const DWARFDie& type) {
  if (!type || type.getTag() == dwarf::DW_TAG_array_type) return type;
  const char* name = type.getShortName();
  if (name == nullptr || !is_class(type) || !is_standard_library_type(type)) return {};
  if (!std::string_view(name).starts_with("array<")) return {};
  for (const DWARFDie& child : type.children()) {
    if (child.getTag() != dwarf::DW_TAG_member) continue;
    const DWARFDie member = underlying_type(child);
    if (member && member.getTag() == dwarf::DW_TAG_array_type) return member;
  }
  return {};
}

uint64_t room_for(const DWARFDie& type, const DWARFDie& member) {
  const uint64_t begin = attribute_number(member, dwarf::DW_AT_data_member_location);
  uint64_t end = attribute_number(type, dwarf::DW_AT_byte_size);
  for (const DWARFDie& other : type.children()) {
    if (other.getTag() != dwarf::DW_TAG_member) continue;
    const uint64_t next = attribute_number(other, dwarf::DW_AT_data_member_location);
    if (next > begin) end = std::min(end, next);
  }
  return end > begin ? end - begin : 0;
}

}  // namespace heddle
