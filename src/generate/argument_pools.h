// ArgumentPools: what each parameter of a class's constructors and methods can be given, best first.
//
// First come results of earlier calls, since they make sequences deep, then what the object itself offers
// (its iterators, another object of the class), then values made up for the type. How a parameter takes its
// argument decides, too: what a call fills in becomes a variable, what a class keeps a pointer to becomes a
// fixture.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "generate/argument.h"
#include "generate/class_model.h"
#include "generate/earlier_results.h"
#include "generate/fixture_maker.h"
#include "generate/plain_values.h"
#include "generate/type_lookup.h"
#include "generate/type_names.h"
#include "generate/user_pools.h"
#include "generate/value_maker.h"

namespace heddle::generate {

class ArgumentPools {
 public:
  // `usable`: methods that may be called, as indices. All references must outlive this.
  ArgumentPools(const ClassModel& model, const UserPools& pools, const std::vector<uint32_t>& usable);

  // Empty if there is nothing to give; reason_against() says why.
  Arguments arguments(const Callable& callable, size_t parameter);
  // For the `position`-th argument of a template's pack.
  Arguments pack_arguments(size_t position);
  std::string reason_against(const Callable& callable, size_t parameter) const;

  FixtureMaker& fixtures() { return fixtures_; }
  std::vector<std::string> unused_types() const { return maker_.unused_types(); }

 private:
  Arguments offered_by_object(const Callable& callable, size_t parameter) const;
  Arguments subjects(const TypeUse& use, bool of_constructor);
  Arguments subject_pointers(bool of_constructor);
  Arguments generic(const Callable& callable, size_t parameter, const ParameterUse& use);
  Arguments range_ends(const Callable& callable, size_t parameter);
  Arguments values_of_class(size_t position);
  Arguments made_up(const Callable& callable, size_t parameter, const ParameterUse& use);
  Arguments filled_in(const Callable& callable, const TypeUse& use, const ParameterUse& named);
  Arguments raw_pointers(const TypeUse& use, const ParameterUse& named);
  Arguments filled_buffers(const std::string& element);
  ParameterUse use_of(const Callable& callable, size_t parameter) const;
  bool keeps_pointer_to(const std::string& type) const;
  void find_value_types();

  const ClassModel& model_;
  TypeLookup types_;
  FixtureMaker fixtures_;
  ValueMaker maker_;
  EarlierResults earlier_;
  std::vector<std::string> value_types_;  // what the class is about: for parameters of unknown type
};

}  // namespace heddle::generate
