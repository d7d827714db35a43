#include "generate/callback_values.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "generate/type_names.h"

namespace heddle::generate {
namespace {

constexpr size_t kMostResults = 2;
// Longer lists of parameters hide what the lambda does.
constexpr size_t kLongestParameters = 70;

bool is_number(const TypeModel& type) {
  return type.kind == TypeKind::kInteger || type.kind == TypeKind::kFloating;
}

// One callback type, whose lambdas are written.
class Lambdas {
 public:
  Lambdas(const TypeModel& type, const TypeLookup& types) : types_(types) {
    result_ = type.elements.empty() ? "void" : normal_type(type.elements.front());
    if (!type.elements.empty()) parameters_.assign(type.elements.begin() + 1, type.elements.end());
    if (!parameters_.empty()) first_ = take_apart(parameters_[0]).value;
    is_shown_something_ = std::any_of(parameters_.begin(), parameters_.end(),
                                      [&](const std::string& parameter) { return shows_value(parameter); });
    for (std::string& parameter : parameters_) parameter = as_parameter(normal_type(parameter), type.kind);
    // Of what a template passes on it cannot be seen whether it may be changed; most often it is to be.
    if (type.kind == TypeKind::kCallable && is_void() && takes_number()) parameters_[0] = "auto&";
  }

  bool is_void() const { return result_ == "void" || is_unknown(); }
  // What a template does with the result cannot be seen: nothing, most often.
  bool is_unknown() const { return result_ == "auto"; }
  bool is_predicate() const { return types_.find(result_).kind == TypeKind::kBool; }
  const std::string& result() const { return result_; }

  // The first parameter can be counted up in place.
  bool changes_number() const {
    return !parameters_.empty() && take_apart(parameters_[0]).is_changed() && is_number(first());
  }
  // Gives back what it takes.
  bool maps_to_itself() const { return !parameters_.empty() && first_ == take_apart(result_).value; }
  const TypeModel& first() const { return types_.find(first_); }
  bool takes_number() const { return !parameters_.empty() && is_number(first()); }

  // Something that may be the class's own: a function would look at it, and that is where it may be gone.
  bool is_shown_something() const { return is_shown_something_; }
  Argument looking() const {
    std::vector<std::string> names;
    std::vector<std::string> list = parameters_;
    for (size_t i = 0; i < list.size(); ++i) {
      names.push_back(list.size() == 1 ? "value" : fmt::format("value_{}", i + 1));
      list[i] += " " + names.back();
    }
    std::string text =
        fmt::format("[]({}) {{ heddle::look_at({}); }}", fmt::join(list, ", "), fmt::join(names, ", "));
    if (text.size() > 2 * kLongestParameters) text = "[](auto&&... values) { heddle::look_at(values...); }";
    return plain_argument(std::move(text));
  }

  Argument write(const std::string& body, bool names_first, const std::string& arrow = "") const {
    std::string head = "[]" + parameters(names_first);
    if (!arrow.empty()) head += (parameters_.empty() ? "() -> " : " -> ") + arrow;
    return plain_argument(body.empty() ? head + " {}" : fmt::format("{} {{ {} }}", head, body));
  }

  // The lambda has to have a result type if what it returns does not tell it.
  Argument returning(const Argument& value) const {
    const bool tells = is_predicate() || result_ == "int" || value.exact_text() == value.text;
    const std::string arrow = tells && !take_apart(result_).is_lvalue_reference ? "" : result_;
    Argument lambda = write(fmt::format("return {};", value.text), false, arrow);
    lambda.includes = value.includes;
    return lambda;
  }

 private:
  // What a template calls takes its arguments as they come; numbers may be meant to be changed.
  static std::string as_parameter(const std::string& type, TypeKind kind) {
    return kind == TypeKind::kCallable && !take_apart(type).is_lvalue_reference ? "auto&&" : type;
  }

  // By reference, and text_of() knows it without asking its class.
  bool shows_value(const std::string& parameter) const {
    const TypeUse use = take_apart(parameter);
    if (!use.is_lvalue_reference) return false;
    switch (types_.find(use.value).kind) {
      case TypeKind::kBool:
      case TypeKind::kCharacter:
      case TypeKind::kInteger:
      case TypeKind::kFloating:
      case TypeKind::kEnum:
      case TypeKind::kString:
        return true;
      default:
        return false;
    }
  }

  std::string parameters(bool names_first) const {
    if (parameters_.empty()) return "";
    std::vector<std::string> list = parameters_;
    if (names_first) list[0] += " value";
    std::string text = fmt::format("({})", fmt::join(list, ", "));
    if (text.size() <= kLongestParameters) return text;
    return names_first ? "(auto&& value, auto&&...)" : "(auto&&...)";
  }

