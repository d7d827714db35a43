// ValueMaker: values of a type, made of other values as far as it takes.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "generate/argument.h"
#include "generate/class_model.h"
#include "generate/fixture_maker.h"
#include "generate/plain_values.h"
#include "generate/type_lookup.h"
#include "generate/user_pools.h"

namespace heddle::generate {

class ValueMaker {
 public:
  // All must outlive this.
  ValueMaker(const ClassModel& model, const TypeLookup& types, const UserPools& pools,
             FixtureMaker& fixtures);

  // Expressions for temporary values, the most useful first; those of the user if there are any.
  Arguments values(const std::string& type, const ParameterUse& use);
  // Names of objects of this type that live as long as the object under test.
  Arguments fixtures(const std::string& type);
  // Addresses: of fixtures, or nothing.
  Arguments pointers(const std::string& type);

  bool has_user_values(const std::string& type) const { return users_.contains(type); }
  // Values that the user gave for types which nothing takes.
  std::vector<std::string> unused_types() const;
  // Why there is no value of the type.
  std::string reason_against(const std::string& type) const;

 private:
  Arguments made_up(const TypeModel& type, const ParameterUse& use);
  // What may stand behind the name of an object of the class: "(1)", "{}".
  Arguments initializers(const TypeModel& type);
  void add_initializers(const Callable& constructor, const std::string& type, Arguments* found);
  Arguments constructor_pool(const Callable& constructor, size_t parameter);
  Arguments class_values(const TypeModel& type);
  Arguments implementing_fixtures(const TypeModel& type);
  Arguments class_pointers(const TypeModel& type, const TypeModel& pointee);
  ValuesOf values_of();

  const ClassModel& model_;
  const TypeLookup& types_;
  FixtureMaker& fixtures_;
  std::map<std::string, Arguments> users_;  // by normal name of the type
  std::set<std::string> used_;
  std::set<std::string> in_progress_;  // classes whose values are being made
};

}  // namespace heddle::generate
