// What the source calls memory that has no symbol: a member of a heap object, or a variable on a stack.
//
// Debug information knows types and variables, but not what lies at an address that was allocated at run
// time. The trace knows which lines accessed it, with how many bytes, and how far into an object of which
// size. A name that these lines mention, and that means something of that size and place there, is what they
// access. Where lines disagree, or too little speaks for a name, there is none.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "symbolize/symbolizer.h"
#include "trace/trace.h"

namespace heddle {

struct LocationName {
  std::string name;           // "balance", "slots[3]"
  std::string owner;          // the class of which it is a member, if that is certain
  bool fills_object = false;  // the heap object is one `owner`
  uint64_t owner_offset = 0;  // of the member in `owner`, if that is not empty
  uint64_t owner_size = 0;

  bool operator==(const LocationName& other) const {
    return name == other.name && owner == other.owner && fills_object == other.fills_object;
  }
};

// One line that used a location.
struct LocationUse {
  std::string_view source;
  trace::EventKind kind = trace::EventKind::kRead;
  uint64_t size = 0;  // bytes, if it is an access
  const std::vector<NamedPart>* names = nullptr;
};

// The identifiers of a line, without comments and the contents of literals.
std::set<std::string_view> words_of(std::string_view line);

// Whether a use that begins `inner` bytes into a part can be a use of it, by its size.
bool covers(const NamedPart& part, uint64_t inner, const LocationUse& use);

// The name that the uses of a location agree on. `object` says what it lies in, at `offset`.
std::optional<LocationName> choose_location_name(const std::vector<LocationUse>& uses,
                                                 const trace::ObjectRecord& object, uint64_t offset);

}  // namespace heddle
