#include "symbolize/variable_part.h"

#include <string_view>

#include <fmt/format.h>
#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/DebugInfo/DWARF/DWARFDie.h>
#include <llvm/DebugInfo/DWARF/DWARFUnit.h>
#include <llvm/Object/ObjectFile.h>

namespace heddle {
namespace {

using llvm::DWARFDie;
namespace dwarf = llvm::dwarf;

// Types nest a few levels deep; more is damaged debug information.
constexpr int kMaxDepth = 32;

uint64_t number(const DWARFDie& die, dwarf::Attribute attribute) {
  return dwarf::toUnsigned(die.find(attribute), 0);
}

// The type of a variable or member without typedefs and qualifiers.
DWARFDie underlying_type(const DWARFDie& die) {
  DWARFDie type = die.getAttributeValueAsReferencedDie(dwarf::DW_AT_type).resolveTypeUnitReference();
  for (int i = 0; i < kMaxDepth && type; ++i) {
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

bool is_standard_library_type(const DWARFDie& type) {
  for (DWARFDie scope = type.getParent(); scope; scope = scope.getParent()) {
    const char* name = scope.getTag() == dwarf::DW_TAG_namespace ? scope.getShortName() : nullptr;
    if (name != nullptr && (std::string_view(name) == "std" || std::string_view(name) == "__gnu_cxx"))
      return true;
  }
  const char* name = type.getShortName();
  return name != nullptr && std::string_view(name).starts_with("pthread_");
}

// Goes from `part`, whose type is `type`, to the member or element that holds its byte at part.offset.
// Returns that one's type, or nothing if there is none.
DWARFDie descend(const DWARFDie& type, VariablePart& part) {
  if (type.getTag() == dwarf::DW_TAG_array_type) {
    DWARFDie element = underlying_type(type);
    uint64_t size = type_size(element);
    if (size == 0) return {};
    part.path += fmt::format("[{}]", part.offset / size);
    part.offset %= size;
    part.size = size;
    return element;
  }
  bool is_class = type.getTag() == dwarf::DW_TAG_structure_type || type.getTag() == dwarf::DW_TAG_class_type;
  if (!is_class || is_standard_library_type(type)) return {};
  for (const DWARFDie& child : type.children()) {
    bool is_base = child.getTag() == dwarf::DW_TAG_inheritance;
    if (!is_base &&
        (child.getTag() != dwarf::DW_TAG_member || !child.find(dwarf::DW_AT_data_member_location))) {
      continue;
    }
    uint64_t begin = number(child, dwarf::DW_AT_data_member_location);
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

struct VariableParts::File {
  llvm::object::OwningBinary<llvm::object::ObjectFile> binary;
  std::unique_ptr<llvm::DWARFContext> dwarf;
};

VariableParts::VariableParts(std::string module_path) : module_path_(std::move(module_path)) {}
VariableParts::~VariableParts() = default;
VariableParts::VariableParts(VariableParts&&) noexcept = default;
VariableParts& VariableParts::operator=(VariableParts&&) noexcept = default;

std::optional<VariablePart> VariableParts::find(uint64_t address, uint64_t offset) {
  if (!file_) {
    file_ = std::make_unique<File>();
    auto binary = llvm::object::ObjectFile::createObjectFile(module_path_);
    if (binary) {
      file_->binary = std::move(*binary);
      // Damaged parts are skipped; a report is no place to complain about them.
      auto ignore = [](llvm::Error error) { llvm::consumeError(std::move(error)); };
      file_->dwarf = llvm::DWARFContext::create(*file_->binary.getBinary(),
                                                llvm::DWARFContext::ProcessDebugRelocations::Process, nullptr,
                                                "", ignore, ignore);
    } else {
      llvm::consumeError(binary.takeError());
    }
  }
  if (!file_->dwarf) return std::nullopt;
  for (const auto& unit : file_->dwarf->compile_units()) {
    DWARFDie variable = unit->getVariableForAddress(address - offset);
    if (!variable) continue;
    // A definition outside its class or namespace names its type in the declaration.
    if (!variable.find(dwarf::DW_AT_type)) {
      variable = variable.getAttributeValueAsReferencedDie(dwarf::DW_AT_specification);
    }
    VariablePart part{"", offset, 0};
    DWARFDie type = variable ? underlying_type(variable) : DWARFDie();
    for (int depth = 0; type && depth < kMaxDepth; ++depth) type = descend(type, part);
    return part;
  }
  return std::nullopt;
}

}  // namespace heddle
