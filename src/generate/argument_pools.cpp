#include "generate/argument_pools.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "generate/callback_values.h"

namespace heddle::generate {
namespace {

constexpr size_t kMostOfAValueType = 2;
constexpr size_t kMadeUpBeforeResults = 2;

void append(Arguments* to, Arguments more) {
  std::move(more.begin(), more.end(), std::back_inserter(*to));
}

void keep_first(Arguments* arguments, size_t most) {
  if (arguments->size() > most)
    arguments->erase(arguments->begin() + static_cast<std::ptrdiff_t>(most), arguments->end());
}

bool is_stream(const std::string& type) {
  static const std::set<std::string> kStreams = {"ostream",
                                                 "istream",
                                                 "iostream",
                                                 "basic_ostream",
                                                 "basic_istream",
                                                 "basic_iostream",
                                                 "ofstream",
                                                 "ifstream",
                                                 "fstream",
                                                 "basic_ofstream",
                                                 "basic_ifstream",
                                                 "basic_fstream",
                                                 "ostringstream",
                                                 "istringstream",
                                                 "stringstream",
                                                 "basic_ostringstream",
                                                 "basic_istringstream",
                                                 "basic_stringstream"};
  return type.starts_with("std::") && kStreams.contains(simple_name(type));
}

// What a class can be told to be about: not how it allocates, compares or locks.
bool is_value_kind(TypeKind kind) {
  return kind != TypeKind::kOther && kind != TypeKind::kVoid && kind != TypeKind::kSubject &&
         kind != TypeKind::kTemplateParameter && kind != TypeKind::kPointer && kind != TypeKind::kFunction;
}

bool is_policy(const std::string& type) {
  static const std::set<std::string> kPolicies = {"allocator", "less",         "greater",
                                                  "hash",      "equal_to",     "char_traits",
                                                  "mutex",     "shared_mutex", "default_delete"};
  return kPolicies.contains(simple_name(type));
}

bool is_buffer_element(TypeKind kind) {
  return kind == TypeKind::kCharacter || kind == TypeKind::kInteger || kind == TypeKind::kFloating ||
         kind == TypeKind::kBool;
}

bool is_named_as_output(const std::string& parameter) {
  const std::vector<std::string> words = words_of(parameter);
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word == "out" || word == "output" || word == "result" || word == "dest" || word == "destination";
  });
}

Argument variable(const std::string& declaration, const std::string& text) {
  Argument argument = plain_argument(text);
  argument.out_declaration = declaration;
  return argument;
}

// With nothing in it.
std::string empty_variable(const TypeModel& type, const std::string& name) {
  const bool is_empty_at_first = type.kind == TypeKind::kString || type.kind == TypeKind::kContainer ||
                                 type.kind == TypeKind::kSmartPointer;
  return name + (is_empty_at_first ? " @;" : " @{};");
}

Argument variable_with(const std::string& type, const Argument& value) {
  Argument argument = variable(type + " @ = " + value.text + ";", "@");
  argument.out_initial = value.text;
  argument.depend_on(value);
  return argument;
}

Arguments as_exact(Arguments arguments) {
  for (Argument& argument : arguments) argument.text = argument.exact_text();
  return arguments;
}

}  // namespace

ArgumentPools::ArgumentPools(const ClassModel& model, const UserPools& pools,
                             const std::vector<uint32_t>& usable)
    : model_(model), types_(model), maker_(model, types_, pools, fixtures_), earlier_(model, types_, usable) {
  find_value_types();
}

void ArgumentPools::find_value_types() {
  const auto add = [&](const std::string& type) {
    const std::string name = take_apart(type).value;
    const bool is_known = std::find(value_types_.begin(), value_types_.end(), name) != value_types_.end();
    if (is_known || is_policy(name) || !is_value_kind(types_.find(name).kind)) return;
    if (!maker_.values(name, {}).empty()) value_types_.push_back(name);
  };
  for (const std::string& argument : template_arguments(model_.name)) add(argument);
  if (!value_types_.empty()) return;
  for (const Field& field : model_.fields) {
    const std::string type = take_apart(field.type).value;
    const TypeKind kind = types_.find(type).kind;
    if (kind != TypeKind::kContainer && kind != TypeKind::kValueHolder) continue;
    for (const std::string& argument : template_arguments(type)) add(argument);
  }
}

