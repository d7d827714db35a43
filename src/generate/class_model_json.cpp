#include "generate/class_model_json.h"

#include <nlohmann/json.hpp>

namespace heddle::generate {

NLOHMANN_JSON_SERIALIZE_ENUM(CallableKind, {{CallableKind::kConstructor, "constructor"},
                                            {CallableKind::kFactory, "factory"},
                                            {CallableKind::kMethod, "method"},
                                            {CallableKind::kOperator, "operator"}})

NLOHMANN_JSON_SERIALIZE_ENUM(TypeKind, {{TypeKind::kVoid, "void"},
                                        {TypeKind::kBool, "bool"},
                                        {TypeKind::kCharacter, "character"},
                                        {TypeKind::kInteger, "integer"},
                                        {TypeKind::kFloating, "floating"},
                                        {TypeKind::kEnum, "enum"},
                                        {TypeKind::kString, "string"},
                                        {TypeKind::kStringView, "string view"},
                                        {TypeKind::kPointer, "pointer"},
                                        {TypeKind::kSmartPointer, "smart pointer"},
                                        {TypeKind::kFunction, "function"},
                                        {TypeKind::kContainer, "container"},
                                        {TypeKind::kValueHolder, "value holder"},
                                        {TypeKind::kClass, "class"},
                                        {TypeKind::kSubject, "subject"},
                                        {TypeKind::kTemplateParameter, "template parameter"},
                                        {TypeKind::kCallable, "callable"},
                                        {TypeKind::kOther, "other"}})

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Parameter, name, type, default_value)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Callable, kind, name, owner, parameters, result, is_const, is_static,
                                   is_noexcept, is_template, is_variadic, file, line)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TypeModel, name, kind, bits, is_signed, is_copyable, is_movable,
                                   is_default_constructible, elements, enumerators, constructors, fields,
                                   is_abstract, pure_virtuals)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Field, name, type, owner)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Unusable, signature, reason, help)

void to_json(nlohmann::json& json, const ClassModel& model) {
  json = {{"name", model.name},
          {"spelled", model.spelled},
          {"constructors", model.constructors},
          {"methods", model.methods},
          {"fields", model.fields},
          {"inner", model.inner},
          {"hidden", model.hidden},
          {"types", model.types},
          {"unusable", model.unusable},
          {"is_abstract", model.is_abstract},
          {"is_copyable", model.is_copyable},
          {"has_equality", model.has_equality}};
}

void from_json(const nlohmann::json& json, ClassModel& model) {
  json.at("name").get_to(model.name);
  json.at("spelled").get_to(model.spelled);
  json.at("constructors").get_to(model.constructors);
  json.at("methods").get_to(model.methods);
  json.at("fields").get_to(model.fields);
  json.at("inner").get_to(model.inner);
  json.at("hidden").get_to(model.hidden);
  json.at("types").get_to(model.types);
  json.at("unusable").get_to(model.unusable);
  json.at("is_abstract").get_to(model.is_abstract);
  json.at("is_copyable").get_to(model.is_copyable);
  json.at("has_equality").get_to(model.has_equality);
}

}  // namespace heddle::generate
