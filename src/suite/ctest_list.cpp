#include "suite/ctest_list.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace heddle {
namespace {

using nlohmann::json;

std::vector<std::string> strings_of(const json& value) {
  std::vector<std::string> strings;
  if (value.is_string()) strings.push_back(value.get<std::string>());
  if (!value.is_array()) return strings;
  for (const json& element : value)
    if (element.is_string()) strings.push_back(element.get<std::string>());
  return strings;
}

// Empty if there is none, or something else.
std::string text_of(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

json part_of(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() ? *found : json();
}

// Properties of tests come as a list of names and values.
void apply(const std::string& name, const json& value, SuiteTest* test, std::string* unusable) {
  if (name == "WORKING_DIRECTORY" && value.is_string()) {
    test->command.directory = value.get<std::string>();
  } else if (name == "ENVIRONMENT") {
    for (const std::string& assignment : strings_of(value)) {
      const size_t equals = assignment.find('=');
      if (equals != std::string::npos)
        test->command.environment.emplace_back(assignment.substr(0, equals), assignment.substr(equals + 1));
    }
  } else if (name == "WILL_FAIL" && value.is_boolean()) {
    test->must_fail = value.get<bool>();
  } else if (name == "SKIP_RETURN_CODE" && value.is_number_integer()) {
    test->skip_code = value.get<int>();
  } else if (name == "PASS_REGULAR_EXPRESSION") {
    test->pass_patterns = strings_of(value);
  } else if (name == "FAIL_REGULAR_EXPRESSION") {
    test->fail_patterns = strings_of(value);
  } else if (name == "SKIP_REGULAR_EXPRESSION") {
    test->skip_patterns = strings_of(value);
  } else if (name == "TIMEOUT" && value.is_number() && value.get<double>() >= 1) {
    test->timeout = std::chrono::seconds(static_cast<int64_t>(value.get<double>()));
  } else if (name == "LABELS") {
    test->labels = strings_of(value);
  } else if (name == "DISABLED" && value.is_boolean() && value.get<bool>()) {
    *unusable = "it is disabled";
  }
}

}  // namespace

Expected<TestSuite> parse_ctest_list(std::string_view text, const std::string& build_folder) {
  const json list = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!list.is_object() || text_of(list, "kind") != "ctestInfo" || !part_of(list, "tests").is_array())
    return usage_error("ctest --show-only=json-v1 printed something that is not a list of tests");
  TestSuite suite;
  for (const json& entry : list["tests"]) {
    if (!entry.is_object()) continue;
    SuiteTest test;
    test.name = text_of(entry, "name");
    test.ctest_name = test.name;
    test.command.argv = strings_of(part_of(entry, "command"));
    test.command.directory = build_folder;
    std::string unusable;
    for (const json& property : part_of(entry, "properties")) {
      if (property.is_object())
        apply(text_of(property, "name"), part_of(property, "value"), &test, &unusable);
    }
    if (unusable.empty() && test.command.argv.empty()) unusable = "its program was not built";
    if (unusable.empty())
      suite.tests.push_back(std::move(test));
    else
      suite.unusable.push_back({test.name, unusable});
  }
  return suite;
}

}  // namespace heddle
