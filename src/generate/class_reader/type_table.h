// TypeTable: the models of all types that calls of a class need, and of those that these are made of.
#pragma once

#include <map>
#include <queue>
#include <string>
#include <vector>

#include <clang/Sema/Sema.h>

#include "generate/class_model.h"
#include "generate/class_reader/callable_reader.h"
#include "generate/class_reader/type_text.h"

namespace heddle::generate {

class TypeTable {
 public:
  TypeTable(clang::Sema& sema, const TypeText& text, CallableReader& callables,
            const clang::CXXRecordDecl& subject)
      : sema_(sema), text_(text), callables_(callables), subject_(subject) {}

  void add(const ReadCallable& callable) { add(callable, 0); }
  // Reads whatever was added, and what that needs.
  std::map<std::string, TypeModel> take();

 private:
  struct Waiting {
    clang::QualType type;
    int depth = 0;  // how many constructors away from the class's own calls
  };

  void add(const ReadCallable& callable, int depth);
  void add(clang::QualType type, int depth);
  TypeModel read(clang::QualType type, int depth);
  void read_number(clang::QualType type, TypeModel& model) const;
  void read_enumeration(const clang::EnumDecl& enumeration, TypeModel& model) const;
  void read_function(const clang::FunctionProtoType& function, int depth, TypeModel& model);
  void read_class(const clang::CXXRecordDecl& record, clang::QualType type, int depth, TypeModel& model);
  bool read_standard_class(clang::QualType type, int depth, TypeModel& model);
  void read_pure_virtuals(const clang::CXXRecordDecl& record, int depth, TypeModel& model);
  void add_elements(llvm::ArrayRef<clang::QualType> types, int depth, TypeModel& model);

  clang::Sema& sema_;
  const TypeText& text_;
  CallableReader& callables_;
  const clang::CXXRecordDecl& subject_;
  std::queue<Waiting> waiting_;
  std::map<std::string, TypeModel> types_;
};

}  // namespace heddle::generate
