#include "generate/call_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "generate/type_names.h"
#include "support/replace_text.h"

namespace heddle::generate {
namespace {

// Longer types hide the call behind them.
constexpr size_t kLongestResultType = 24;
constexpr std::string_view kOperator = "operator";

bool is_operator(const std::string& name) {
  return name.starts_with(kOperator) && name.size() > kOperator.size() &&
         std::isalnum(static_cast<unsigned char>(name[kOperator.size()])) == 0 &&
         name[kOperator.size()] != '_';
}

std::string spelled_class(const ClassModel& model) {
  return model.spelled.empty() ? model.name : model.spelled;
}

std::string operator_text(const Callable& method, const std::string& receiver,
                          const std::vector<std::string>& arguments) {
  const std::string symbol = method.name.substr(kOperator.size());
  if (symbol.starts_with(" ")) return fmt::format("static_cast<{}>({})", symbol.substr(1), receiver);
  if (symbol == "()") return fmt::format("{}({})", receiver, fmt::join(arguments, ", "));
  if (symbol == "[]") return fmt::format("{}[{}]", receiver, fmt::join(arguments, ", "));
  if (symbol == "->") return receiver + ".operator->()";
  if (is_postfix(method)) return receiver + symbol;
  if (arguments.empty()) return symbol + receiver;
  return fmt::format("{} {} {}", receiver, symbol, arguments[0]);
}

std::string expression(const ClassModel& model, const Callable& method, const std::string& receiver,
                       const std::vector<std::string>& arguments) {
  if (is_operator(method.name) && !method.is_static) return operator_text(method, receiver, arguments);
  const std::string before = method.is_static ? spelled_class(model) + "::" : receiver + ".";
  return fmt::format("{}{}({})", before, method.name, fmt::join(arguments, ", "));
}

std::string result_type(const Callable& method) {
  const TypeUse use = take_apart(method.result);
  const bool is_short = use.value.size() <= kLongestResultType;
  return use.is_lvalue_reference || !is_short || mentions(use.value, "auto") ? "auto" : use.value;
}

// The constructor that a constant method has beside one that is not constant.
bool has_changing_twin(const ClassModel& model, const Callable& method) {
  const auto types = [](const Callable& of) {
    std::vector<std::string> list;
    for (const Parameter& parameter : of.parameters) list.push_back(normal_type(parameter.type));
    return list;
  };
  return method.is_const && std::any_of(model.methods.begin(), model.methods.end(), [&](const Callable& one) {
           return !one.is_const && !one.is_static && one.name == method.name && types(one) == types(method);
         });
}

// "[&] { int out{}; bool result = object.try_pop(out); return std::pair(result, out); }()"
std::string with_variables(const std::string& call, const std::string& type,
                           const std::vector<std::string>& declarations,
                           const std::vector<std::string>& outs) {
  const bool is_void = type == "void";
  std::string text = fmt::format("[&] {{ {} ", fmt::join(declarations, " "));
  text += is_void ? call + "; " : fmt::format("{} result = {}; ", type, call);
  if (is_void && outs.size() == 1) return fmt::format("{}return {}; }}()", text, outs[0]);
  const size_t values = outs.size() + (is_void ? 0 : 1);
  return fmt::format("{}return {}({}{}); }}()", text, values == 2 ? "std::pair" : "std::tuple",
                     is_void ? "" : "result, ", fmt::join(outs, ", "));
}

}  // namespace

bool is_postfix(const Callable& method) {
  return (method.name == "operator++" || method.name == "operator--") && method.parameters.size() == 1;
}

CallText call_text(const ClassModel& model, const Callable& method, const std::string& receiver,
                   const std::vector<Argument>& arguments) {
  CallText made;
  std::vector<std::string> texts;
  std::vector<std::string> told;  // the same in a label
  std::vector<std::string> declarations;
  std::vector<std::string> outs;
  const auto count = std::count_if(arguments.begin(), arguments.end(),
                                   [](const Argument& one) { return !one.out_declaration.empty(); });
  bool moves_out = false;
  for (const Argument& argument : arguments) {
    made.includes.insert(argument.includes.begin(), argument.includes.end());
    std::string text = argument.text;
    std::string initial;
    if (!argument.out_declaration.empty()) {
      const std::string name = count == 1 ? "out" : fmt::format("out_{}", declarations.size() + 1);
      const std::string mark(1, kOutName);
      text = replaced(text, mark, name);
      declarations.push_back(replaced(argument.out_declaration, mark, name));
      if (!argument.out_initial.empty()) initial = " = " + argument.out_initial;
      moves_out |= argument.out_is_move_only;
      outs.push_back(argument.out_is_move_only ? fmt::format("std::move({})", name) : name);
    }
    // `other` in place of `object`, also where that is an argument.
    texts.push_back(receiver == "other" ? swap_names(text, "object", "other") : std::move(text));
    told.push_back(texts.back() + initial);
  }
  const bool asks_as_const = has_changing_twin(model, method);
  const std::string on = asks_as_const ? fmt::format("std::as_const({})", receiver) : receiver;
  made.code = expression(model, method, on, texts);
  made.label = expression(model, method, on, told);
  if (made.label.starts_with("object.") && !is_operator(method.name))
    made.label.erase(0, std::string_view("object.").size());
  if (asks_as_const || moves_out) made.includes.insert("<utility>");
  if (declarations.empty()) return made;
  if (moves_out && declarations.size() == 1 && take_apart(method.result).value == "void") outs = {"out"};
  const std::string type = method.result == "void" ? "void" : result_type(method);
  made.code = with_variables(made.code, type, declarations, outs);
  made.includes.insert("<tuple>");
  made.includes.insert("<utility>");
  return made;
}

CallText construction_text(const ClassModel& model, const Callable& constructor,
                           const std::vector<Argument>& arguments) {
  CallText made;
  std::vector<std::string> texts;
  for (const Argument& argument : arguments) {
    made.includes.insert(argument.includes.begin(), argument.includes.end());
    texts.push_back(argument.text);
  }
  const std::string list = fmt::format("({})", fmt::join(texts, ", "));
  if (constructor.kind == CallableKind::kFactory) {
    made.code = fmt::format(" = {}{}", constructor.name, list);
    made.label = constructor.name + list;
    return made;
  }
  made.code = texts.empty() ? "{}" : list;
  const std::string spelled = spelled_class(model);
  // Its name without the scope, but with its arguments.
  const size_t scope = spelled.substr(0, spelled.find('<')).rfind("::");
  made.label = (scope == std::string::npos ? spelled : spelled.substr(scope + 2)) + list;
  return made;
}

}  // namespace heddle::generate
