#include "generate/type_lookup.h"

#include <set>
#include <utility>

#include "generate/type_names.h"

namespace heddle::generate {
namespace {

struct NumberType {
  TypeKind kind;
  uint32_t bits;
  bool is_signed;
};

const std::map<std::string, NumberType>& number_types() {
  static const std::map<std::string, NumberType> kTypes = {
      {"bool", {TypeKind::kBool, 8, false}},
      {"char", {TypeKind::kCharacter, 8, true}},
      {"wchar_t", {TypeKind::kCharacter, 32, true}},
      {"char8_t", {TypeKind::kCharacter, 8, false}},
      {"char16_t", {TypeKind::kCharacter, 16, false}},
      {"char32_t", {TypeKind::kCharacter, 32, false}},
      {"signed char", {TypeKind::kInteger, 8, true}},
      {"unsigned char", {TypeKind::kInteger, 8, false}},
      {"short", {TypeKind::kInteger, 16, true}},
      {"unsigned short", {TypeKind::kInteger, 16, false}},
      {"int", {TypeKind::kInteger, 32, true}},
      {"unsigned int", {TypeKind::kInteger, 32, false}},
      {"unsigned", {TypeKind::kInteger, 32, false}},
      {"long", {TypeKind::kInteger, 64, true}},
      {"unsigned long", {TypeKind::kInteger, 64, false}},
      {"long long", {TypeKind::kInteger, 64, true}},
      {"unsigned long long", {TypeKind::kInteger, 64, false}},
      {"std::size_t", {TypeKind::kInteger, 64, false}},
      {"size_t", {TypeKind::kInteger, 64, false}},
      {"std::int64_t", {TypeKind::kInteger, 64, true}},
      {"std::uint64_t", {TypeKind::kInteger, 64, false}},
      {"std::int32_t", {TypeKind::kInteger, 32, true}},
      {"std::uint32_t", {TypeKind::kInteger, 32, false}},
      {"std::byte", {TypeKind::kEnum, 8, false}},
      {"float", {TypeKind::kFloating, 32, true}},
      {"double", {TypeKind::kFloating, 64, true}},
      {"long double", {TypeKind::kFloating, 128, true}},
  };
  return kTypes;
}

TypeKind standard_kind(const std::string& name) {
  static const std::map<std::string, TypeKind> kKinds = [] {
    std::map<std::string, TypeKind> kinds = {
        {"void", TypeKind::kVoid},
        {"auto", TypeKind::kTemplateParameter},
        {"const char*", TypeKind::kStringView},
        {"std::string", TypeKind::kString},
        {"std::wstring", TypeKind::kString},
        {"std::string_view", TypeKind::kStringView},
        {"std::wstring_view", TypeKind::kStringView},
        {"std::unique_ptr", TypeKind::kSmartPointer},
        {"std::shared_ptr", TypeKind::kSmartPointer},
        {"std::function", TypeKind::kFunction},
    };
    for (const char* container :
         {"vector", "deque", "list", "forward_list", "set", "multiset", "unordered_set", "unordered_multiset",
          "map", "multimap", "unordered_map", "unordered_multimap", "array", "queue", "stack",
          "priority_queue", "initializer_list", "span"})
      kinds.emplace(std::string("std::") + container, TypeKind::kContainer);
    for (const char* holder : {"optional", "pair", "tuple", "variant", "atomic", "chrono::duration",
                               "chrono::time_point", "chrono::milliseconds", "chrono::seconds"})
      kinds.emplace(std::string("std::") + holder, TypeKind::kValueHolder);
    return kinds;
  }();
  const auto found = kKinds.find(name);
  return found == kKinds.end() ? TypeKind::kOther : found->second;
}

// std::function<int(const ns::Key&)> → int, const ns::Key&.
std::vector<std::string> function_types(const std::string& signature) {
  const size_t open = signature.find('(');
  if (open == std::string::npos || !signature.ends_with(')')) return {};
  std::vector<std::string> types = {signature.substr(0, open)};
  for (std::string& type :
       split_list(std::string_view(signature).substr(open + 1, signature.size() - open - 2)))
    types.push_back(std::move(type));
  return types;
}

TypeModel told_from_name(const std::string& name) {
  TypeModel type;
  type.name = name;
  const auto number = number_types().find(name);
  if (number != number_types().end()) {
    type.kind = number->second.kind;
    type.bits = number->second.bits;
    type.is_signed = number->second.is_signed;
    type.is_default_constructible = true;
    return type;
  }
  type.kind = standard_kind(name);
  if (type.kind == TypeKind::kOther) type.kind = standard_kind(template_name(name));
  if (type.kind == TypeKind::kOther && name.ends_with("*")) {
    type.kind = TypeKind::kPointer;
    type.elements = {pointee_of(name)};
  }
  if (type.kind == TypeKind::kOther) return type;
  if (type.elements.empty()) type.elements = template_arguments(name);
  if (type.kind == TypeKind::kFunction && type.elements.size() == 1)
    type.elements = function_types(type.elements.front());
  type.is_default_constructible = true;
  type.is_copyable = template_name(name) != "std::unique_ptr" && template_name(name) != "std::atomic";
  type.is_movable = template_name(name) != "std::atomic";
  return type;
}

}  // namespace

TypeLookup::TypeLookup(const ClassModel& model) {
  for (const auto& [name, type] : model.types) types_.emplace(take_apart(name).value, type);
  TypeModel& subject = types_[take_apart(model.name).value];
  subject.name = model.name;
  subject.kind = TypeKind::kSubject;
  subject.is_copyable = model.is_copyable;
}

const TypeModel& TypeLookup::find(const std::string& type) const {
  const std::string name = take_apart(type).value;
  const auto found = types_.find(name);
  if (found != types_.end()) return found->second;
  return types_.emplace(name, told_from_name(name)).first->second;
}

}  // namespace heddle::generate
