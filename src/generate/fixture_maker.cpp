#include "generate/fixture_maker.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "generate/type_names.h"

namespace heddle::generate {
namespace {

// "int priority() const noexcept override { return 1; }". It is noexcept because what it overrides may be.
std::optional<std::string> implemented_function(const Callable& function, const ValuesOf& values_of) {
  std::vector<std::string> types;
  for (const Parameter& parameter : function.parameters) types.push_back(parameter.type);
  const TypeUse result = take_apart(function.result);
  std::string body;
  if (result.value != "void" || result.is_lvalue_reference) {
    const Arguments values = values_of(function.result);
    const auto value =
        std::find_if(values.begin(), values.end(), [](const Argument& one) { return one.is_plain(); });
    if (value == values.end()) return std::nullopt;
    body = result.is_lvalue_reference
               ? fmt::format(" static {} value{{{}}}; return value; ", result.value, value->text)
               : fmt::format(" return {}; ", value->text);
  }
  return fmt::format("  {} {}({}){} noexcept override {{{}}}\n", function.result, function.name,
                     fmt::join(types, ", "), function.is_const ? " const" : "", body);
}

}  // namespace

bool needs_arguments(const TypeModel& abstract) {
  return !abstract.is_default_constructible && !abstract.constructors.empty() &&
         std::all_of(abstract.constructors.begin(), abstract.constructors.end(),
                     [](const Callable& constructor) {
                       return std::any_of(constructor.parameters.begin(), constructor.parameters.end(),
                                          [](const Parameter& one) { return one.default_value.empty(); });
                     });
}

std::string FixtureMaker::free_name(const std::string& wanted) const {
  const auto is_taken = [&](const std::string& name) {
    return name == "object" || name == "other" ||
           std::any_of(fixtures_.begin(), fixtures_.end(),
                       [&](const Fixture& one) { return one.name == name; });
  };
  std::string name = wanted;
  for (int number = 2; is_taken(name); ++number) name = fmt::format("{}_{}", wanted, number);
  return name;
}

uint32_t FixtureMaker::add(Fixture fixture) {
  fixtures_.push_back(std::move(fixture));
  return static_cast<uint32_t>(fixtures_.size() - 1);
}

Argument FixtureMaker::object(const std::string& type, const std::string& declared_as, size_t number,
                              const Argument& initializer) {
  const std::string base = snake_case(simple_name(type));
  const std::string key = fmt::format("{} {}_{}{}", declared_as, base, number, initializer.text);
  const auto known = objects_.find(key);
  if (known != objects_.end()) return known->second;
  Argument object;
  object.depend_on(initializer);
  object.text = free_name(fmt::format("{}_{}", base, number));
  object.fixtures.insert(
      add({.name = object.text,
           .declaration = fmt::format("{} {}{};", declared_as, object.text, initializer.text),
           .definition = ""}));
  objects_.emplace(key, object);
  return object;
}

Argument FixtureMaker::implementation(const TypeModel& type, const ValuesOf& values_of) {
  const std::string base = take_apart(type.name).value;
  const auto known = classes_.find(base);
  if (known != classes_.end()) return known->second;
  classes_.emplace(base, Argument{});  // for those who need it for itself
  Argument made;
  std::string body;
  if (needs_arguments(type)) body += fmt::format("  using {}::{};\n", base, simple_name(base));
  for (const Callable& function : type.pure_virtuals) {
    const std::optional<std::string> text = implemented_function(function, values_of);
    if (!text) return {};
    body += *text;
  }
  made.text = free_name("Quiet" + simple_name(base));
  made.fixtures.insert(add({.name = made.text,
                            .declaration = "",
                            .definition = fmt::format("struct {} : {} {{\n{}}};", made.text, base, body)}));
  classes_[base] = made;
  return made;
}

}  // namespace heddle::generate
