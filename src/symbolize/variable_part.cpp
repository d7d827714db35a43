#include "symbolize/variable_part.h"

#include <fmt/format.h>
#include <llvm/DebugInfo/DWARF/DWARFUnit.h>

#include "symbolize/dwarf_file.h"

namespace heddle {
namespace {

using llvm::DWARFDie;
namespace dwarf = llvm::dwarf;

// Goes from `part`, whose type is `type`, to the member or element that holds its byte at part.offset.
// Returns that one's type, or nothing if there is none.
DWARFDie descend(const DWARFDie& type, VariablePart& part) {
  if (const DWARFDie array = array_inside(type)) {
    DWARFDie element = underlying_type(array);
    uint64_t size = type_size(element);
    if (size == 0) return {};
    part.path += fmt::format("[{}]", part.offset / size);
    part.offset %= size;
    part.size = size;
    return element;
  }
  if (!is_class(type) || is_standard_library_type(type)) return {};
  for (const DWARFDie& child : type.children()) {
    bool is_base = child.getTag() == dwarf::DW_TAG_inheritance;
    if (!is_base &&
        (child.getTag() != dwarf::DW_TAG_member || !child.find(dwarf::DW_AT_data_member_location))) {
      continue;
    }
    uint64_t begin = attribute_number(child, dwarf::DW_AT_data_member_location);
    DWARFDie member = underlying_type(child);
    uint64_t size = type_size(member);
    if (part.offset < begin || part.offset - begin >= size) continue;
    const char* name = child.getShortName();
    if (!is_base && name != nullptr) part.path += fmt::format(".{}", name);
    part.offset -= begin;
    part.size = size;
    return member;
  }
  return {};
}

}  // namespace

std::optional<VariablePart> find_variable_part(DwarfFile& file, uint64_t address, uint64_t offset) {
  llvm::DWARFContext* context = file.context();
  if (context == nullptr) return std::nullopt;
  for (const auto& unit : context->compile_units()) {
    DWARFDie variable = unit->getVariableForAddress(address - offset);
    if (!variable) continue;
    // A definition outside its class or namespace names its type in the declaration.
    if (!variable.find(dwarf::DW_AT_type)) {
      variable = variable.getAttributeValueAsReferencedDie(dwarf::DW_AT_specification);
    }
    VariablePart part{"", offset, 0};
    DWARFDie type = variable ? underlying_type(variable) : DWARFDie();
    for (int depth = 0; type && depth < kMaxTypeDepth; ++depth) type = descend(type, part);
    return part;
  }
  return std::nullopt;
}

}  // namespace heddle
