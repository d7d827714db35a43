// Which local variable lies at a place of a thread's stack.
//
// Debug information says where in its frame a variable lies, but a trace does not say where a frame begins.
// It does say which functions were active, and from which source lines which places of the stack were used. A
// frame is where most of these lines use what they mention: one lock whose line names it is often enough, and
// then everything else in the frame has its name, too.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "symbolize/location_names.h"
#include "symbolize/symbolizer.h"

namespace heddle {

// A use of a place on a stack.
struct StackUse {
  uint64_t offset = 0;
  LocationUse use;
};

// Where a frame is: its part p begins at offset `base + p.begin` of the stack.
struct FrameFit {
  uint64_t base = 0;
  size_t score = 0;  // the places that speak for it
};

// Nothing if no place of the frame, or more than one, agrees best with the uses.
std::optional<FrameFit> fit_frame(const std::vector<FramePart>& parts, const std::vector<StackUse>& uses);

// The part of the frame that has a byte at `offset`; nothing if none has, or several that share the place.
const FramePart* part_at(const std::vector<FramePart>& parts, const FrameFit& fit, uint64_t offset);

// The frames of one stack whose place is known.
class StackNames {
 public:
  // `parts` are those of a function that was active in the given calling context when the use happened.
  void add(uint32_t context, const std::vector<FramePart>* parts, const StackUse& use);
  // To be called once, after the last use.
  void fit();

  // "pool.idle_"; nothing if no frame, or several, have something there.
  std::optional<std::string> name_at(uint64_t offset) const;

 private:
  // The same calls lead to the same place of a stack.
  std::map<std::pair<uint32_t, const std::vector<FramePart>*>, std::vector<StackUse>> uses_;
  std::vector<std::pair<const std::vector<FramePart>*, FrameFit>> frames_;
};

}  // namespace heddle
