// How generated tests are named.
#include <cctype>
#include <map>

#include "generate/identifiers.h"
#include "generate/test_source.h"

namespace heddle::generate {

std::string identifier(const std::string& name) {
  static const std::map<std::string, std::string> kOperators = {
      {"operator[]", "subscript"},  {"operator()", "call"},      {"operator==", "equals"},
      {"operator!=", "differs"},    {"operator<", "less"},       {"operator<=", "at_most"},
      {"operator>", "greater"},     {"operator>=", "at_least"},  {"operator<=>", "compare"},
      {"operator+=", "add"},        {"operator-=", "subtract"},  {"operator*=", "multiply"},
      {"operator/=", "divide"},     {"operator++", "increment"}, {"operator--", "decrement"},
      {"operator<<", "shift_in"},   {"operator>>", "shift_out"}, {"operator bool", "as_bool"},
      {"operator*", "dereference"}, {"operator->", "arrow"},     {"operator!", "is_not"}};
  const auto known = kOperators.find(name);
  if (known != kOperators.end()) return known->second;
  std::string text;
  for (const char c : name) text += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return text;
}

std::string camel_case(const std::string& name) {
  std::string text;
  bool is_start = true;
  for (const char c : name) {
    if (c == '_') {
      is_start = true;
      continue;
    }
    text += is_start ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    is_start = false;
  }
  return text;
}

std::string file_stem(const std::string& name) {
  std::string text;
  for (size_t i = 0; i < name.size(); ++i) {
    const auto c = static_cast<unsigned char>(name[i]);
    const bool begins = std::isupper(c) != 0 && i > 0 &&
                        (std::isupper(static_cast<unsigned char>(name[i - 1])) == 0 ||
                         (i + 1 < name.size() && std::islower(static_cast<unsigned char>(name[i + 1])) != 0));
    if (begins && text.back() != '_') text += '_';
    text += static_cast<char>(std::tolower(c));
  }
  return text;
}

std::string suite_name(const ClassModel& model) {
  std::string name = model.name.substr(0, model.name.find('<'));
  const size_t scope = name.rfind("::");
  if (scope != std::string::npos) name = name.substr(scope + 2);
  return camel_case(identifier(name)) + "Concurrency";
}

std::string test_name(const CallPlan& plan, const ClassModel& model, const OperationTable& operations) {
  std::string name;
  for (const std::vector<OperationId>& thread : plan.threads) {
    if (!name.empty()) name += "With";
    for (size_t i = 0; i < thread.size(); ++i)
      name +=
          (i == 0 ? "" : "Then") + camel_case(identifier(model.methods[operations[thread[i]].callable].name));
  }
  return name;
}

}  // namespace heddle::generate
