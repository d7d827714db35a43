#include "generate/value_maker.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "generate/callback_values.h"
#include "generate/standard_values.h"
#include "generate/type_names.h"

namespace heddle::generate {
namespace {

// Of each class; what is built of them would be too much otherwise.
constexpr size_t kMostInitializers = 4;
constexpr size_t kMostOfOneConstructor = 2;
constexpr size_t kFixturesOfAType = 2;
// Objects in objects in objects.
constexpr size_t kDeepest = 4;

bool takes_own_class(const Callable& constructor, const std::string& type) {
  return constructor.parameters.size() == 1 && take_apart(constructor.parameters[0].type).value == type;
}

size_t required_parameters(const Callable& callable) {
  return static_cast<size_t>(std::count_if(callable.parameters.begin(), callable.parameters.end(),
                                           [](const Parameter& one) { return one.default_value.empty(); }));
}

// A single name in parentheses would declare a function.
Argument initializer_of(const std::vector<Argument>& arguments) {
  Argument initializer;
  std::vector<std::string> texts;
  for (const Argument& argument : arguments) {
    texts.push_back(argument.text);
    initializer.depend_on(argument);
  }
  const bool in_braces = texts.empty() || (texts.size() == 1 && is_identifier(texts[0]));
  initializer.text = fmt::format(fmt::runtime(in_braces ? "{{{}}}" : "({})"), fmt::join(texts, ", "));
  return initializer;
}

// Members cannot be given their values in parentheses.
std::string as_member_initializer(const std::string& type, const std::string& initializer) {
  return initializer.starts_with("(") ? fmt::format(" = {}{}", type, initializer) : initializer;
}

Arguments other_values(const TypeModel& type) {
  static const std::map<std::string, const char*> kKnown = {
      {"std::nullptr_t", "nullptr"},
      {"std::nullopt_t", "std::nullopt"},
      {"std::thread::id", "std::this_thread::get_id()"}};
  const std::string name = take_apart(type.name).value;
  const auto known = kKnown.find(name);
  if (known != kKnown.end()) return {plain_argument(known->second)};
  return type.is_default_constructible ? Arguments{plain_argument(name + "{}")} : Arguments{};
}

}  // namespace

ValueMaker::ValueMaker(const ClassModel& model, const TypeLookup& types, const UserPools& pools,
                       FixtureMaker& fixtures)
    : model_(model), types_(types), fixtures_(fixtures) {
  for (const auto& [type, texts] : pools.values) {
    Arguments& values = users_[take_apart(type).value];
    for (const std::string& text : texts) values.push_back(plain_argument(text));
  }
}

ValuesOf ValueMaker::values_of() {
  return [this](const std::string& type) { return values(type, {}); };
}

Arguments ValueMaker::values(const std::string& type, const ParameterUse& use) {
  const std::string name = take_apart(type).value;
  const auto given = users_.find(name);
  if (given != users_.end()) {
    used_.insert(name);
    return given->second;
  }
  return made_up(types_.find(name), use);
}

Arguments ValueMaker::made_up(const TypeModel& type, const ParameterUse& use) {
  switch (type.kind) {
    case TypeKind::kContainer:
      return container_values(type, values_of());
    case TypeKind::kValueHolder:
      return holder_values(type, values_of());
    case TypeKind::kFunction:
    case TypeKind::kCallable:
      return callback_values(type, types_, values_of(), use);
    case TypeKind::kSmartPointer:
    case TypeKind::kPointer:
      return pointers(type.name);
    case TypeKind::kClass:
      return class_values(type);
    case TypeKind::kOther:
      return other_values(type);
    default:
      return plain_values(type, use);
  }
}

Arguments ValueMaker::constructor_pool(const Callable& constructor, size_t parameter) {
  const Parameter& wanted = constructor.parameters[parameter];
  const TypeUse use = take_apart(wanted.type);
  if (use.is_changed()) return fixtures(use.value);
  Arguments pool =
      values(use.value, {.callable = constructor.name, .parameter = wanted.name, .of_constructor = false});
  return pool.empty() && use.is_lvalue_reference ? fixtures(use.value) : pool;
}

void ValueMaker::add_initializers(const Callable& constructor, const std::string& type, Arguments* found) {
  if (takes_own_class(constructor, type) || constructor.is_template) return;
  // Defaults are left to the class, unless there is nothing else to tell its values apart.
  const size_t count =
      std::max<size_t>(required_parameters(constructor), constructor.parameters.empty() ? 0 : 1);
  std::vector<Arguments> pools;
  size_t most = 1;
  for (size_t i = 0; i < count; ++i) {
    pools.push_back(constructor_pool(constructor, i));
    if (pools.back().empty()) return;
    most = std::max(most, pools.back().size());
  }
  for (size_t i = 0; i < std::min(most, kMostOfOneConstructor) && found->size() < kMostInitializers; ++i) {
    std::vector<Argument> chosen;
    for (const Arguments& pool : pools) chosen.push_back(pool[i % pool.size()]);
    found->push_back(initializer_of(chosen));
  }
}

Arguments ValueMaker::initializers(const TypeModel& type) {
  const std::string name = take_apart(type.name).value;
  if (in_progress_.size() == kDeepest || !in_progress_.insert(name).second) return {};
  std::vector<const Callable*> constructors;
  const bool is_subject = type.kind == TypeKind::kSubject;
  for (const Callable& constructor : is_subject ? model_.constructors : type.constructors) {
    if (constructor.kind == CallableKind::kConstructor) constructors.push_back(&constructor);
  }
  // What tells values apart comes first, and the simpler the better; last, the one without arguments.
  std::stable_sort(constructors.begin(), constructors.end(), [](const Callable* one, const Callable* two) {
    const auto rank = [](const Callable* of) {
      return of->parameters.empty() ? SIZE_MAX : required_parameters(*of);
    };
    return rank(one) < rank(two);
  });
  Arguments found;
  for (const Callable* constructor : constructors) add_initializers(*constructor, name, &found);
  if (found.empty() && type.is_default_constructible) found.push_back(plain_argument("{}"));
  in_progress_.erase(name);
  return found;
}

Arguments ValueMaker::class_values(const TypeModel& type) {
  if (type.is_abstract) return {};
  Arguments found = initializers(type);
  for (Argument& value : found) value.text = take_apart(type.name).value + value.text;
  return found;
}

Arguments ValueMaker::fixtures(const std::string& type) {
  const std::string name = take_apart(type).value;
  const TypeModel& model = types_.find(name);
  if (model.is_abstract && !has_user_values(name)) return implementing_fixtures(model);
  const bool is_class = model.kind == TypeKind::kClass || model.kind == TypeKind::kSubject;
  Arguments initial;
  if (is_class && !has_user_values(name)) {
    initial = initializers(model);
    for (Argument& initializer : initial) initializer.text = as_member_initializer(name, initializer.text);
  } else {
    initial = values(name, {});
    for (Argument& value : initial) value.text = " = " + value.text;
  }
  Arguments found;
  for (size_t i = 0; i < kFixturesOfAType && !initial.empty(); ++i)
    found.push_back(
        fixtures_.object(snake_case(simple_name(name)), name, i + 1, initial[i % initial.size()]));
  return found;
}

Arguments ValueMaker::implementing_fixtures(const TypeModel& type) {
  const std::string name = fixtures_.implementation(type, values_of());
  if (name.empty()) return {};
  const Arguments initial = needs_arguments(type) ? initializers(type) : Arguments{plain_argument("")};
  Arguments found;
  for (size_t i = 0; i < kFixturesOfAType && !initial.empty(); ++i) {
    Argument initializer = initial[i % initial.size()];
    initializer.text = as_member_initializer(name, initializer.text);
    Argument object = fixtures_.object(snake_case(simple_name(type.name)), name, i + 1, initializer);
    fixtures_.depend_on_definition(name, &object);
    found.push_back(std::move(object));
  }
  return found;
}

// Shared objects are fixtures, so that two calls can mean the same one.
Arguments ValueMaker::class_pointers(const TypeModel& type, const TypeModel& pointee) {
  const std::string pointer = take_apart(type.name).value;
  const bool is_shared = template_name(pointer) == "std::shared_ptr";
  const std::string implementation =
      pointee.is_abstract ? fixtures_.implementation(pointee, values_of()) : "";
  if (pointee.is_abstract && implementation.empty()) return {};
  const bool is_bare = pointee.is_abstract && !needs_arguments(pointee);
  const Arguments initial = is_bare ? Arguments{plain_argument("{}")} : initializers(pointee);
  Arguments found;
  for (size_t i = 0; i < kFixturesOfAType && !initial.empty(); ++i) {
    // An object that is given away is new each time.
    if (!is_shared && i == initial.size()) break;
    Argument value = initial[i % initial.size()];
    value.includes.insert("<memory>");
    value.text = fmt::format("{}<{}>({})", is_shared ? "std::make_shared" : "std::make_unique",
                             implementation.empty() ? take_apart(pointee.name).value : implementation,
                             value.text.substr(1, value.text.size() - 2));
    if (is_shared) {
      value.text = " = " + value.text;
      value = fixtures_.object(snake_case(simple_name(pointee.name)), pointer, i + 1, value);
    } else if (!implementation.empty()) {
      // Somebody has to bring the definition.
      value.depend_on(implementing_fixtures(pointee).front());
    }
    if (!implementation.empty()) fixtures_.depend_on_definition(implementation, &value);
    found.push_back(std::move(value));
  }
  found.push_back(plain_argument("nullptr", pointer + "{}"));
  return found;
}

Arguments ValueMaker::pointers(const std::string& type) {
  const std::string name = take_apart(type).value;
  const TypeModel& pointer = types_.find(name);
  const std::string target = pointer.kind == TypeKind::kPointer ? pointee_of(name)
                             : pointer.elements.empty()         ? ""
                                                                : pointer.elements.front();
  if (target.empty()) return {};
  const TypeModel& pointee = types_.find(target);
  const bool is_class = pointee.kind == TypeKind::kClass || pointee.kind == TypeKind::kSubject;
  if (pointer.kind == TypeKind::kSmartPointer)
    return is_class ? class_pointers(pointer, pointee) : smart_pointer_values(pointer, values_of());
  if (pointee.kind == TypeKind::kVoid && take_apart(target).is_const)
    return {plain_argument("\"a text\""), plain_argument("nullptr")};
  Arguments found;
  if (pointee.kind != TypeKind::kVoid && pointee.kind != TypeKind::kPointer) found = fixtures(target);
  for (Argument& value : found) value.text = "&" + value.text;
  found.push_back(plain_argument("nullptr", fmt::format("static_cast<{}>(nullptr)", name)));
  return found;
}

std::vector<std::string> ValueMaker::unused_types() const {
  std::vector<std::string> unused;
  for (const auto& [type, values] : users_)
    if (!used_.contains(type)) unused.push_back(type);
  return unused;
}

std::string ValueMaker::reason_against(const std::string& type) const {
  const TypeModel& model = types_.find(type);
  switch (model.kind) {
    case TypeKind::kClass:
      if (model.is_abstract) return "it is abstract, and no class that implements it can be made up";
      return model.constructors.empty() ? "it has no public constructor"
                                        : "its constructors take values that cannot be made up";
    case TypeKind::kContainer:
    case TypeKind::kValueHolder:
    case TypeKind::kSmartPointer:
      return "what it holds cannot be made up";
    case TypeKind::kPointer:
      return "there is nothing that it could point to";
    default:
      return "it is of a kind that heddle knows nothing about";
  }
}

}  // namespace heddle::generate
