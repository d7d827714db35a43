#include "select/initial_values.h"

#include <algorithm>

#include "program/plain_names.h"
#include "select/access_paths.h"

namespace heddle::select {

using program::FunctionIndex;
using program::Op;
using program::OpKind;

InitialValues::InitialValues(const program::Program& head, const StatementMap& change) : head_(head) {
  for (const DeclarationChange& declared : change.declarations())
    if (declared.before && declared.after && declared.before->type == declared.after->type &&
        !declared.is_only_renamed)
      begin_anew_.push_back(declared.after->name);
  if (begin_anew_.empty()) return;
  for (FunctionIndex f = 0; f < head.size(); ++f) find_users(f);
}

// Addresses of variables are computed once for the whole function: who has one as an operand uses it.
void InitialValues::find_users(FunctionIndex f) {
  std::map<program::ValueId, std::string> addresses;
  for (const program::Block& block : head_.function(f).blocks) {
    for (const Op& op : block.ops) {
      if (std::string name = address_by(head_.unit_of(f), op); !name.empty())
        addresses[op.result] = std::move(name);
      if (op.node == kNone || addresses.empty()) continue;
      for (const program::ValueId operand : op.operands)
        if (const auto used = addresses.find(operand); used != addresses.end())
          users_.emplace(program::NodeId{f, op.node}, used->second);
    }
  }
}

std::string InitialValues::address_by(const program::Unit& unit, const Op& op) const {
  std::string name;
  if (op.kind == OpKind::kSymbol && !unit.symbols[op.symbol].is_function) name = unit.symbols[op.symbol].name;
  if (op.kind == OpKind::kOffset) name = field_name(head_, unit, op.type, op.offset);
  if (name.empty()) return "";
  name = program::without_template_arguments(name);
  const bool begins_anew = std::any_of(begin_anew_.begin(), begin_anew_.end(), [&](const std::string& one) {
    return one == name || one.ends_with("::" + name) || name.ends_with("::" + one);
  });
  return begins_anew ? name : "";
}

}  // namespace heddle::select
