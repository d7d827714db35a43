// TypeLookup: what is known of a type, by its name in any spelling.
#pragma once

#include <map>
#include <string>

#include "generate/class_model.h"

namespace heddle::generate {

class TypeLookup {
 public:
  explicit TypeLookup(const ClassModel& model);

  // Of the type without reference and const. What the model does not describe is told from the name, as far
  // as it is a type of the language or of the standard library; else it is of kind kOther.
  const TypeModel& find(const std::string& type) const;
  bool is_subject(const std::string& type) const { return find(type).kind == TypeKind::kSubject; }

 private:
  mutable std::map<std::string, TypeModel> types_;  // by normal name
};

}  // namespace heddle::generate
