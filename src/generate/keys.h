// Keys of things that are made of other things' keys.
#pragma once

#include <cstdint>

#include "trace/statement.h"

namespace heddle::generate {

constexpr uint64_t mix(uint64_t key, uint64_t value) {
  return trace::add_to_statement(key, value, 0);
}

}  // namespace heddle::generate