bool ArgumentPools::keeps_pointer_to(const std::string& type) const {
  return std::any_of(model_.fields.begin(), model_.fields.end(), [&](const Field& field) {
    return mentions_type(field.type, type + "*") || mentions_type(field.type, type + "&") ||
           (field.type.find("reference_wrapper") != std::string::npos && mentions_type(field.type, type));
  });
}

ParameterUse ArgumentPools::use_of(const Callable& callable, size_t parameter) const {
  const std::vector<Parameter>& all = callable.parameters;
  const auto is_any = [&](const auto& property) { return std::any_of(all.begin(), all.end(), property); };
  const bool has_number =
      is_any([&](const Parameter& one) { return types_.find(one.type).kind == TypeKind::kInteger; });
  const bool has_pointer = is_any([&](const Parameter& one) {
    const std::string value = take_apart(one.type).value;
    const TypeKind target = types_.find(pointee_of(value)).kind;
    return value.ends_with("*") && (is_buffer_element(target) || target == TypeKind::kVoid);
  });
  return {.callable = simple_name(callable.name),
          .parameter = all[parameter].name,
          .of_constructor =
              callable.kind == CallableKind::kConstructor || callable.kind == CallableKind::kFactory,
          .beside_buffer = has_number && has_pointer,
          .result = callable.result};
}

Arguments ArgumentPools::arguments(const Callable& callable, size_t parameter) {
  const ParameterUse named = use_of(callable, parameter);
  if (named.of_constructor) return made_up(callable, parameter, named);
  Arguments earlier = earlier_.fitting(callable, callable.parameters[parameter], named);
  // A pointer that the class hands out stands for something that is its own.
  const TypeUse use = take_apart(callable.parameters[parameter].type);
  const bool is_own = types_.find(use.value).kind == TypeKind::kPointer || use.is_changed();
  if (is_own && !earlier.empty()) return earlier;
  Arguments found = offered_by_object(callable, parameter);
  append(&found, made_up(callable, parameter, named));
  // What anybody could make up is not what a class hands out to get it back, unless names say so.
  const TypeModel& type = types_.find(callable.parameters[parameter].type);
  const bool is_handed_out = is_token(named) || continues(callable) ||
                             (!is_value_kind(type.kind) && type.kind != TypeKind::kFunction) ||
                             type.kind == TypeKind::kSmartPointer;
  const size_t before = is_handed_out ? 0 : std::min(found.size(), kMadeUpBeforeResults);
  found.insert(found.begin() + static_cast<std::ptrdiff_t>(before), earlier.begin(), earlier.end());
  return found;
}

// Its iterators: both ends for one of them, the right end for one of a range.
Arguments ArgumentPools::offered_by_object(const Callable& callable, size_t parameter) const {
  const TypeUse wanted = take_apart(callable.parameters[parameter].type);
  if (is_value_kind(types_.find(wanted.value).kind)) return {};
  const auto is_like = [&](size_t other) {
    return other < callable.parameters.size() &&
           take_apart(callable.parameters[other].type).value == wanted.value;
  };
  const bool ends_range = parameter > 0 && is_like(parameter - 1);
  const bool begins_range = !ends_range && is_like(parameter + 1);
  Arguments found;
  for (const Callable& method : model_.methods) {
    if (!is_end_of_object(method) || take_apart(method.result).value != wanted.value) continue;
    const bool is_end = method.name.ends_with("end");
    if ((is_end && begins_range) || (!is_end && ends_range)) continue;
    std::string text = fmt::format("object.{}()", method.name);
    const auto is_same = [&](const Argument& one) { return one.text == text; };
    if (std::none_of(found.begin(), found.end(), is_same)) found.push_back(plain_argument(std::move(text)));
  }
  return found;
}

