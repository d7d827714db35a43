#include "generate/handles.h"

#include <algorithm>

#include "generate/type_names.h"

namespace heddle::generate {
namespace {

constexpr int kDeepestHandle = 4;

bool is_handle(const ClassModel& model, const std::string& type, int depth) {
  const TypeUse use = take_apart(type);
  if (depth > kDeepestHandle || use.is_lvalue_reference || use.is_rvalue_reference ||
      use.value.ends_with('*'))
    return false;
  // A lock that is held on makes every other call wait.
  if (use.value.starts_with("std::unique_lock<") || use.value.starts_with("std::shared_lock<")) return false;
  const auto found = model.types.find(use.value);
  if (found == model.types.end()) return false;
  const TypeModel& known = found->second;
  const auto any = [&](const auto& parts, const auto& name) {
    return std::any_of(parts.begin(), parts.end(),
                       [&](const auto& part) { return is_handle(model, name(part), depth + 1); });
  };
  switch (known.kind) {
    case TypeKind::kSmartPointer:
      return true;
    case TypeKind::kContainer:
    case TypeKind::kValueHolder:
      return any(known.elements, [](const std::string& element) { return element; });
    case TypeKind::kClass:
      if (known.fields.empty()) return true;
      return any(known.fields, [](const Parameter& field) { return field.type; });
    default:
      return false;
  }
}

}  // namespace

bool is_handle(const ClassModel& model, const std::string& type) {
  return is_handle(model, type, 0);
}

}  // namespace heddle::generate
