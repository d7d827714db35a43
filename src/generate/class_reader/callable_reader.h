// CallableReader: makes a Callable of a function, a method, a constructor, or a template of these.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <clang/AST/DeclTemplate.h>
#include <clang/Sema/Sema.h>

#include "generate/class_model.h"
#include "generate/class_reader/type_text.h"

namespace heddle::generate {

struct ReadCallable {
  Callable callable;
  std::vector<clang::QualType> types;  // of parameters and result
  std::vector<TypeModel> unknown;      // of parameters whose type a template leaves open
  // Why it cannot be called; empty if it can.
  std::string obstacle;
  std::string help;
  bool is_of_fields = false;  // not written by anyone: it takes a value for each field of a structure
};

class CallableReader {
 public:
  CallableReader(clang::Sema& sema, const TypeText& text) : sema_(sema), text_(text) {}

  // `function`: a FunctionDecl or a FunctionTemplateDecl.
  ReadCallable read(const clang::NamedDecl& function, CallableKind kind);

 private:
  void read_parameter(const clang::ParmVarDecl& parameter, ReadCallable& into);
  void read_open_parameter(const clang::FunctionTemplateDecl& function, unsigned index,
                           const clang::FunctionDecl* example, ReadCallable& into);
  void read_result(const clang::FunctionDecl& function, ReadCallable& into);
  void check_deduction(const clang::FunctionTemplateDecl& function, ReadCallable& into);
  void check_requirements(const clang::FunctionDecl& function, ReadCallable& into);
  bool cannot_throw(const clang::FunctionDecl& function);
  // The function with int for all its template parameters.
  const clang::FunctionDecl* example_of(const clang::FunctionTemplateDecl& function);
  std::string default_value(const clang::ParmVarDecl& parameter) const;
  std::string name_of(const clang::FunctionDecl& function, CallableKind kind) const;

  clang::Sema& sema_;
  const TypeText& text_;
};

}  // namespace heddle::generate
