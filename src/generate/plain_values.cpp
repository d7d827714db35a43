#include "generate/plain_values.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "generate/type_names.h"

namespace heddle::generate {
namespace {

constexpr size_t kMostEnumerators = 6;

bool has_word(const std::string& name, const std::set<std::string>& words) {
  const std::vector<std::string> parts = words_of(name);
  return std::any_of(parts.begin(), parts.end(),
                     [&](const std::string& part) { return words.contains(part); });
}

bool is_index(const ParameterUse& use) {
  return has_word(use.parameter, {"at", "i", "idx", "index", "offset", "pos", "position"});
}

// A literal that has exactly this type, or a conversion to it.
std::string typed_number(const std::string& type, const std::string& number) {
  static const std::map<std::string, std::string> kSuffixes = {{"int", ""},
                                                               {"unsigned int", "u"},
                                                               {"unsigned", "u"},
                                                               {"long", "L"},
                                                               {"unsigned long", "UL"},
                                                               {"long long", "LL"},
                                                               {"unsigned long long", "ULL"},
                                                               {"double", ""},
                                                               {"float", "f"}};
  const auto suffix = kSuffixes.find(type);
  if (suffix != kSuffixes.end()) return number + suffix->second;
  return is_identifier(type) || type.find(' ') == std::string::npos
             ? fmt::format("{}{{{}}}", type, number)
             : fmt::format("static_cast<{}>({})", type, number);
}

Arguments integers(const TypeModel& type, const ParameterUse& use) {
  const std::string name = take_apart(type.name).value;
  std::vector<std::string> numbers = {"1", "2", "0"};
  const bool bounded = is_amount(use);
  if (is_index(use)) numbers = {"0", "1", "2"};
  if (use.of_constructor) numbers = {"2", "1", "3", "0"};
  if (!bounded && type.is_signed) numbers.push_back("-1");
  const bool is_unchecked = use.callable == "operator[]";
  if (!use.of_constructor && !is_unchecked) numbers.push_back("7");
  Arguments values;
  for (const std::string& number : numbers)
    values.push_back(plain_argument(number, typed_number(name, number)));
  if (bounded || is_unchecked || type.bits < 16) return values;
  values.push_back(plain_argument(fmt::format("std::numeric_limits<{}>::max()", name), "", {"<limits>"}));
  if (type.is_signed)
    values.push_back(plain_argument(fmt::format("std::numeric_limits<{}>::min()", name), "", {"<limits>"}));
  return values;
}

Arguments characters(const TypeModel& type) {
  static const std::map<std::string, std::string> kPrefixes = {
      {"wchar_t", "L"}, {"char8_t", "u8"}, {"char16_t", "u"}, {"char32_t", "U"}};
  const auto prefix = kPrefixes.find(take_apart(type.name).value);
  const std::string before = prefix == kPrefixes.end() ? "" : prefix->second;
  return {plain_argument(before + "'a'"), plain_argument(before + "'b'")};
}

Arguments floating_numbers(const TypeModel& type) {
  Arguments values;
  for (const char* number : {"1.0", "0.5", "0.0", "-1.0"})
    values.push_back(plain_argument(number, typed_number(take_apart(type.name).value, number)));
  return values;
}

Arguments enumerators(const TypeModel& type) {
  Arguments values;
  for (const std::string& name : type.enumerators) {
    if (values.size() == kMostEnumerators) break;
    values.push_back(plain_argument(name));
  }
  const std::string name = take_apart(type.name).value;
  if (values.empty()) values = {plain_argument(name + "{}"), plain_argument(name + "{1}")};
  return values;
}

Arguments strings(const TypeModel& type, const ParameterUse& use) {
  const std::string name = take_apart(type.name).value;
  const std::string prefix = mentions(name, "wchar_t") || name.starts_with("std::w") ? "L"
                             : mentions(name, "char8_t")                             ? "u8"
                             : mentions(name, "char16_t")                            ? "u"
                             : mentions(name, "char32_t")                            ? "U"
                                                                                     : "";
  Arguments values;
  // Whoever counts the characters of a pointer must not get behind them.
  const bool is_counted = use.beside_buffer && name.ends_with("*");
  const std::vector<const char*> texts =
      is_counted ? std::vector{"a longer text", "b longer text"} : std::vector{"a", "b", "", "a longer text"};
  for (const char* text : texts) {
    const std::string literal = fmt::format("{}\"{}\"", prefix, text);
    const bool is_pointer = name.ends_with("*");
    values.push_back(plain_argument(literal, is_pointer ? literal : fmt::format("{}({})", name, literal)));
  }
  return values;
}

}  // namespace

bool is_amount(const ParameterUse& use) {
  static const std::set<std::string> kWords = {
      "amount",  "attempts", "buckets",  "bytes",      "capacity",     "count",   "delay",
      "depth",   "duration", "interval", "iterations", "len",          "length",  "limit",
      "max",     "maximum",  "micros",   "millis",     "milliseconds", "min",     "minimum",
      "ms",      "n",        "num",      "number",     "parties",      "period",  "permits",
      "reserve", "resize",   "retries",  "seconds",    "sec",          "secs",    "shards",
      "size",    "slots",    "sleep",    "threads",    "time",         "timeout", "times",
      "total",   "until",    "wait",     "width",      "workers",      "us",      "ns"};
  return use.of_constructor || use.beside_buffer || has_word(use.parameter, kWords) ||
         has_word(use.callable, kWords);
}

bool is_token(const ParameterUse& use) {
  return has_word(use.parameter, {"cookie", "cursor", "handle", "id", "idx", "index", "lease", "pos",
                                  "position", "session", "ticket", "token"});
}

Arguments plain_values(const TypeModel& type, const ParameterUse& use) {
  switch (type.kind) {
    case TypeKind::kBool:
      return {plain_argument("true"), plain_argument("false")};
    case TypeKind::kInteger:
      return integers(type, use);
    case TypeKind::kCharacter:
      return characters(type);
    case TypeKind::kFloating:
      return floating_numbers(type);
    case TypeKind::kEnum:
      return enumerators(type);
    case TypeKind::kString:
    case TypeKind::kStringView:
      return strings(type, use);
    default:
      return {};
  }
}

}  // namespace heddle::generate
