#include "symbolize/frame_variables.h"

#include <optional>

#include <fmt/format.h>
#include <llvm/DebugInfo/DWARF/DWARFCompileUnit.h>
#include <llvm/DebugInfo/DWARF/DWARFExpression.h>

#include "symbolize/dwarf_file.h"

namespace heddle {
namespace {

using llvm::DWARFDie;
using llvm::DWARFExpression;
namespace dwarf = llvm::dwarf;

// Larger arrays are buffers, whose elements lines do not tell apart.
constexpr uint64_t kMaxElements = 64;
// A frame with more parts is a generated one.
constexpr size_t kMaxParts = 4096;

// The only operation of an expression.
std::optional<DWARFExpression::Operation> single_operation(llvm::ArrayRef<uint8_t> bytes,
                                                           const DWARFDie& die) {
  const llvm::DataExtractor data(llvm::toStringRef(bytes), /*IsLittleEndian=*/true,
                                 die.getDwarfUnit()->getAddressByteSize());
  const DWARFExpression expression(data, die.getDwarfUnit()->getAddressByteSize());
  std::optional<DWARFExpression::Operation> only;
  for (const DWARFExpression::Operation& operation : expression) {
    if (only || operation.isError()) return std::nullopt;
    only = operation;
  }
  return only;
}

class FrameReader {
 public:
  explicit FrameReader(const DWARFDie& function) {
    auto base = function.getLocations(dwarf::DW_AT_frame_base);
    if (!base) {
      llvm::consumeError(base.takeError());
      return;
    }
    if (base->size() != 1) return;
    // Every variable is told relative to the same register or to the frame's end; which, does not matter.
    const auto operation = single_operation(base->front().Expr, function);
    if (!operation) return;
    const uint8_t code = operation->getCode();
    if (code >= dwarf::DW_OP_reg0 && code <= dwarf::DW_OP_reg31) {
      relative_to_register_ = static_cast<uint8_t>(dwarf::DW_OP_breg0 + (code - dwarf::DW_OP_reg0));
    } else if (code != dwarf::DW_OP_call_frame_cfa) {
      return;
    }
    visit_children(function);
  }

  std::vector<FramePart> take() { return std::move(parts_); }

 private:
  void visit_children(const DWARFDie& die) {
    for (const DWARFDie& child : die.children()) {
      switch (child.getTag()) {
        case dwarf::DW_TAG_lexical_block:
        case dwarf::DW_TAG_inlined_subroutine:
          visit_children(child);
          break;
        case dwarf::DW_TAG_variable:
        case dwarf::DW_TAG_formal_parameter:
          add_variable(child);
          break;
        default:
          break;
      }
    }
  }

  void add_variable(const DWARFDie& variable) {
    const std::optional<int64_t> begin = place_of(variable);
    const char* name = variable.getShortName();
    if (!begin || name == nullptr) return;
    DWARFDie typed = variable;
    for (int i = 0; i < kMaxTypeDepth && typed && !typed.find(dwarf::DW_AT_type); ++i) {
      typed = typed.getAttributeValueAsReferencedDie(dwarf::DW_AT_abstract_origin);
    }
    if (typed) add(underlying_type(typed), {.path = name, .word = name, .begin = *begin}, 0);
  }

  // Where the variable lies in memory, if it ever does: at times parts of it can be known otherwise.
  std::optional<int64_t> place_of(const DWARFDie& variable) const {
    auto locations = variable.getLocations(dwarf::DW_AT_location);
    if (!locations) {
      llvm::consumeError(locations.takeError());
      return std::nullopt;
    }
    std::optional<int64_t> place;
    for (const llvm::DWARFLocationExpression& location : *locations) {
      const auto operation = single_operation(location.Expr, variable);
      if (!operation) continue;
      const uint8_t code = operation->getCode();
      if (code != dwarf::DW_OP_fbreg && code != relative_to_register_) continue;
      const auto begin = static_cast<int64_t>(operation->getRawOperand(0));
      if (place && *place != begin) return std::nullopt;
      place = begin;
    }
    return place;
  }

  // Adds `part`, which is of `type`, or what it consists of. `room` is the size of types that are only
  // declared.
  void add(const DWARFDie& type, FramePart part, int depth, uint64_t room = 0) {
    if (!type || parts_.size() >= kMaxParts || depth > kMaxTypeDepth) return;
    part.size = type.find(dwarf::DW_AT_declaration) ? room : type_size(type);
    if (part.size == 0) return;
    if (const DWARFDie array = array_inside(type)) {
      const DWARFDie element = underlying_type(array);
      const uint64_t size = type_size(element);
      if (size == 0) return;
      for (uint64_t i = 0; i < std::min(part.size / size, kMaxElements); ++i) {
        FramePart each = part;
        each.path += fmt::format("[{}]", i);
        each.begin += static_cast<int64_t>(i * size);
        add(element, std::move(each), depth + 1);
      }
      return;
    }
    if (!is_class(type) || is_standard_library_type(type)) {
      part.is_opaque = is_class(type);
      parts_.push_back(std::move(part));
      return;
    }
    for (const DWARFDie& child : type.children()) {
      const bool is_base = child.getTag() == dwarf::DW_TAG_inheritance;
      if (!is_base &&
          (child.getTag() != dwarf::DW_TAG_member || !child.find(dwarf::DW_AT_data_member_location))) {
        continue;
      }
      FramePart member = part;
      member.begin += static_cast<int64_t>(attribute_number(child, dwarf::DW_AT_data_member_location));
      if (const char* name = child.getShortName(); !is_base && name != nullptr) {
        member.path += fmt::format(".{}", name);
        member.word = name;
      }
      add(underlying_type(child), std::move(member), depth + 1, is_base ? 0 : room_for(type, child));
    }
  }

  std::optional<uint8_t> relative_to_register_;
  std::vector<FramePart> parts_;
};

}  // namespace

const std::vector<FramePart>& FrameVariables::at(uint64_t address) {
  static const std::vector<FramePart> kNone;
  llvm::DWARFContext* context = file_.context();
  llvm::DWARFCompileUnit* unit =
      context == nullptr ? nullptr : context->getCompileUnitForCodeAddress(address);
  if (unit == nullptr) return kNone;
  DWARFDie function = unit->getSubroutineForAddress(address);
  while (function && function.getTag() != dwarf::DW_TAG_subprogram) function = function.getParent();
  if (!function) return kNone;
  auto [entry, is_new] = functions_.try_emplace(function.getOffset());
  if (is_new) entry->second = FrameReader(function).take();
  return entry->second;
}

}  // namespace heddle
