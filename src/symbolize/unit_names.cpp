#include "symbolize/unit_names.h"

#include <algorithm>
#include <string_view>

#include <llvm/DebugInfo/DWARF/DWARFCompileUnit.h>

#include "symbolize/dwarf_file.h"

namespace heddle {
namespace {

using llvm::DWARFDie;
namespace dwarf = llvm::dwarf;

// How deep members of members are followed: "config.limits.most" is common, more is rare.
constexpr int kMaxMemberDepth = 4;

// Names that only the implementation may use: parts of library types, captures of a lambda by gcc.
bool is_reserved(std::string_view name) {
  return name.starts_with("__") || (name.size() > 1 && name[0] == '_' && name[1] >= 'A' && name[1] <= 'Z');
}

bool is_standard_namespace(const DWARFDie& die) {
  const char* name = die.getTag() == dwarf::DW_TAG_namespace ? die.getShortName() : nullptr;
  return name != nullptr && (std::string_view(name) == "std" || std::string_view(name) == "__gnu_cxx");
}

class Reader {
 public:
  std::vector<NamedPart> read(const DWARFDie& unit) {
    visit_children(unit, "");
    return std::move(parts_);
  }

 private:
  void visit_children(const DWARFDie& die, const std::string& scope) {
    for (const DWARFDie& child : die.children()) visit(child, scope);
  }

  void visit(const DWARFDie& die, const std::string& scope) {
    switch (die.getTag()) {
      case dwarf::DW_TAG_namespace:
        if (!is_standard_namespace(die)) visit_children(die, nested(scope, die));
        break;
      case dwarf::DW_TAG_structure_type:
      case dwarf::DW_TAG_class_type:
      case dwarf::DW_TAG_union_type:
        if (uint64_t size = attribute_number(die, dwarf::DW_AT_byte_size); size != 0) {
          add_members(die, {.owner = nested(scope, die), .owner_size = size}, 0);
        }
        visit_children(die, nested(scope, die));
        break;
      case dwarf::DW_TAG_subprogram:
      case dwarf::DW_TAG_lexical_block:
        visit_children(die, scope);
        break;
      case dwarf::DW_TAG_variable:
      case dwarf::DW_TAG_formal_parameter:
        if (is_local(die)) add_part(die, underlying_type(die), {});
        break;
      default:
        break;
    }
  }

  static std::string nested(const std::string& scope, const DWARFDie& die) {
    const char* name = die.getShortName();
    if (name == nullptr) return scope;
    return scope.empty() ? name : scope + "::" + name;
  }

  static bool is_local(const DWARFDie& variable) {
    const dwarf::Tag parent = variable.getParent().getTag();
    return parent == dwarf::DW_TAG_subprogram || parent == dwarf::DW_TAG_lexical_block;
  }

  // The data members of `type`, which lies at `whole.offset` of `whole.owner`.
  void add_members(const DWARFDie& type, const NamedPart& whole, int depth) {
    for (const DWARFDie& child : type.children()) {
      const bool is_base = child.getTag() == dwarf::DW_TAG_inheritance;
      if (!is_base && child.getTag() != dwarf::DW_TAG_member) continue;
      if (child.find(dwarf::DW_AT_external) || child.find(dwarf::DW_AT_bit_size)) continue;
      NamedPart part = whole;
      part.offset += attribute_number(child, dwarf::DW_AT_data_member_location);
      const DWARFDie member = underlying_type(child);
      if (!is_base) add_part(child, member, part, room_for(type, child));
      const bool has_members = is_class(member) || (member && member.getTag() == dwarf::DW_TAG_union_type);
      if (has_members && depth < kMaxMemberDepth && !is_standard_library_type(member)) {
        add_members(member, part, depth + 1);
      }
    }
  }

  // `room` is the size of types that are only declared, as clang leaves many of the library's.
  void add_part(const DWARFDie& die, DWARFDie type, NamedPart part, uint64_t room = 0) {
    const char* name = die.getShortName();
    if (name == nullptr || is_reserved(name) || !type) return;
    // A reference is another name for what it refers to, but a member takes the room of a pointer.
    if (type.getTag() == dwarf::DW_TAG_reference_type && part.owner.empty()) type = underlying_type(type);
    if (!type) return;
    part.name = name;
    part.size = type.find(dwarf::DW_AT_declaration) ? room : type_size(type);
    part.is_opaque = is_class(type) && is_standard_library_type(type);
    if (type.getTag() == dwarf::DW_TAG_array_type) {
      const uint64_t element = type_size(underlying_type(type));
      if (element == 0) return;
      part.count = part.size / element;
      part.size = element;
    }
    if (part.size != 0) parts_.push_back(std::move(part));
  }

  std::vector<NamedPart> parts_;
};

}  // namespace

const std::vector<NamedPart>& UnitNames::at(uint64_t address) {
  static const std::vector<NamedPart> kNone;
  llvm::DWARFContext* context = file_.context();
  llvm::DWARFCompileUnit* unit =
      context == nullptr ? nullptr : context->getCompileUnitForCodeAddress(address);
  if (unit == nullptr) return kNone;
  auto [entry, is_new] = units_.try_emplace(unit->getOffset());
  if (is_new) entry->second = Reader().read(unit->getUnitDIE(/*ExtractUnitDIEOnly=*/false));
  return entry->second;
}

}  // namespace heddle
