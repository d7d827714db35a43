// Earlier results as arguments: what makes sequences deep, as a subscription that is cancelled later.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "generate/argument.h"
#include "generate/class_model.h"
#include "generate/plain_values.h"
#include "generate/type_lookup.h"
#include "generate/type_names.h"

namespace heddle::generate {

// It undoes or goes on with what another call has begun, as far as names tell.
bool continues(const Callable& method);
// "begin", "end": an iterator that is offered for the asking.
bool is_end_of_object(const Callable& method);

class EarlierResults {
 public:
  // `usable`: the methods that may be called, as indices in the model. Both references must outlive this.
  EarlierResults(const ClassModel& model, const TypeLookup& types, const std::vector<uint32_t>& usable);

  // Results that fit: of those methods that change the object first.
  Arguments fitting(const Callable& taker, const Parameter& parameter, const ParameterUse& use) const;

 private:
  struct Producer {
    uint32_t method;
    TypeUse result;
    bool is_const;
    bool is_static;
  };
  // How the parameter takes it: "$7", "std::move($7)", "*$7"; empty if it does not fit.
  std::string taken(const Producer& producer, const TypeUse& wanted) const;

  const TypeLookup& types_;
  std::vector<Producer> producers_;
};

}  // namespace heddle::generate
