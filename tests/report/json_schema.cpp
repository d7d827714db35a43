#include "json_schema.h"

#include <algorithm>
#include <regex>
#include <set>

namespace heddle {
namespace {

using nlohmann::json;

class Checker {
 public:
  explicit Checker(const json& root) : root_(root) {}

  void check(const json& schema, const json& value, const std::string& at) {
    for (const auto& [keyword, rule] : schema.items()) check_keyword(schema, keyword, rule, value, at);
  }

  std::vector<std::string> errors;

 private:
  void fail(const std::string& at, const std::string& what) { errors.push_back(at + ": " + what); }

  bool fits(const json& schema, const json& value) const {
    Checker inner(root_);
    inner.check(schema, value, "");
    return inner.errors.empty();
  }

  void check_keyword(const json& schema, const std::string& keyword, const json& rule, const json& value,
                     const std::string& at) {
    static const std::set<std::string> kSilent = {"$schema", "$id",         "id",      "$comment",
                                                  "title",   "description", "default", "definitions",
                                                  "format",  "properties"};
    if (keyword == "properties" && value.is_object()) {
      for (const auto& [name, property] : rule.items())
        if (value.contains(name)) check(property, value[name], at + "/" + name);
    }
    if (kSilent.contains(keyword)) return;
    if (keyword == "$ref") {
      check(root_.at(json::json_pointer(rule.get<std::string>().substr(1))), value, at);
    } else if (keyword == "type") {
      if (!is_of_type(rule, value)) fail(at, "is no " + rule.dump());
    } else if (keyword == "required") {
      for (const json& name : rule)
        if (value.is_object() && !value.contains(name.get<std::string>())) fail(at, "has no " + name.dump());
    } else if (keyword == "additionalProperties") {
      if (value.is_object()) check_additional(schema, rule, value, at);
    } else if (keyword == "items") {
      for (size_t i = 0; value.is_array() && i < value.size(); ++i)
        check(rule, value[i], at + "/" + std::to_string(i));
    } else if (keyword == "minItems") {
      if (value.is_array() && value.size() < rule.get<size_t>()) fail(at, "has too few items");
    } else if (keyword == "uniqueItems") {
      if (value.is_array() && rule.get<bool>() &&
          std::set<json>(value.begin(), value.end()).size() != value.size())
        fail(at, "has an item twice");
    } else if (keyword == "enum") {
      if (std::find(rule.begin(), rule.end(), value) == rule.end()) fail(at, "is none of " + rule.dump());
    } else if (keyword == "minimum") {
      if (value.is_number() && value.get<double>() < rule.get<double>())
        fail(at, "is less than " + rule.dump());
    } else if (keyword == "maximum") {
      if (value.is_number() && value.get<double>() > rule.get<double>())
        fail(at, "is more than " + rule.dump());
    } else if (keyword == "pattern") {
      if (value.is_string() &&
          !std::regex_search(value.get<std::string>(),
                             std::regex(rule.get<std::string>(), std::regex::ECMAScript)))
        fail(at, "does not match " + rule.dump());
    } else if (keyword == "anyOf" || keyword == "oneOf") {
      const auto count =
          std::count_if(rule.begin(), rule.end(), [&](const json& one) { return fits(one, value); });
      if (count == 0 || (keyword == "oneOf" && count != 1)) fail(at, "does not fit " + keyword);
    } else if (keyword == "allOf") {
      for (const json& one : rule) check(one, value, at);
    } else if (keyword == "not") {
      if (fits(rule, value)) fail(at, "fits what it must not");
    } else if (keyword == "dependencies") {
      for (const auto& [name, needed] : rule.items())
        for (const json& other : needed)
          if (value.is_object() && value.contains(name) && !value.contains(other.get<std::string>()))
            fail(at, "has " + name + " without " + other.dump());
    } else {
      fail(at, "the schema has a keyword that is not known: " + keyword);
    }
  }

  void check_additional(const json& schema, const json& rule, const json& value, const std::string& at) {
    const json known = schema.value("properties", json::object());
    for (const auto& [name, member] : value.items()) {
      if (known.contains(name)) continue;
      if (rule.is_object())
        check(rule, member, at + "/" + name);
      else if (!rule.get<bool>())
        fail(at + "/" + name, "is not in the schema");
    }
  }

  static bool is_of_type(const json& type, const json& value) {
    if (type.is_array())
      return std::any_of(type.begin(), type.end(), [&](const json& one) { return is_of_type(one, value); });
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "integer") return value.is_number_integer();
    if (type == "number") return value.is_number();
    return type == "null" && value.is_null();
  }

  const json& root_;
};

}  // namespace

std::vector<std::string> schema_errors(const json& schema, const json& value) {
  Checker checker(schema);
  checker.check(schema, value, "");
  return checker.errors;
}

}  // namespace heddle
