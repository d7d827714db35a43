// Class models for tests, written shortly.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "generate/class_model.h"

namespace heddle::generate {

inline Callable constructor(std::vector<Parameter> parameters) {
  Callable made;
  made.kind = CallableKind::kConstructor;
  made.parameters = std::move(parameters);
  return made;
}

inline Callable method(const std::string& result, const std::string& name,
                       std::vector<Parameter> parameters = {}) {
  Callable made;
  made.name = name;
  made.result = result;
  made.parameters = std::move(parameters);
  return made;
}

inline Callable const_method(const std::string& result, const std::string& name,
                             std::vector<Parameter> parameters = {}) {
  Callable made = method(result, name, std::move(parameters));
  made.is_const = true;
  return made;
}

inline Callable static_method(const std::string& result, const std::string& name,
                              std::vector<Parameter> parameters = {}) {
  Callable made = method(result, name, std::move(parameters));
  made.is_static = true;
  return made;
}

inline Callable method_template(const std::string& result, const std::string& name,
                                std::vector<Parameter> parameters = {}) {
  Callable made = method(result, name, std::move(parameters));
  made.is_template = true;
  return made;
}

inline TypeModel type(const std::string& name, TypeKind kind, std::vector<std::string> elements = {}) {
  TypeModel made;
  made.name = name;
  made.kind = kind;
  made.elements = std::move(elements);
  return made;
}

inline TypeModel class_type(const std::string& name, std::vector<Callable> constructors) {
  TypeModel made = type(name, TypeKind::kClass);
  made.constructors = std::move(constructors);
  for (const Callable& one : made.constructors) made.is_default_constructible |= one.parameters.empty();
  return made;
}

inline void add_type(ClassModel& model, TypeModel added) {
  const std::string name = added.name;
  model.types.emplace(name, std::move(added));
}

// Of a class "shop::Stock" that a default constructor makes.
inline ClassModel model_with(std::vector<Callable> methods) {
  ClassModel model;
  model.name = model.spelled = "shop::Stock";
  model.constructors = {constructor({})};
  model.methods = std::move(methods);
  return model;
}

}  // namespace heddle::generate