Arguments ArgumentPools::made_up(const Callable& callable, size_t parameter, const ParameterUse& named) {
  const TypeUse use = take_apart(callable.parameters[parameter].type);
  const TypeModel& type = types_.find(use.value);
  if (use.is_lvalue_reference && is_stream(use.value)) return {};
  if (type.kind == TypeKind::kCallable) return maker_.values(use.value, named);
  if (callable.is_template && mentions(use.value, "auto") && !maker_.has_user_values(use.value) &&
      template_name(use.value) != "std::chrono::duration")
    return generic(callable, parameter, named);
  if (type.kind == TypeKind::kSubject && !maker_.has_user_values(use.value))
    return subjects(use, named.of_constructor);
  if (type.kind == TypeKind::kPointer && !maker_.has_user_values(use.value))
    return use.is_changed() ? filled_in(callable, use, named) : raw_pointers(use, named);
  // Bytes, not text.
  if (type.kind == TypeKind::kStringView && use.value.ends_with("*") && mentions(use.value, "unsigned"))
    return filled_buffers(take_apart(pointee_of(use.value)).value);
  if (use.is_changed()) return filled_in(callable, use, named);
  if (use.is_lvalue_reference && (type.is_abstract || keeps_pointer_to(use.value)))
    return maker_.fixtures(use.value);
  Arguments found = maker_.values(use.value, named);
  return found.empty() && use.is_lvalue_reference ? maker_.fixtures(use.value) : found;
}

// `other` first; `object` is the call with itself.
Arguments ArgumentPools::subjects(const TypeUse& use, bool of_constructor) {
  if (of_constructor) return use.is_lvalue_reference ? maker_.fixtures(use.value) : Arguments{};
  const bool gives_away = use.is_rvalue_reference || (!use.is_lvalue_reference && !model_.is_copyable);
  if (gives_away) return {plain_argument("std::move(other)", "", {"<utility>"})};
  return {plain_argument("other"), plain_argument("object")};
}

Arguments ArgumentPools::subject_pointers(bool of_constructor) {
  Arguments found = {plain_argument("nullptr")};
  if (of_constructor) {
    Arguments objects = maker_.fixtures(model_.name);
    for (Argument& object : objects) object.text = "&" + object.text;
    append(&found, std::move(objects));
    return found;
  }
  return {plain_argument("&other"), plain_argument("&object"), plain_argument("nullptr")};
}

Arguments ArgumentPools::raw_pointers(const TypeUse& use, const ParameterUse& named) {
  const TypeUse pointee = take_apart(pointee_of(use.value));
  const TypeModel& target = types_.find(pointee.value);
  if (target.kind == TypeKind::kSubject) return subject_pointers(named.of_constructor);
  const bool is_kept = named.of_constructor || keeps_pointer_to(pointee.value);
  const bool is_memory = target.kind == TypeKind::kVoid && named.beside_buffer;
  if (!is_kept && (is_buffer_element(target.kind) || is_memory)) {
    const std::string element = is_memory ? "char" : pointee.value;
    if (pointee.is_const) return filled_buffers(element);
    if (!named.beside_buffer) return {variable(empty_variable(target, element), "&@")};
    // Room for more than any number that is given beside it.
    Argument buffer = variable(fmt::format("std::array<{}, 8> @{{}};", element), "@.data()");
    buffer.includes = {"<array>"};
    return {std::move(buffer)};
  }
  const bool is_output = !pointee.is_const && !is_kept && target.is_copyable &&
                         target.is_default_constructible && target.kind != TypeKind::kPointer &&
                         target.kind != TypeKind::kVoid &&
                         (target.kind != TypeKind::kClass || is_named_as_output(named.parameter));
  if (is_output) return {variable(empty_variable(target, pointee.value), "&@")};
  return maker_.pointers(use.value);
}

// Enough elements for any number that is given beside them.
Arguments ArgumentPools::filled_buffers(const std::string& element) {
  const Arguments elements = maker_.values(element, {});
  return {plain_argument(
      fmt::format("std::array<{}, 8>{{{}, {}}}.data()", element, elements[0].text, elements[1].text), "",
      {"<array>"})};
}

// A reference that is not const: to a variable of the call, unless the object may keep it.
Arguments ArgumentPools::filled_in(const Callable& callable, const TypeUse& use, const ParameterUse& named) {
  const TypeModel& type = types_.find(use.value);
  const bool has_user_values = maker_.has_user_values(use.value);
  const bool stays_where_it_is = !type.is_copyable && (!type.is_movable || type.kind == TypeKind::kClass);
  const bool is_kept = type.is_abstract || stays_where_it_is || keeps_pointer_to(use.value);
  if (named.of_constructor || (is_kept && !has_user_values)) return maker_.fixtures(use.value);
  const Arguments first = maker_.values(use.value, named);
  if (has_user_values) {
    Arguments variables;
    for (const Argument& value : first) variables.push_back(variable_with("auto", value));
    return variables;
  }
  Arguments found;
  if (type.is_default_constructible || type.kind != TypeKind::kClass) {
    if (type.kind != TypeKind::kOther || type.is_default_constructible)
      found.push_back(variable(empty_variable(type, use.value), "@"));
    if (!found.empty()) found.back().out_is_move_only = !type.is_copyable;
  } else if (!first.empty()) {
    found.push_back(variable_with("auto", first[0]));
  }
  // As of compare_exchange(expected, desired): what is in it before matters.
  const auto same =
      std::count_if(callable.parameters.begin(), callable.parameters.end(),
                    [&](const Parameter& one) { return take_apart(one.type).value == use.value; });
  if (same > 1 && !first.empty()) {
    found.push_back(variable_with(use.value, first[0]));
  }
  return found;
}

