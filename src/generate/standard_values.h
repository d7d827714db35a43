// Values of the standard library's types that hold other values: containers, optional, pair, durations, …
#pragma once

#include "generate/argument.h"
#include "generate/class_model.h"

namespace heddle::generate {

// Empty, with one element and with three, as far as the container can be written down with its elements.
Arguments container_values(const TypeModel& type, const ValuesOf& values_of);

// Of kValueHolder.
Arguments holder_values(const TypeModel& type, const ValuesOf& values_of);

// Of std::unique_ptr and std::shared_ptr: new objects of a type that is no class; null comes last.
Arguments smart_pointer_values(const TypeModel& type, const ValuesOf& values_of);

}  // namespace heddle::generate
