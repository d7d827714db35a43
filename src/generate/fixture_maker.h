// FixtureMaker: the objects that arguments refer to, and the classes made up for them, each once.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "generate/argument.h"
#include "generate/class_model.h"
#include "generate/operation.h"

namespace heddle::generate {

// Whether a class that implements this one has to give its constructor something.
bool needs_arguments(const TypeModel& abstract);

class FixtureMaker {
 public:
  // An object named after `type`: of "ns::Listener", declared as "auto" with "(1)", "auto listener_1(1);".
  // `number` tells the objects of one type apart, from 1.
  Argument object(const std::string& type, const std::string& declared_as, size_t number,
                  const Argument& initializer);

  // A class that implements all that is pure virtual and does nothing; the argument's text is its name.
  // `values_of` is for what its functions return. No text: it could not be made.
  Argument implementation(const TypeModel& type, const ValuesOf& values_of);

  std::vector<Fixture> take() { return std::move(fixtures_); }

 private:
  std::string free_name(const std::string& wanted) const;
  uint32_t add(Fixture fixture);

  std::vector<Fixture> fixtures_;
  std::map<std::string, Argument> objects_;  // by declaration, without its name
  std::map<std::string, Argument> classes_;  // by the class that they implement
};

}  // namespace heddle::generate
