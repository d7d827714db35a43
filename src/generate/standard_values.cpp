#include "generate/standard_values.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "generate/type_names.h"

namespace heddle::generate {
namespace {

constexpr size_t kMostOfAHolder = 3;

// "{1, 2}" behind what stands in front of it.
Argument listed(const std::string& front, const std::vector<Argument>& elements, bool exactly = false) {
  Argument value;
  std::vector<std::string> texts;
  for (const Argument& element : elements) {
    texts.push_back(exactly ? element.exact_text() : element.text);
    value.depend_on(element);
  }
  value.text = fmt::format("{}{{{}}}", front, fmt::join(texts, ", "));
  return value;
}

// What the containers of this type have as elements: of a map, pairs.
Arguments elements_of(const TypeModel& type, const std::string& name, const ValuesOf& values_of) {
  if (type.elements.empty()) return {};
  Arguments first = values_of(type.elements.front());
  if (!template_name(name).ends_with("map") || type.elements.size() < 2) return first;
  const Arguments mapped = values_of(type.elements[1]);
  if (mapped.empty()) return {};
  Arguments pairs;
  for (size_t i = 0; i < first.size(); ++i)
    pairs.push_back(listed("", {first[i], mapped[i % mapped.size()]}));
  return pairs;
}

size_t most_elements(const std::string& name) {
  if (template_name(name) != "std::array") return 3;
  const std::vector<std::string> arguments = template_arguments(name);
  const size_t size = arguments.size() < 2 ? 0 : static_cast<size_t>(std::atoi(arguments[1].c_str()));
  return std::min<size_t>(size, 3);
}

std::string duration_name(const std::string& name) {
  if (template_name(name) != "std::chrono::duration") return mentions(name, "auto") ? "" : name;
  if (mentions(name, "auto")) return "std::chrono::milliseconds";
  static const std::map<std::string, std::string> kUnits = {{"1, 1000000000", "nanoseconds"},
                                                            {"1, 1000000", "microseconds"},
                                                            {"1, 1000", "milliseconds"},
                                                            {"60, 1", "minutes"},
                                                            {"60", "minutes"},
                                                            {"3600, 1", "hours"},
                                                            {"3600", "hours"},
                                                            {"1, 1", "seconds"},
                                                            {"1", "seconds"}};
  const std::vector<std::string> arguments = template_arguments(name);
  if (arguments.size() == 1) return mentions(arguments[0], "double") ? name : "std::chrono::seconds";
  const bool is_whole =
      arguments.size() == 2 && !mentions(arguments[0], "double") && !mentions(arguments[0], "float");
  if (!is_whole) return name;
  const auto unit = kUnits.find(fmt::format("{}", fmt::join(template_arguments(arguments[1]), ", ")));
  return unit == kUnits.end() ? name : "std::chrono::" + unit->second;
}

Arguments durations(const std::string& name) {
  const std::string usual = duration_name(name);
  return {plain_argument(usual + "(1)", "", {"<chrono>"}), plain_argument(usual + "(0)", "", {"<chrono>"})};
}

Arguments time_points(const std::string& name) {
  const char* clock = mentions(name, "system_clock") ? "system_clock" : "steady_clock";
  return {plain_argument(fmt::format("std::chrono::{}::time_point{{}}", clock), "", {"<chrono>"}),
          plain_argument(fmt::format("std::chrono::{}::now() + std::chrono::milliseconds(1)", clock), "",
                         {"<chrono>"})};
}

// One value of each part; as many of them as the longest pool has values, within limits.
Arguments with_parts(const TypeModel& type, const std::string& name, const ValuesOf& values_of) {
  std::vector<Arguments> parts;
  size_t most = 1;
  for (const std::string& element : type.elements) {
    parts.push_back(values_of(element));
    if (parts.back().empty()) return {};
    most = std::max(most, parts.back().size());
  }
  Arguments values;
  for (size_t i = 0; i < std::min(most, kMostOfAHolder); ++i) {
    std::vector<Argument> chosen;
    for (const Arguments& part : parts) chosen.push_back(part[i % part.size()]);
    values.push_back(listed(name, chosen));
  }
  return values;
}

Arguments optionals(const TypeModel& type, const std::string& name, const ValuesOf& values_of) {
  Arguments values;
  for (Argument value : type.elements.empty() ? Arguments{} : values_of(type.elements.front())) {
    if (values.size() + 1 == kMostOfAHolder) break;
    value.exact = fmt::format("{}({})", name, value.text);
    values.push_back(std::move(value));
  }
  values.push_back(plain_argument("std::nullopt", name + "{}", {"<optional>"}));
  return values;
}

Arguments variants(const TypeModel& type, const std::string& name, const ValuesOf& values_of) {
  Arguments values;
  for (const std::string& alternative : type.elements) {
    const Arguments held = values_of(alternative);
    if (!held.empty()) values.push_back(listed(name, {held.front()}, /*exactly=*/true));
  }
  return values;
}

}  // namespace

Arguments container_values(const TypeModel& type, const ValuesOf& values_of) {
  const std::string name = take_apart(type.name).value;
  const std::string form = template_name(name);
  const bool is_list = form == "std::initializer_list";
  if (form == "std::span") {
    // A view of elements that live as long as the call.
    if (type.elements.empty() || !name.starts_with("std::span<const ")) return {};
    const Arguments elements = values_of(type.elements.front());
    if (elements.empty()) return {};
    Argument span =
        listed("std::vector<" + take_apart(type.elements.front()).value + ">", {elements.front()});
    span.includes.insert("<vector>");
    return {std::move(span)};
  }
  const std::string front = is_list ? "" : name;
  Arguments values;
  const Arguments elements = elements_of(type, name, values_of);
  const bool is_adaptor = form == "std::queue" || form == "std::stack" || form == "std::priority_queue";
  const bool is_listable = !elements.empty() && !is_adaptor && type.is_copyable;
  const size_t most = most_elements(name);
  if (is_listable && most > 0) {
    values.push_back(listed(front, {elements.front()}));
    std::vector<Argument> several;
    for (size_t i = 0; i < most; ++i) several.push_back(elements[i % elements.size()]);
    if (most > 1) values.push_back(listed(front, several));
  }
  values.push_back(listed(front, {}));
  if (is_list)
    for (Argument& value : values) value.exact = name + value.text;
  return values;
}

Arguments holder_values(const TypeModel& type, const ValuesOf& values_of) {
  const std::string name = take_apart(type.name).value;
  const std::string form = template_name(name);
  if (form == "std::optional") return optionals(type, name, values_of);
  if (form == "std::variant") return variants(type, name, values_of);
  if (form == "std::chrono::time_point" || name.ends_with("::time_point")) return time_points(name);
  if (name.starts_with("std::chrono::")) return durations(name);
  if (type.elements.empty())
    return type.is_default_constructible ? Arguments{plain_argument(name + "{}")} : Arguments{};
  return with_parts(type, name, values_of);
}

Arguments smart_pointer_values(const TypeModel& type, const ValuesOf& values_of) {
  if (type.elements.empty()) return {};
  const std::string name = take_apart(type.name).value;
  const char* maker = template_name(name) == "std::shared_ptr" ? "std::make_shared" : "std::make_unique";
  Arguments values;
  for (const Argument& pointee : values_of(type.elements.front())) {
    if (values.size() + 1 == kMostOfAHolder) break;
    Argument value;
    value.depend_on(pointee);
    value.text = fmt::format("{}<{}>({})", maker, type.elements.front(), pointee.text);
    value.includes.insert("<memory>");
    values.push_back(std::move(value));
  }
  values.push_back(plain_argument("nullptr", name + "{}"));
  return values;
}

}  // namespace heddle::generate
