// Shard: a part of the work of a check, for one of several machines. Which part a thing belongs to follows
// from its name alone, so that machines need not know of each other.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "support/error.h"

namespace heddle {

struct Shard {
  uint32_t number = 1;  // from 1
  uint32_t of = 1;

  bool is_all() const { return of == 1; }
  bool has(std::string_view name) const;
  bool operator==(const Shard&) const = default;
};

// "2/5"
Expected<Shard> parse_shard(const std::string& text);
std::string print_shard(const Shard& shard);

}  // namespace heddle
