// Callback values: lambdas for parameters that are called, which do little: give a value, change their
// argument, throw.
#pragma once

#include "generate/argument.h"
#include "generate/class_model.h"
#include "generate/plain_values.h"
#include "generate/type_lookup.h"

namespace heddle::generate {

// Of kFunction and kCallable. The one that throws comes last, and not in constructors.
Arguments callback_values(const TypeModel& type, const TypeLookup& types, const ValuesOf& values_of,
                          const ParameterUse& use);

// Whether a template's parameter is called, as far as names tell.
bool is_called(const ParameterUse& use);
// Of a template's parameter.
Arguments generic_callbacks(const ParameterUse& use);

}  // namespace heddle::generate
