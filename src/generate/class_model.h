// ClassModel: what a test generator has to know of a class, as plain data.
//
// Types are texts that mean the same anywhere after the class's header has been included (fully qualified,
// template arguments given). The reader (class_reader/) makes this of a header; everything else in this
// folder knows C++ only through it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace heddle::generate {

struct Parameter {
  std::string name;  // may be empty
  std::string type;
  std::string default_value;  // source text; empty if there is none
};

enum class CallableKind : uint8_t { kConstructor, kFactory, kMethod, kOperator };

struct Callable {
  CallableKind kind = CallableKind::kMethod;
  // "put", "operator[]", "operator bool"; of a factory with its scope: "ns::Cache::create", "ns::make_cache".
  std::string name;
  std::string owner;  // the class that declares it; a base, if it is inherited
  std::vector<Parameter> parameters;
  std::string result;  // type; "void"; a constructor's is the class; "auto" if it cannot be named
  bool is_const = false;
  bool is_static = false;
  bool is_noexcept = false;
  bool is_template = false;  // parameters of unknown type are named "auto", see kCallable for others
  bool is_variadic = false;  // takes any number of arguments after `parameters`
  std::string file;
  uint32_t line = 0;

  // "put(int, const std::string&)": as a user names it in a message.
  std::string signature() const;
};

// What a type is made of, as far as values of it can be made up.
enum class TypeKind : uint8_t {
  kVoid,
  kBool,
  kCharacter,
  kInteger,
  kFloating,
  kEnum,
  kString,        // std::basic_string
  kStringView,    // std::basic_string_view, const char*
  kPointer,       // raw; `elements` has the pointee
  kSmartPointer,  // unique_ptr, shared_ptr
  kFunction,      // std::function, pointer to function: `elements` has the result, then the parameters
  kContainer,     // a container of the standard library: `elements` has its value types
  kValueHolder,   // optional, pair, tuple, variant, atomic, chrono duration and time_point …: `elements`
  kClass,         // any other class
  kSubject,       // the class under test
  kTemplateParameter,
  kCallable,  // a template parameter that is called, named "auto:bool(auto)": `elements` as of kFunction,
              // with "auto" for what is not known; anything that can be called with these is an argument
  kOther
};

struct TypeModel {
  std::string name;
  TypeKind kind = TypeKind::kOther;
  uint32_t bits = 0;  // of numbers
  bool is_signed = false;
  bool is_copyable = true;
  bool is_movable = true;
  bool is_default_constructible = false;
  std::vector<std::string> elements;     // types as written, with const and reference, see TypeKind
  std::vector<std::string> enumerators;  // qualified
  std::vector<Callable> constructors;  // public ones of a kClass; of an aggregate also one of all its fields
  std::vector<Parameter> fields;       // of a structure without bases: all of them; else none
  bool is_abstract = false;
  std::vector<Callable> pure_virtuals;  // of an abstract kClass: what a class that implements it must have
};

struct Field {
  std::string name;
  std::string type;
  std::string owner;  // the class that declares it; a base, if it is inherited
};

using FieldsByClass = std::map<std::string, std::vector<Field>>;

// What headers only declare: "struct Impl;".
struct Implementation {
  std::string source;   // that defines it; empty if none is known
  FieldsByClass inner;  // after both: see ClassModel
};

// What cannot be used, and what would help.
struct Unusable {
  std::string signature;
  std::string reason;
  std::string help;  // may be empty
};

struct ClassModel {
  std::string name;                    // fully qualified, with template arguments
  std::string spelled;                 // as the user named it
  std::vector<Callable> constructors;  // public; factories too; none that copies or moves
  std::vector<Callable> methods;       // public, inherited ones included; no destructor, no assignment
  std::vector<Field> fields;           // non-static, all of them, whoever may use them
  // Of the project's classes that its fields lead to, as the fields above. Their names are those that code
  // which may use everything gives them.
  FieldsByClass inner;
  std::vector<std::string> hidden;         // classes that they lead to, and that the headers do not define
  Implementation implementation;           // see implementation_reader.h
  std::map<std::string, TypeModel> types;  // of all parameters and results, without const and reference
  std::vector<Unusable> unusable;
  bool is_abstract = false;
  bool is_copyable = false;
  bool has_equality = false;
};

}  // namespace heddle::generate
