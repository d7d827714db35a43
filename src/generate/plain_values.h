// Plain values: numbers, characters, enumerators and strings, few of each, so that calls meet on the same
// key.
#pragma once

#include <string>

#include "generate/argument.h"
#include "generate/class_model.h"

namespace heddle::generate {

// What the names around a parameter tell of its meaning.
struct ParameterUse {
  std::string callable;
  std::string parameter;
  bool of_constructor = false;
  bool beside_buffer = false;  // it may say how much of a buffer is used
  std::string result;          // type that the callable gives
};

// "capacity", "timeout_ms": numbers that memory or time is spent on, so that the largest ones do no good.
bool is_amount(const ParameterUse& use);
// "id", "handle", "index": what another call has given back.
bool is_token(const ParameterUse& use);

// Empty for types of other kinds.
Arguments plain_values(const TypeModel& type, const ParameterUse& use);

}  // namespace heddle::generate