// At the first position any of the types can stand alone; at others, the one that stands there in the class.
Arguments ArgumentPools::values_of_class(size_t position) {
  if (value_types_.empty()) return as_exact(maker_.values("int", {}));
  const size_t own = std::min(position, value_types_.size() - 1);
  Arguments found = as_exact(maker_.values(value_types_[own], {}));
  keep_first(&found, kMostOfAValueType);
  for (size_t i = 1; position == 0 && i < value_types_.size(); ++i) {
    Arguments values = as_exact(maker_.values(value_types_[i], {}));
    keep_first(&values, 1);
    append(&found, std::move(values));
  }
  return found;
}

Arguments ArgumentPools::pack_arguments(size_t position) {
  return values_of_class(position);
}

// The ends of a container that lives as long as the object.
Arguments ArgumentPools::range_ends(const Callable& callable, size_t parameter) {
  static const std::set<std::string> kBegins = {"first", "begin", "from", "start"};
  static const std::set<std::string> kEnds = {"last", "end", "to", "stop"};
  const auto is_named = [&](size_t index, const std::set<std::string>& names) {
    return index < callable.parameters.size() &&
           take_apart(callable.parameters[index].type).value == "auto" &&
           names.contains(callable.parameters[index].name);
  };
  const bool begins = is_named(parameter, kBegins) && is_named(parameter + 1, kEnds);
  const bool ends = parameter > 0 && is_named(parameter, kEnds) && is_named(parameter - 1, kBegins);
  if (!begins && !ends) return {};
  const std::string element = value_types_.empty() ? "int" : value_types_.back();
  Arguments elements = maker_.values(element, {});
  if (elements.empty()) return {};
  const std::string& last = elements[std::min<size_t>(1, elements.size() - 1)].text;
  Argument initializer = plain_argument(fmt::format("{{{}, {}}}", elements[0].text, last), "", {"<vector>"});
  Argument values = fixtures_.object("values", fmt::format("std::vector<{}>", element), 1, initializer);
  values.text += begins ? ".begin()" : ".end()";
  return {std::move(values)};
}

Arguments ArgumentPools::generic(const Callable& callable, size_t parameter, const ParameterUse& use) {
  const TypeUse type = take_apart(callable.parameters[parameter].type);
  const std::string value_type =
      value_types_.empty() ? "int" : value_types_[std::min(parameter, value_types_.size() - 1)];
  if (type.value != "auto") return as_exact(maker_.values(replace_name(type.value, "auto", value_type), use));
  if (is_called(use)) return generic_callbacks(use);
  if (Arguments ends = range_ends(callable, parameter); !ends.empty()) return ends;
  static const std::set<std::string> kComparisons = {"comp", "compare", "comparator", "less"};
  if (kComparisons.contains(use.parameter)) return {plain_argument("std::less<>{}", "", {"<functional>"})};
  static const std::set<std::string> kRanges = {"container", "elements", "items", "keys", "range", "values"};
  if (kRanges.contains(use.parameter))
    return maker_.values(fmt::format("std::vector<{}>", value_types_.empty() ? "int" : value_types_.back()),
                         use);
  Arguments values = values_of_class(use.parameter == "key" ? 0 : parameter);
  if (!type.is_changed()) return values;
  Arguments variables;
  for (const Argument& value : values) {
    variables.push_back(variable_with("auto", value));
  }
  return variables;
}

std::string ArgumentPools::reason_against(const Callable& callable, size_t parameter) const {
  const TypeUse use = take_apart(callable.parameters[parameter].type);
  if (is_stream(use.value)) return "it takes a stream";
  return fmt::format("no value of {} can be made up: {}", use.value, maker_.reason_against(use.value));
}

}  // namespace heddle::generate
