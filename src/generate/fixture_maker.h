// FixtureMaker: the objects that arguments refer to, and the classes made up for them, each once.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
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
  // An object, "values_1", of "std::vector<int>" with "{1, 2}". `initializer` is what stands behind the name
  // in a declaration that may be that of a member, too. `number` tells objects of one name apart, from 1.
  Argument object(const std::string& base_name, const std::string& type, size_t number,
                  const Argument& initializer);

  // The name of a class that implements all that is pure virtual and does nothing; empty if it could not be
  // made. `values_of` is for what its functions return. Who uses the class must depend on its definition.
  std::string implementation(const TypeModel& type, const ValuesOf& values_of);
  // Makes the argument, which has been given the class by implementation(), depend on it.
  void depend_on_definition(const std::string& implementation, Argument* argument);

  std::vector<Fixture> take() { return std::move(fixtures_); }

 private:
  struct Implementation {
    std::string name;  // empty: it could not be made, or not yet
    std::string definition;
    std::optional<uint32_t> fixture;  // which has the definition
  };

  bool is_taken(const std::string& name) const;
  std::string free_name(const std::string& base, size_t number) const;
  Implementation* find_implementation(const std::string& name);

  std::vector<Fixture> fixtures_;
  std::map<std::string, Argument> objects_;                // by declaration, as far as it was wanted
  std::map<std::string, Implementation> implementations_;  // by the class that they implement
};

}  // namespace heddle::generate
