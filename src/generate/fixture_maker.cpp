#include "generate/fixture_maker.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "generate/type_names.h"

namespace heddle::generate {
namespace {

// "int priority() const override { return 1; }"
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
  return fmt::format("  {} {}({}){}{} override {{{}}}\n", function.result, function.name,
                     fmt::join(types, ", "), function.is_const ? " const" : "",
                     function.is_noexcept ? " noexcept" : "", body);
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

bool FixtureMaker::is_taken(const std::string& name) const {
  return std::any_of(fixtures_.begin(), fixtures_.end(),
                     [&](const Fixture& one) { return one.name == name; }) ||
         std::any_of(implementations_.begin(), implementations_.end(),
                     [&](const auto& one) { return one.second.name == name; });
}

std::string FixtureMaker::free_name(const std::string& base, size_t number) const {
  while (is_taken(fmt::format("{}_{}", base, number))) ++number;
  return fmt::format("{}_{}", base, number);
}

Argument FixtureMaker::object(const std::string& base_name, const std::string& type, size_t number,
                              const Argument& initializer) {
  const std::string key = fmt::format("{} {}_{}{}", type, base_name, number, initializer.text);
  const auto known = objects_.find(key);
  if (known != objects_.end()) return known->second;
  Argument object;
  object.text = free_name(base_name, number);
  object.depend_on(initializer);
  const auto index = static_cast<uint32_t>(fixtures_.size());
  object.fixtures.insert(index);
  fixtures_.push_back({.name = object.text,
                       .declaration = fmt::format("{} {}{};", type, object.text, initializer.text),
                       .definition = ""});
  objects_.emplace(key, object);
  return object;
}

FixtureMaker::Implementation* FixtureMaker::find_implementation(const std::string& name) {
  for (auto& [type, implementation] : implementations_)
    if (implementation.name == name) return &implementation;
  return nullptr;
}

std::string FixtureMaker::implementation(const TypeModel& type, const ValuesOf& values_of) {
  const std::string base = take_apart(type.name).value;
  const auto known = implementations_.find(base);
  if (known != implementations_.end()) return known->second.name;
  implementations_.emplace(base, Implementation{});  // for those who need it for itself
  std::string body;
  if (needs_arguments(type)) body += fmt::format("  using {}::{};\n", base, simple_name(base));
  for (const Callable& function : type.pure_virtuals) {
    const std::optional<std::string> text = implemented_function(function, values_of);
    if (!text) return "";
    body += *text;
  }
  std::string name = "Quiet" + simple_name(base);
  if (is_taken(name)) name = free_name(name, 2);
  implementations_[base] = {
      .name = name, .definition = fmt::format("struct {} : {} {{\n{}}};", name, base, body), .fixture = {}};
  return name;
}

// The definition stands in front of the first object that needs it.
void FixtureMaker::depend_on_definition(const std::string& name, Argument* argument) {
  Implementation& implementation = *find_implementation(name);
  if (!implementation.fixture) {
    implementation.fixture = *argument->fixtures.rbegin();
    fixtures_[*implementation.fixture].definition = implementation.definition;
  }
  argument->fixtures.insert(*implementation.fixture);
}

}  // namespace heddle::generate
