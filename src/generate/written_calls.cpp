#include "generate/written_calls.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "generate/type_lookup.h"
#include "generate/type_names.h"

namespace heddle::generate {
namespace {

// What a copy is asked, to see whether all of it came along.
constexpr size_t kMostAskedOfACopy = 3;

uint32_t add_method(ClassModel& model, const std::string& name, const std::string& result, bool is_const) {
  Callable method;
  method.name = name;
  method.owner = model.name;
  method.result = result;
  method.is_const = is_const;
  model.methods.push_back(std::move(method));
  return static_cast<uint32_t>(model.methods.size() - 1);
}

// A comma would end an argument of a macro, or be an operator.
std::string as_one_expression(const std::string& text) {
  return split_list(text).size() > 1 ? "(" + text + ")" : text;
}

bool has_lock_or_atomic(const ClassModel& model) {
  const TypeLookup types(model);
  return std::any_of(model.fields.begin(), model.fields.end(), [&](const Field& field) {
    const std::string type = take_apart(field.type).value;
    const std::string name = simple_name(type);
    return name.ends_with("mutex") || name.starts_with("atomic") || name == "condition_variable" ||
           (types.find(type).kind == TypeKind::kClass && !types.find(type).is_copyable);
  });
}

bool is_easily_asked(const Callable& method, const TypeLookup& types) {
  if (!method.is_const || method.is_static || method.is_template || !method.parameters.empty()) return false;
  if (!is_identifier(method.name)) return false;
  switch (types.find(take_apart(method.result).value).kind) {
    case TypeKind::kBool:
    case TypeKind::kInteger:
    case TypeKind::kString:
    case TypeKind::kContainer:
    case TypeKind::kEnum:
      return true;
    default:
      return false;
  }
}

WrittenCall copying(ClassModel& model) {
  const TypeLookup types(model);
  std::vector<std::string> questions;
  for (const Callable& method : model.methods) {
    if (questions.size() < kMostAskedOfACopy && is_easily_asked(method, types))
      questions.push_back(fmt::format("copy.{}()", method.name));
  }
  const std::string spelled = model.spelled.empty() ? model.name : model.spelled;
  const std::string copy = fmt::format("[&] {{ {} copy(object);", spelled);
  std::string code = copy + " }()";
  if (questions.size() == 1) code = fmt::format("{} return {}; }}()", copy, questions[0]);
  if (questions.size() > 1)
    code = fmt::format("{} return std::tuple({}); }}()", copy, fmt::join(questions, ", "));
  const uint32_t method = add_method(model, "copy", questions.empty() ? "void" : "auto", /*is_const=*/true);
  return {method, std::move(code), fmt::format("{}(object)", simple_name(spelled))};
}

}  // namespace

std::vector<WrittenCall> add_user_observers(ClassModel& model, const UserPools& pools) {
  std::vector<WrittenCall> calls;
  const auto add = [&](const std::vector<std::string>& lines, const std::string& name) {
    for (const std::string& line : lines) {
      const uint32_t method = add_method(model, name, "auto", /*is_const=*/true);
      calls.push_back({method, as_one_expression(line), line});
    }
  };
  add(pools.observe, "observed");
  add(pools.invariant, "invariant");
  return calls;
}

std::vector<WrittenCall> add_whole_object_calls(ClassModel& model) {
  const auto has_method = [&](std::string_view name) {
    return std::any_of(model.methods.begin(), model.methods.end(),
                       [&](const Callable& method) { return method.name == name; });
  };
  std::vector<WrittenCall> calls;
  const bool can_compare = model.has_equality && !has_method("operator==");
  if (model.is_copyable && has_lock_or_atomic(model)) {
    calls.push_back(copying(model));
    if (!has_method("operator="))
      calls.push_back(
          {add_method(model, "operator=", "void", /*is_const=*/false), "object = other", "object = other"});
  }
  if (can_compare)
    calls.push_back(
        {add_method(model, "operator==", "bool", /*is_const=*/true), "object == other", "object == other"});
  return calls;
}

}  // namespace heddle::generate