  const TypeLookup& types_;
  std::string result_;
  std::string first_;  // type of the first parameter
  std::vector<std::string> parameters_;
  bool is_shown_something_ = false;
};

Arguments working_lambdas(const Lambdas& lambdas, const ValuesOf& values_of) {
  Arguments values;
  if (lambdas.is_void()) {
    if (lambdas.changes_number()) values.push_back(lambdas.write("++value;", true));
    values.push_back(lambdas.is_shown_something() ? lambdas.looking() : lambdas.write("", false));
    if (lambdas.is_unknown()) values.push_back(lambdas.write("return 1;", false));
    return values;
  }
  if (lambdas.is_predicate()) {
    if (lambdas.takes_number()) values.push_back(lambdas.write("return value > 1;", true));
    values.push_back(lambdas.write("return true;", false));
    values.push_back(lambdas.write("return false;", false));
    return values;
  }
  if (lambdas.maps_to_itself() && is_number(lambdas.first()))
    values.push_back(
        lambdas.write("return value + 1;", true, lambdas.result() == "int" ? "" : lambdas.result()));
  if (lambdas.maps_to_itself() && lambdas.result() == "std::string")
    values.push_back(lambdas.write("return value + \"a\";", true));
  size_t results = 0;
  for (const Argument& value : values_of(lambdas.result())) {
    // A lambda may outlive what it would have to refer to.
    if (!value.is_plain() || results == kMostResults) continue;
    values.push_back(lambdas.returning(value));
    ++results;
  }
  return values;
}

// What a template makes of the callback's result cannot be seen; most likely it gives that back.
TypeModel with_likely_result(const TypeModel& type, const TypeLookup& types, const ParameterUse& use) {
  if (type.kind != TypeKind::kCallable || type.elements.empty() || type.elements.front() != "auto")
    return type;
  const std::string result = take_apart(use.result).value;
  switch (types.find(result).kind) {
    case TypeKind::kVoid:
    case TypeKind::kBool:
    case TypeKind::kSubject:
    case TypeKind::kTemplateParameter:
    case TypeKind::kOther:
      return type;
    default:
      break;
  }
  TypeModel likely = type;
  likely.elements.front() = result;
  return likely;
}

bool has_any_word(const std::string& name, const std::set<std::string>& words) {
  const std::vector<std::string> parts = words_of(name);
  return std::any_of(parts.begin(), parts.end(),
                     [&](const std::string& part) { return words.contains(part); });
}

bool is_asked(const ParameterUse& use) {
  static const std::set<std::string> kParameters = {"pred", "predicate", "condition", "filter", "matcher"};
  static const std::set<std::string> kCallables = {"if", "when", "until", "any", "all", "none"};
  return has_any_word(use.parameter, kParameters) || has_any_word(use.callable, kCallables);
}

}  // namespace

Arguments callback_values(const TypeModel& type, const TypeLookup& types, const ValuesOf& values_of,
                          const ParameterUse& use) {
  const Lambdas lambdas(with_likely_result(type, types, use), types);
  Arguments values = working_lambdas(lambdas, values_of);
  if (!use.of_constructor) {
    Argument thrower = lambdas.write("throw std::runtime_error(\"callback\");", false,
                                     lambdas.is_void() ? "" : lambdas.result());
    thrower.includes = {"<stdexcept>"};
    values.push_back(std::move(thrower));
  }
  return values;
}

bool is_called(const ParameterUse& use) {
  static const std::set<std::string> kParameters = {
      "action",    "body",     "callable", "callback",  "cb",      "creator",  "consumer",
      "f",         "factory",  "fn",       "fun",       "func",    "function", "functor",
      "handler",   "job",      "listener", "loader",    "mapper",  "modifier", "op",
      "operation", "producer", "task",     "transform", "updater", "visitor",  "work"};
  static const std::set<std::string> kCallables = {"apply", "each",   "execute", "invoke", "modify", "post",
                                                   "run",   "submit", "update",  "visit",  "with"};
  return has_any_word(use.parameter, kParameters) || is_asked(use) ||
         (use.parameter.empty() && has_any_word(use.callable, kCallables));
}

Arguments generic_callbacks(const ParameterUse& use) {
  if (is_asked(use))
    return {plain_argument("[](const auto&...) { return true; }"),
            plain_argument("[](const auto&...) { return false; }")};
  Argument thrower = plain_argument("[](auto&&...) { throw std::runtime_error(\"callback\"); }");
  thrower.includes = {"<stdexcept>"};
  return {plain_argument("[](auto&&...) {}"), plain_argument("[](auto&&...) { return 1; }"),
          std::move(thrower)};
}

}  // namespace heddle::generate
