#include "generate/operation_maker.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rich_model.h"

namespace heddle::generate {
namespace {

using Texts = std::vector<std::string>;

constexpr size_t kMost = 400;

MadeOperations operations_of(ClassModel model, const UserPools& pools = {}, size_t most = kMost) {
  return make_operations(model, pools, most);
}

// The codes of a method's calls on the object.
Texts codes_of(const MadeOperations& made, uint32_t method, const std::string& receiver = "object") {
  Texts codes;
  for (const Operation& operation : made.table.operations) {
    if (!operation.is_constructor && operation.callable == method && operation.receiver == receiver)
      codes.push_back(operation.code);
  }
  return codes;
}

Texts constructions_of(const MadeOperations& made) {
  Texts codes;
  for (const Operation& operation : made.table.operations)
    if (operation.is_constructor) codes.push_back(operation.code);
  return codes;
}

// Of a class whose only method is this one.
Texts calls_of(Callable method) {
  return codes_of(operations_of(model_with({std::move(method)})), 0);
}

bool has(const Texts& texts, const std::string& text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

const Operation* find_operation(const MadeOperations& made, const std::string& code) {
  for (const Operation& operation : made.table.operations)
    if (operation.code == code) return &operation;
  return nullptr;
}

TEST(OperationMaker, NumbersAreFewAndAtTheirEdges) {
  EXPECT_EQ(
      calls_of(method("void", "put", {{"key", "int", ""}})),
      (Texts{"object.put(1)", "object.put(2)", "object.put(0)", "object.put(-1)", "object.put(7)",
             "object.put(std::numeric_limits<int>::max())", "object.put(std::numeric_limits<int>::min())"}));
}

TEST(OperationMaker, UnsignedNumbersAreNotNegative) {
  EXPECT_EQ(calls_of(method("void", "put", {{"key", "unsigned int", ""}})).back(),
            "object.put(std::numeric_limits<unsigned int>::max())");
  EXPECT_FALSE(has(calls_of(method("void", "put", {{"key", "unsigned int", ""}})), "object.put(-1)"));
}

TEST(OperationMaker, SizesAndTimesAreNeverHuge) {
  const Texts small = {"1", "2", "0", "7"};
  for (const char* name : {"newCapacity", "timeout_ms", "count"}) {
    Texts expected;
    for (const std::string& number : small) expected.push_back("object.set(" + number + ")");
    EXPECT_EQ(calls_of(method("void", "set", {{name, "long", ""}})), expected) << name;
  }
  EXPECT_FALSE(has(calls_of(method("void", "reserve", {{"", "unsigned long", ""}})),
                   "object.reserve(std::numeric_limits<unsigned long>::max())"));
}

TEST(OperationMaker, StringsAreWrittenAsLiterals) {
  const Texts expected = {"object.add(\"a\")", "object.add(\"b\")", "object.add(\"\")",
                          "object.add(\"a longer text\")"};
  for (const char* type :
       {"const std::string &", "std::basic_string<char>", "std::string_view", "const char *"})
    EXPECT_EQ(calls_of(method("void", "add", {{"text", type, ""}})), expected) << type;
}

TEST(OperationMaker, EnumeratorsAreTriedUpToALimit) {
  ClassModel model = model_with({method("void", "set", {{"color", "shop::Color", ""}})});
  TypeModel color = type("shop::Color", TypeKind::kEnum);
  for (int i = 0; i < 20; ++i) color.enumerators.push_back("shop::Color::k" + std::to_string(i));
  add_type(model, color);
  const Texts codes = codes_of(operations_of(model), 0);
  EXPECT_EQ(codes.size(), 6U);
  EXPECT_EQ(codes.front(), "object.set(shop::Color::k0)");
}

TEST(OperationMaker, ContainersAreEmptyOrHaveOneOrThreeElements) {
  EXPECT_EQ(calls_of(method("void", "fill", {{"values", "const std::vector<std::string>&", ""}})),
            (Texts{"object.fill(std::vector<std::string>{\"a\"})",
                   "object.fill(std::vector<std::string>{\"a\", \"b\", \"\"})",
                   "object.fill(std::vector<std::string>{})"}));
  EXPECT_EQ(calls_of(method("void", "fill", {{"values", "std::initializer_list<int>", ""}})).front(),
            "object.fill({1})");
}

TEST(OperationMaker, MapsHavePairsOfDifferentValues) {
  EXPECT_TRUE(has(calls_of(method("void", "fill", {{"values", "std::map<int, std::string>", ""}})),
                  "object.fill(std::map<int, std::string>{{1, \"a\"}, {2, \"b\"}, {0, \"\"}})"));
}

TEST(OperationMaker, HoldersAreMadeOfWhatTheyHold) {
  EXPECT_EQ(calls_of(method("void", "set", {{"limit", "std::optional<int>", ""}})),
            (Texts{"object.set(1)", "object.set(2)", "object.set(std::nullopt)"}));
  EXPECT_EQ(calls_of(method("void", "set", {{"range", "std::pair<int, bool>", ""}})).front(),
            "object.set(std::pair<int, bool>{1, true})");
}

TEST(OperationMaker, DurationsAreShort) {
  const Texts expected = {"object.wait(std::chrono::milliseconds(1))",
                          "object.wait(std::chrono::milliseconds(0))"};
  EXPECT_EQ(calls_of(method("bool", "wait",
                            {{"timeout", "std::chrono::duration<long, std::ratio<1, 1000> >", ""}})),
            expected);
  EXPECT_EQ(calls_of(method_template("bool", "wait",
                                     {{"timeout", "const std::chrono::duration<auto, auto>&", ""}})),
            expected);
}

TEST(OperationMaker, ClassesAreBuiltByTheirConstructors) {
  ClassModel model = model_with({method("void", "put", {{"key", "const shop::Key&", ""}})});
  add_rich_types(model);
  EXPECT_EQ(codes_of(operations_of(model), 0),
            (Texts{"object.put(shop::Key(1))", "object.put(shop::Key(2))", "object.put(shop::Key(1, \"a\"))",
                   "object.put(shop::Key(2, \"b\"))"}));
}

TEST(OperationMaker, ClassesThatNeedThemselvesAreNamedAsImpossible) {
  ClassModel model = model_with({method("void", "put", {{"node", "shop::Node", ""}})});
  add_type(model, class_type("shop::Node", {constructor({{"edge", "shop::Edge", ""}})}));
  add_type(model, class_type("shop::Edge", {constructor({{"node", "shop::Node", ""}})}));
  const MadeOperations made = operations_of(model);
  EXPECT_TRUE(codes_of(made, 0).empty());
  ASSERT_EQ(made.unusable.size(), 1U);
  EXPECT_EQ(made.unusable[0].signature, "put(shop::Node)");
  EXPECT_EQ(made.unusable[0].reason,
            "no value of shop::Node can be made up: its constructors take values that cannot be made up");
  EXPECT_EQ(made.unusable[0].help, "give some under [values] in a --pools file");
}

TEST(OperationMaker, StreamsAreNamedAsImpossible) {
  const MadeOperations made =
      operations_of(model_with({const_method("void", "print", {{"out", "std::ostream &", ""}})}));
  ASSERT_EQ(made.unusable.size(), 1U);
  EXPECT_EQ(made.unusable[0].reason, "it takes a stream");
}

TEST(OperationMaker, WhatAnotherCallGaveBackIsTakenFirst) {
  const MadeOperations made = operations_of(model_with(
      {method("int", "add", {{"item", "bool", ""}}), method("void", "remove", {{"id", "int", ""}})}));
  EXPECT_EQ(codes_of(made, 1).front(), "object.remove($0)");
  EXPECT_EQ(find_operation(made, "object.remove($0)")->needs, (std::vector<uint32_t>{0}));
}

TEST(OperationMaker, NumbersThatMeanSomethingElseAreNotTaken) {
  const MadeOperations made = operations_of(
      model_with({const_method("int", "price"), method("void", "set_color", {{"red", "int", ""}})}));
  EXPECT_FALSE(has(codes_of(made, 1), "object.set_color($0)"));
}

TEST(OperationMaker, WhatCannotBeCopiedIsGivenAway) {
  ClassModel model = model_with(
      {method("shop::Ticket", "reserve"), method("void", "give_back", {{"ticket", "shop::Ticket", ""}})});
  add_rich_types(model);
  const MadeOperations made = operations_of(model);
  EXPECT_EQ(codes_of(made, 1), Texts{"object.give_back(std::move($0))"});
  EXPECT_EQ(find_operation(made, "object.give_back(std::move($0))")->moves, (std::vector<uint32_t>{0}));
}

TEST(OperationMaker, ResultsAreTakenOutOfPointersAndOptionals) {
  ClassModel model = model_with({method("std::optional<shop::Ticket>", "find"), method("shop::Item*", "open"),
                                 method("void", "close", {{"item", "shop::Item&", ""}}),
                                 method("void", "cancel", {{"ticket", "const shop::Ticket&", ""}})});
  add_type(model, type("shop::Ticket", TypeKind::kClass));
  add_type(model, type("shop::Item", TypeKind::kClass));
  const MadeOperations made = operations_of(model);
  EXPECT_EQ(codes_of(made, 2).front(), "object.close(*$1)");
  EXPECT_EQ(codes_of(made, 3), Texts{"object.cancel($0.value())"});
}

TEST(OperationMaker, AClassGetsBackItsOwnPointersAlone) {
  ClassModel model = model_with(
      {method("shop::Item*", "acquire"), method("void", "put_back", {{"item", "shop::Item*", ""}})});
  add_type(model, class_type("shop::Item", {constructor({})}));
  const MadeOperations made = operations_of(model);
  EXPECT_EQ(codes_of(made, 1), Texts{"object.put_back($0)"});
  EXPECT_TRUE(made.table.fixtures.empty());
}

TEST(OperationMaker, ResultsThatNobodyCanGiveMakeACallImpossible) {
  ClassModel model = model_with({method("shop::Ticket", "renew", {{"ticket", "shop::Ticket", ""}})});
  add_rich_types(model);
  const MadeOperations made = operations_of(model);
  EXPECT_TRUE(codes_of(made, 0).empty());
  ASSERT_EQ(made.unusable.size(), 1U);
  EXPECT_EQ(made.unusable[0].reason, "it takes results of calls that cannot be made");
}

TEST(OperationMaker, IteratorsAreThoseOfTheObject) {
  ClassModel model =
      model_with({method("shop::It", "begin"), method("shop::It", "end"),
                  method("void", "erase", {{"at", "shop::It", ""}}),
                  method("void", "cut", {{"first", "shop::It", ""}, {"last", "shop::It", ""}})});
  const MadeOperations made = operations_of(model);
  EXPECT_EQ(codes_of(made, 2), (Texts{"object.erase(object.begin())", "object.erase(object.end())"}));
  EXPECT_EQ(codes_of(made, 3), Texts{"object.cut(object.begin(), object.end())"});
}

TEST(OperationMaker, WhatACallFillsInIsPartOfItsResult) {
  const MadeOperations made =
      operations_of(model_with({method("bool", "try_pop", {{"value", "int&", ""}}),
                                method("void", "pop", {{"value", "std::string&", ""}}),
                                method("void", "peek", {{"value", "double*", ""}})}));
  EXPECT_EQ(codes_of(made, 0),
            Texts{"[&] { int out{}; bool result = object.try_pop(out); return std::pair(result, out); }()"});
  EXPECT_EQ(codes_of(made, 1), Texts{"[&] { std::string out; object.pop(out); return out; }()"});
  EXPECT_EQ(codes_of(made, 2), Texts{"[&] { double out{}; object.peek(&out); return out; }()"});
  const Operation& first = *find_operation(made, codes_of(made, 0)[0]);
  EXPECT_EQ(first.label, "try_pop(out)");
  EXPECT_TRUE(first.has_result);
}

TEST(OperationMaker, WhatIsComparedWithIsGivenInDifferentStates) {
  const MadeOperations made = operations_of(
      model_with({method("bool", "exchange", {{"expected", "bool&", ""}, {"desired", "bool", ""}})}));
  const Operation* operation = find_operation(
      made,
      "[&] { bool out = true; bool result = object.exchange(out, false); return std::pair(result, out); }()");
  ASSERT_NE(operation, nullptr);
  EXPECT_EQ(operation->label, "exchange(out = true, false)");
}

TEST(OperationMaker, BuffersHaveRoomForEveryNumberGivenBesideThem) {
  EXPECT_EQ(calls_of(method("void", "read", {{"to", "char*", ""}, {"size", "int", ""}})).back(),
            "[&] { std::array<char, 8> out{}; object.read(out.data(), 7); return out; }()");
}

TEST(OperationMaker, TextsAreLongEnoughForEveryNumberGivenBesideThem) {
  EXPECT_EQ(calls_of(method("void", "append", {{"text", "const char *", ""}, {"size", "unsigned long", ""}}))
                .front(),
            "object.append(\"a longer text\", 1)");
  EXPECT_EQ(
      calls_of(method("void", "write", {{"data", "const void *", ""}, {"end", "unsigned long", ""}})).back(),
      "object.write(std::array<char, 8>{'a', 'b'}.data(), 7)");
}

TEST(OperationMaker, APointerThatIsFilledInIsAVariable) {
  ClassModel model = model_with({method("bool", "try_open", {{"item", "shop::Item *&", ""}})});
  add_type(model, class_type("shop::Item", {constructor({})}));
  EXPECT_EQ(
      codes_of(operations_of(model), 0),
      Texts{
          "[&] { shop::Item* out{}; bool result = object.try_open(out); return std::pair(result, out); }()"});
}

TEST(OperationMaker, WhatTheObjectMayKeepLivesAsLongAsIt) {
  ClassModel model = model_with({method("void", "log_to", {{"logger", "shop::Logger&", ""}})});
  add_rich_types(model);
  const MadeOperations made = operations_of(model);
  EXPECT_EQ(codes_of(made, 0), (Texts{"object.log_to(logger_1)", "object.log_to(logger_2)"}));
  ASSERT_EQ(made.table.fixtures.size(), 2U);
  EXPECT_EQ(made.table.fixtures[0].declaration, "shop::Logger logger_1 = shop::Logger(\"a\");");
  EXPECT_EQ(find_operation(made, "object.log_to(logger_2)")->fixtures, (std::vector<uint32_t>{1}));
}

TEST(OperationMaker, AbstractClassesAreImplemented) {
  ClassModel model = model_with({method("void", "subscribe", {{"listener", "shop::Listener *", ""}})});
  add_rich_types(model);
  const MadeOperations made = operations_of(model);
  EXPECT_EQ(codes_of(made, 0), (Texts{"object.subscribe(&listener_1)", "object.subscribe(&listener_2)",
                                      "object.subscribe(nullptr)"}));
  ASSERT_EQ(made.table.fixtures.size(), 2U);
  EXPECT_EQ(made.table.fixtures[0].definition,
            "struct QuietListener : shop::Listener {\n"
            "  void on_change(const shop::Key&, int) noexcept override {}\n"
            "  int priority() const override { return 1; }\n"
            "  const std::string& name() const override { static std::string value{\"a\"}; return value; }\n"
            "};");
  // One of them brings the definition for both.
  EXPECT_EQ(made.table.fixtures[1].definition, "");
  EXPECT_EQ(find_operation(made, "object.subscribe(&listener_2)")->fixtures, (std::vector<uint32_t>{0, 1}));
}

TEST(OperationMaker, SharedObjectsCanBeMetAgain) {
  ClassModel model =
      model_with({method("void", "add", {{"logger", "std::shared_ptr<shop::Logger>", ""}}),
                  method("void", "drop", {{"logger", "const std::shared_ptr<shop::Logger>&", ""}})});
  add_rich_types(model);
  const MadeOperations made = operations_of(model);
  EXPECT_EQ(codes_of(made, 0),
            (Texts{"object.add(logger_1)", "object.add(logger_2)", "object.add(nullptr)"}));
  EXPECT_EQ(codes_of(made, 1).front(), "object.drop(logger_1)");
}

TEST(OperationMaker, CallbacksDoLittleAndThrowLast) {
  EXPECT_EQ(calls_of(method("void", "update", {{"change", "const std::function<int (int)>&", ""}})),
            (Texts{"object.update([](int value) { return value + 1; })",
                   "object.update([](int) { return 1; })", "object.update([](int) { return 2; })",
                   "object.update([](int) -> int { throw std::runtime_error(\"callback\"); })"}));
  EXPECT_EQ(calls_of(const_method("bool", "any", {{"test", "std::function<bool(const std::string&)>", ""}}))
                .front(),
            "object.any([](const std::string&) { return true; })");
}

// What is passed on by reference may have been taken away meanwhile, which only shows if somebody looks.
TEST(OperationMaker, CallbacksLookAtWhatTheyAreShown) {
  EXPECT_EQ(calls_of(method("void", "watch",
                            {{"watcher", "std::function<void(const int&, const std::string&)>", ""}}))
                .front(),
            "object.watch([](const int& value_1, const std::string& value_2) { heddle::look_at(value_1, "
            "value_2); })");
  EXPECT_EQ(calls_of(method("void", "watch", {{"watcher", "std::function<void(int)>", ""}})).front(),
            "object.watch([](int) {})");
}

TEST(OperationMaker, CallbacksOfTemplatesAreToldByWhatIsKnownOfThem) {
  ClassModel model = model_with({method_template("void", "for_each", {{"visit", "auto:auto(int)", ""}}),
                                 method_template("bool", "any", {{"test", "auto:bool(auto)", ""}})});
  add_type(model, type("auto:auto(int)", TypeKind::kCallable, {"auto", "int"}));
  add_type(model, type("auto:bool(auto)", TypeKind::kCallable, {"bool", "auto"}));
  const MadeOperations made = operations_of(model);
  EXPECT_EQ(codes_of(made, 0).front(), "object.for_each([](auto& value) { ++value; })");
  EXPECT_EQ(codes_of(made, 1).front(), "object.any([](auto&&) { return true; })");
}

TEST(OperationMaker, CallbacksOfTemplatesGiveWhatTheirMethodDoes) {
  ClassModel model =
      model_with({method_template("std::string", "compute", {{"how", "auto:auto(auto)", ""}})});
  add_type(model, type("auto:auto(auto)", TypeKind::kCallable, {"auto", "auto"}));
  EXPECT_EQ(codes_of(operations_of(model), 0).front(),
            "object.compute([](auto&&) -> std::string { return \"a\"; })");
}

TEST(OperationMaker, TemplatesGetWhatTheClassIsAbout) {
  ClassModel model =
      model_with({method_template("void", "put", {{"key", "auto", ""}, {"value", "auto", ""}})});
  model.name = model.spelled = "shop::Table<std::string, int>";
  EXPECT_EQ(codes_of(operations_of(model), 0).front(), "object.put(std::string(\"a\"), 1)");
  Callable emplace = method_template("void", "emplace");
  emplace.is_variadic = true;
  model.methods = {emplace};
  const Texts codes = codes_of(operations_of(model), 0);
  EXPECT_EQ(codes[0], "object.emplace(std::string(\"a\"))");
  EXPECT_EQ(codes[1], "object.emplace(std::string(\"a\"), 1)");
}

TEST(OperationMaker, AnotherObjectOfTheClassMeetsTheObjectBothWays) {
  const MadeOperations made = operations_of(
      model_with({method("void", "add_all", {{"from", "const shop::Stock&", ""}}), method("void", "clear")}));
  EXPECT_TRUE(made.table.has_other);
  EXPECT_EQ(codes_of(made, 0), (Texts{"object.add_all(other)", "object.add_all(object)"}));
  EXPECT_EQ(codes_of(made, 0, "other"), Texts{"other.add_all(object)"});
  EXPECT_EQ(codes_of(made, 1, "other"), Texts{"other.clear()"});
  EXPECT_TRUE(find_operation(made, "object.add_all(other)")->takes_other);
  EXPECT_FALSE(find_operation(made, "object.clear()")->takes_other);
}

TEST(OperationMaker, ThereIsNoOtherObjectIfNothingTakesOne) {
  const MadeOperations made = operations_of(model_with({method("void", "clear")}));
  EXPECT_FALSE(made.table.has_other);
  EXPECT_TRUE(codes_of(made, 0, "other").empty());
}

TEST(OperationMaker, ClassesWithALockAreCopiedAndAssigned) {
  ClassModel model = model_with({const_method("int", "size"), const_method("bool", "empty")});
  model.is_copyable = true;
  EXPECT_EQ(operations_of(model).table.operations.size(), 3U)
      << "copies of anything else are nobody's promise";
  model.fields = {{"mutex_", "std::mutex", "shop::Stock"}};
  const MadeOperations made = operations_of(model);
  EXPECT_NE(find_operation(
                made, "[&] { shop::Stock copy(object); return std::tuple(copy.size(), copy.empty()); }()"),
            nullptr);
  EXPECT_NE(find_operation(made, "object = other"), nullptr);
}

TEST(OperationMaker, OperatorsAreWrittenAsPeopleDo) {
  const MadeOperations made = operations_of(model_with({
      method("int&", "operator[]", {{"index", "int", ""}}),
      method("shop::Stock&", "operator++"),
      method("shop::Stock", "operator++", {{"", "int", ""}}),
      method("bool", "operator()", {{"flag", "bool", ""}}),
      const_method("bool", "operator==", {{"with", "const shop::Stock&", ""}}),
      const_method("bool", "operator bool"),
      const_method("bool", "operator!"),
      method("shop::Stock&", "operator<<", {{"flag", "bool", ""}}),
  }));
  for (const char* code : {"object[1]", "++object", "object++", "object(true)", "object == other",
                           "static_cast<bool>(object)", "!object", "object << true"})
    EXPECT_NE(find_operation(made, code), nullptr) << code;
  EXPECT_EQ(find_operation(made, "object[1]")->label, "object[1]");
}

TEST(OperationMaker, StaticMethodsHaveNoReceiver) {
  const MadeOperations made = operations_of(model_with({static_method("int", "stocks")}));
  EXPECT_EQ(codes_of(made, 0, ""), Texts{"shop::Stock::stocks()"});
}

TEST(OperationMaker, ConstantOverloadsAreAskedAsConstant) {
  const MadeOperations made =
      operations_of(model_with({method("int&", "front"), const_method("const int&", "front")}));
  EXPECT_EQ(codes_of(made, 0), Texts{"object.front()"});
  EXPECT_EQ(codes_of(made, 1), Texts{"std::as_const(object).front()"});
}

TEST(OperationMaker, OverloadsAreToldApartByTypes) {
  const MadeOperations made = operations_of(model_with(
      {method("void", "put", {{"key", "int", ""}}), method("void", "put", {{"key", "long", ""}})}));
  EXPECT_EQ(codes_of(made, 0).front(), "object.put(1)");
  EXPECT_EQ(codes_of(made, 1).front(), "object.put(1L)");
}

TEST(OperationMaker, DefaultArgumentsAreLeftOutAndGiven) {
  EXPECT_EQ(calls_of(method("void", "clear", {{"deep", "bool", "false"}})),
            (Texts{"object.clear()", "object.clear(true)", "object.clear(false)"}));
}

TEST(OperationMaker, ManyParametersAreMixedInPairs) {
  const Texts codes = calls_of(
      method("void", "set", {{"a", "bool", ""}, {"b", "bool", ""}, {"c", "bool", ""}, {"d", "bool", ""}}));
  EXPECT_EQ(codes.front(), "object.set(true, true, true, true)");
  EXPECT_LE(codes.size(), 8U) << "of 16 combinations";
  std::set<std::string> pairs;
  for (const std::string& code : codes) pairs.insert(code.substr(0, code.find(',', code.find(',') + 1)));
  EXPECT_EQ(pairs.size(), 4U);
}

TEST(OperationMaker, SmallCapacitiesAreConstructedFirst) {
  ClassModel model = model_with({});
  model.constructors = {constructor({}),
                        constructor({{"capacity", "unsigned long", "1000"}, {"fair", "bool", ""}}),
                        constructor({{"capacity", "unsigned long", ""}})};
  const Texts codes = constructions_of(operations_of(model));
  EXPECT_EQ(codes.front(), "(2)");
  EXPECT_TRUE(has(codes, "{}"));
  EXPECT_TRUE(has(codes, "(2, true)"));
}

TEST(OperationMaker, FactoriesStandBehindAnEqualsSign) {
  ClassModel model = model_with({});
  Callable factory = constructor({{"limit", "int", ""}});
  factory.kind = CallableKind::kFactory;
  factory.name = "shop::open_stock";
  model.constructors = {factory};
  EXPECT_EQ(constructions_of(operations_of(model)).front(), " = shop::open_stock(2)");
}

TEST(OperationMaker, AFactoryOfTheClassIsNoMethodOfTheObject) {
  ClassModel model = model_with({static_method("std::shared_ptr<shop::Stock>", "open")});
  model.methods[0].owner = "shop::Stock";
  Callable factory = model.methods[0];
  factory.kind = CallableKind::kFactory;
  factory.name = "shop::Stock::open";
  model.constructors = {factory};
  const MadeOperations made = operations_of(model);
  EXPECT_EQ(constructions_of(made), Texts{" = shop::Stock::open()"});
  EXPECT_EQ(made.table.operations.size(), 1U);
}

TEST(OperationMaker, AbstractClassesCannotBeConstructed) {
  ClassModel model = model_with({});
  model.is_abstract = true;
  const MadeOperations made = operations_of(model);
  EXPECT_EQ(made.table.constructors, 0U);
  ASSERT_EQ(made.unusable.size(), 1U);
  EXPECT_EQ(made.unusable[0].reason, "the class is abstract");
}

TEST(OperationMaker, ValuesOfTheUserReplaceThoseMadeUp) {
  ClassModel model = model_with({method("void", "put", {{"key", "const shop::Key &", ""}})});
  add_rich_types(model);
  UserPools pools;
  pools.values["shop::Key"] = {"shop::Key(42)"};
  pools.values["shop::Unknown"] = {"1"};
  const MadeOperations made = operations_of(model, pools);
  EXPECT_EQ(codes_of(made, 0), Texts{"object.put(shop::Key(42))"});
  ASSERT_EQ(made.unusable.size(), 1U);
  EXPECT_EQ(made.unusable[0].signature, "[values] \"shop::Unknown\"");
}

TEST(OperationMaker, SkippedMethodsAreLeftOutWithoutAWord) {
  ClassModel model = model_with({method("void", "connect"), method("void", "wait", {{"time", "int", ""}}),
                                 method("void", "wait", {{"text", "bool", ""}})});
  UserPools pools;
  pools.skip = {"connect", "wait( int )"};
  const MadeOperations made = operations_of(model, pools);
  EXPECT_TRUE(codes_of(made, 0).empty());
  EXPECT_TRUE(codes_of(made, 1).empty());
  EXPECT_FALSE(codes_of(made, 2).empty());
  EXPECT_TRUE(made.unusable.empty());
}

TEST(OperationMaker, ObserversOfTheUserAreAskedBeforeAllOthers) {
  ClassModel model = model_with({const_method("int", "size")});
  UserPools pools;
  pools.observe = {"object.size()", "object.at(1), 2"};
  pools.invariant = {"object.size() <= 8"};
  const MadeOperations made = make_operations(model, pools, kMost);
  ASSERT_EQ(model.methods.size(), 4U);
  ASSERT_EQ(made.table.constructors, 1U);
  const Operation& comma = made.table.operations[2];
  EXPECT_EQ(comma.code, "(object.at(1), 2)");
  EXPECT_EQ(comma.label, "object.at(1), 2");
  EXPECT_EQ(made.table.operations[3].label, "object.size() <= 8");
  EXPECT_EQ(model.methods[made.table.operations[3].callable].name, "invariant");
  EXPECT_TRUE(comma.is_const && comma.has_result);
  for (size_t i = 1; i < 4; ++i) EXPECT_EQ(made.table.operations[i].receiver, "object");
}

TEST(OperationMaker, LinesOfTheUserReplaceTheConstructors) {
  ClassModel model = model_with({});
  UserPools pools;
  pools.construct = {"(3)", "= shop::make(1)", "4, 5"};
  const MadeOperations made = make_operations(model, pools, kMost);
  EXPECT_EQ(constructions_of(made), (Texts{"(3)", " = shop::make(1)", "(4, 5)"}));
  EXPECT_EQ(model.constructors.size(), 3U);
}

TEST(OperationMaker, EveryCallableHasAnOperationOrAReason) {
  for (const size_t most : {kMost, size_t{60}, size_t{10}}) {
    ClassModel model = rich_model();
    const MadeOperations made = make_operations(model, {}, most);
    EXPECT_LE(made.table.operations.size(), most);
    std::set<uint32_t> called;
    for (const Operation& operation : made.table.operations)
      if (!operation.is_constructor) called.insert(operation.callable);
    for (uint32_t i = 0; i < model.methods.size(); ++i) {
      const bool has_reason =
          std::any_of(made.unusable.begin(), made.unusable.end(),
                      [&](const Unusable& one) { return one.signature == model.methods[i].signature(); });
      EXPECT_NE(called.contains(i), has_reason) << model.methods[i].signature() << " of " << most;
    }
  }
}

TEST(OperationMaker, NumbersAndLabelsTellOperationsApart) {
  const MadeOperations made = operations_of(rich_model());
  std::set<std::string> labels;
  for (size_t i = 0; i < made.table.operations.size(); ++i) {
    const Operation& operation = made.table.operations[i];
    EXPECT_EQ(static_cast<size_t>(operation.id), i);
    EXPECT_EQ(operation.is_constructor, i < made.table.constructors);
    EXPECT_TRUE(labels.insert(operation.label).second) << operation.label;
    for (const uint32_t fixture : operation.fixtures) EXPECT_LT(fixture, made.table.fixtures.size());
  }
}

TEST(OperationMaker, EveryMethodIsCalledBeforeAnyIsCalledOften) {
  const MadeOperations made = operations_of(model_with({method("void", "put", {{"key", "int", ""}}),
                                                        method("void", "clear"), method("void", "stop")}),
                                            {}, 6);
  EXPECT_EQ(codes_of(made, 0).size(), 3U);
  EXPECT_EQ(codes_of(made, 1).size(), 1U);
  EXPECT_EQ(codes_of(made, 2).size(), 1U);
}

TEST(OperationMaker, TheSameModelGivesTheSameOperations) {
  const MadeOperations one = operations_of(rich_model());
  const MadeOperations two = operations_of(rich_model());
  ASSERT_EQ(one.table.operations.size(), two.table.operations.size());
  for (size_t i = 0; i < one.table.operations.size(); ++i)
    EXPECT_EQ(one.table.operations[i].code, two.table.operations[i].code);
}

}  // namespace
}  // namespace heddle::generate
