#include "generate/earlier_results.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace heddle::generate {
namespace {

constexpr size_t kMostProducers = 3;
// Numbers and strings fit in many places where they mean nothing.
constexpr size_t kMostProducersOfPlainValues = 2;

bool is_plain_kind(TypeKind kind) {
  return kind == TypeKind::kInteger || kind == TypeKind::kString || kind == TypeKind::kStringView;
}

bool means_nothing(TypeKind kind) {
  return kind == TypeKind::kBool || kind == TypeKind::kCharacter || kind == TypeKind::kFloating ||
         kind == TypeKind::kVoid || kind == TypeKind::kFunction || kind == TypeKind::kEnum;
}

// Its calls may be written with variables of their own, and then give those, too.
bool may_have_out_parameters(const Callable& method, const TypeLookup& types) {
  return std::any_of(method.parameters.begin(), method.parameters.end(), [&](const Parameter& parameter) {
    const TypeUse use = take_apart(parameter.type);
    if (use.is_changed()) return true;
    if (!use.value.ends_with("*")) return false;
    const TypeUse pointee = take_apart(pointee_of(use.value));
    const TypeKind kind = types.find(pointee.value).kind;
    return !pointee.is_const && kind != TypeKind::kVoid && kind != TypeKind::kClass &&
           kind != TypeKind::kSubject;
  });
}

}  // namespace

bool continues(const Callable& method) {
  static const std::set<std::string> kWords = {"cancel", "close",  "detach", "disconnect", "drop",
                                               "erase",  "finish", "free",   "give",       "release",
                                               "remove", "return", "take",   "unregister", "unsubscribe"};
  const std::vector<std::string> words = words_of(method.name);
  return std::any_of(words.begin(), words.end(),
                     [](const std::string& word) { return kWords.contains(word); });
}

bool is_end_of_object(const Callable& method) {
  static const std::set<std::string> kNames = {"begin", "end", "cbegin", "cend", "rbegin", "rend"};
  return method.parameters.empty() && kNames.contains(method.name);
}

EarlierResults::EarlierResults(const ClassModel& model, const TypeLookup& types,
                               const std::vector<uint32_t>& usable)
    : types_(types) {
  for (const uint32_t method : usable) {
    const Callable& callable = model.methods[method];
    if (callable.is_template && mentions(callable.result, "auto")) continue;
    if (may_have_out_parameters(callable, types) || is_end_of_object(callable)) continue;
    producers_.push_back({.method = method,
                          .result = take_apart(callable.result),
                          .is_const = callable.is_const,
                          .is_static = callable.is_static});
  }
  std::stable_sort(producers_.begin(), producers_.end(),
                   [](const Producer& one, const Producer& two) { return one.is_const < two.is_const; });
}

std::string EarlierResults::taken(const Producer& producer, const TypeUse& wanted) const {
  const std::string result = fmt::format("${}", producer.method);
  const std::string& given = producer.result.value;
  const TypeModel& type = types_.find(given);
  const bool is_stored = type.is_copyable || !producer.result.is_lvalue_reference;
  if (!is_stored) return "";
  if (given == wanted.value) {
    const bool gives_away = wanted.is_rvalue_reference || (!wanted.is_lvalue_reference && !type.is_copyable);
    return gives_away ? fmt::format("std::move({})", result) : result;
  }
  const std::string form = template_name(given);
  const std::vector<std::string> parts = template_arguments(given);
  const bool takes_copy = !wanted.is_changed() && !wanted.is_rvalue_reference;
  if (given.ends_with("*")) {
    if (wanted.value == "const " + given) return result;
    const TypeUse pointee = take_apart(pointee_of(given));
    const bool is_reference = wanted.is_lvalue_reference && (wanted.is_const || !pointee.is_const);
    return is_reference && pointee.value == wanted.value ? "*" + result : "";
  }
  if (parts.empty()) return "";
  if (form == "std::optional" && parts[0] == wanted.value && types_.find(parts[0]).is_copyable)
    return wanted.is_rvalue_reference ? "" : result + ".value()";
  if (form == "std::pair" && parts[0] == wanted.value && takes_copy) return result + ".first";
  if (form == "std::shared_ptr" || form == "std::unique_ptr") {
    if (wanted.is_lvalue_reference && take_apart(parts[0]).value == wanted.value) return "*" + result;
    if (pointee_of(wanted.value) == parts[0] && wanted.value.ends_with("*")) return result + ".get()";
  }
  return "";
}

Arguments EarlierResults::fitting(const Callable& taker, const Parameter& parameter,
                                  const ParameterUse& use) const {
  const TypeUse wanted = take_apart(parameter.type);
  if (wanted.value == "auto" && taker.is_template) return {};
  const TypeKind kind = types_.find(wanted.value).kind;
  if (means_nothing(kind) || kind == TypeKind::kSubject) return {};
  const bool is_plain = is_plain_kind(kind);
  // What a call fills in is not what it is told.
  const bool is_filled_in = is_plain || kind == TypeKind::kPointer || kind == TypeKind::kSmartPointer;
  if (is_filled_in && wanted.is_changed()) return {};
  if (is_plain && !is_token(use) && !continues(taker)) return {};
  const size_t most = is_plain ? kMostProducersOfPlainValues : kMostProducers;
  Arguments found;
  for (const Producer& producer : producers_) {
    if (found.size() == most) break;
    // A name or a number that stays with the object is not handed out.
    if (is_plain && (producer.result.is_lvalue_reference || producer.is_static)) continue;
    std::string text = taken(producer, wanted);
    if (text.empty()) continue;
    Argument argument = plain_argument(std::move(text));
    argument.needs.insert(producer.method);
    if (argument.text.starts_with("std::move")) {
      argument.moves.insert(producer.method);
      argument.includes.insert("<utility>");
    }
    found.push_back(std::move(argument));
  }
  return found;
}

}  // namespace heddle::generate
