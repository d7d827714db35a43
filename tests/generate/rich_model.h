// The model of shop::Stock in rich_subject.h.
#pragma once

#include "model_maker.h"

namespace heddle::generate {

inline void add_rich_types(ClassModel& model) {
  TypeModel level = type("shop::Level", TypeKind::kEnum);
  level.enumerators = {"shop::Level::kLow", "shop::Level::kHigh"};
  add_type(model, level);
  add_type(model,
           class_type("shop::Key", {constructor({{"number", "int", ""}}),
                                    constructor({{"number", "int", ""}, {"name", "std::string", ""}})}));
  add_type(model, class_type("shop::Options", {constructor({})}));
  TypeModel listener = type("shop::Listener", TypeKind::kClass);
  listener.is_abstract = true;
  listener.is_copyable = false;
  listener.pure_virtuals = {
      method("void", "on_change", {{"key", "const shop::Key&", ""}, {"value", "int", ""}}),
      const_method("int", "priority"), const_method("const std::string&", "name")};
  listener.pure_virtuals[0].is_noexcept = true;
  add_type(model, listener);
  TypeModel logger = class_type("shop::Logger", {constructor({{"name", "std::string", ""}})});
  logger.is_copyable = logger.is_movable = false;
  add_type(model, logger);
  TypeModel ticket = type("shop::Ticket", TypeKind::kClass);
  ticket.is_copyable = false;
  add_type(model, ticket);
  add_type(model, type("shop::Socket", TypeKind::kClass));
  add_type(model, type("shop::Stock::iterator", TypeKind::kOther));
  add_type(model, type("void (*)()", TypeKind::kFunction, {"void"}));
  add_type(model, type("auto:auto(int)", TypeKind::kCallable, {"auto", "int"}));
}

inline ClassModel rich_model() {
  ClassModel model = model_with({
      method("int", "add", {{"item", "const std::string&", ""}}),
      method("void", "remove", {{"id", "int", ""}}),
      method("bool", "try_take", {{"value", "int&", ""}}),
      method("void", "take", {{"name", "std::string&", ""}}),
      method("bool", "exchange", {{"expected", "int&", ""}, {"desired", "int", ""}}),
      method("std::size_t", "read", {{"buffer", "char *", ""}, {"size", "std::size_t", ""}}),
      method("void", "write", {{"data", "const unsigned char *", ""}, {"size", "std::size_t", ""}}),
      method("bool", "put",
             {{"key", "const shop::Key&", ""}, {"value", "int", "0"}, {"force", "bool", "false"}}),
      method("void", "set_level", {{"level", "shop::Level", ""}}),
      method("void", "set_options", {{"options", "shop::Options", ""}}),
      method("void", "add_all", {{"from", "const shop::Stock&", ""}}),
      method("void", "swap", {{"with", "shop::Stock&", ""}}),
      method("void", "link", {{"next", "shop::Stock *", ""}}),
      method("void", "steal", {{"from", "shop::Stock&&", ""}}),
      method("void", "subscribe", {{"listener", "shop::Listener *", ""}}),
      method("void", "subscribe_shared", {{"listener", "std::shared_ptr<shop::Listener>", ""}}),
      method("void", "own", {{"listener", "std::unique_ptr<shop::Listener>", ""}}),
      method("void", "log_to", {{"logger", "shop::Logger&", ""}}),
      method("void", "update",
             {{"key", "const shop::Key&", ""}, {"change", "const std::function<int (int)>&", ""}}),
      method("void", "on_empty", {{"callback", "void (*)()", ""}}),
      const_method("void", "visit", {{"visitor", "const std::function<void (const shop::Key&, int&)>&", ""}}),
      const_method("std::size_t", "count_if", {{"predicate", "const std::function<bool (int)>&", ""}}),
      method_template("void", "for_each", {{"function", "auto:auto(int)", ""}}),
      method_template("void", "emplace"),
      method_template("void", "assign", {{"first", "auto", ""}, {"last", "auto", ""}}),
      method("shop::Ticket", "reserve"),
      method("void", "give_back", {{"ticket", "shop::Ticket", ""}}),
      const_method("std::optional<shop::Key>", "find", {{"name", "std::string_view", ""}}),
      method("void", "erase",
             {{"first", "shop::Stock::iterator", ""}, {"last", "shop::Stock::iterator", ""}}),
      method("shop::Stock::iterator", "begin"),
      method("shop::Stock::iterator", "end"),
      method("bool", "wait_for", {{"timeout", "std::chrono::milliseconds", ""}}),
      method("void", "fill", {{"values", "const std::vector<int>&", ""}}),
      method("void", "rename", {{"names", "const std::map<int, std::string>&", ""}}),
      method("void", "choose", {{"choice", "const std::variant<int, std::string>&", ""}}),
      method("void", "limit", {{"limit", "std::optional<int>", ""}}),
      method("void", "connect", {{"socket", "shop::Socket&", ""}}),
      const_method("void", "print", {{"out", "std::ostream&", ""}}),
      method("int&", "at", {{"index", "std::size_t", ""}}),
      const_method("const int&", "at", {{"index", "std::size_t", ""}}),
      method("int&", "operator[]", {{"index", "std::size_t", ""}}),
      method("shop::Stock&", "operator+=", {{"number", "int", ""}}),
      method("shop::Stock&", "operator++"),
      method("shop::Stock", "operator++", {{"", "int", ""}}),
      method("bool", "operator()", {{"number", "int", ""}}),
      const_method("bool", "operator bool"),
      const_method("bool", "empty"),
      const_method("std::size_t", "size"),
      static_method("int", "stocks"),
  });
  for (Callable& one : model.methods)
    if (one.name == "emplace") one.is_variadic = true;
  Callable make;
  make.kind = CallableKind::kFactory;
  make.name = "shop::Stock::make";
  make.result = "shop::Stock";
  make.parameters = {{"level", "shop::Level", ""}};
  model.constructors = {constructor({}), constructor({{"capacity", "std::size_t", ""}}),
                        constructor({{"name", "std::string", ""}, {"logger", "shop::Logger&", ""}}), make};
  model.fields = {{"mutex_", "std::mutex", "shop::Stock"},
                  {"items_", "std::map<int, std::string>", "shop::Stock"},
                  {"listeners_", "std::vector<shop::Listener*>", "shop::Stock"}};
  model.is_copyable = true;
  model.has_equality = true;
  add_rich_types(model);
  return model;
}

}  // namespace heddle::generate
