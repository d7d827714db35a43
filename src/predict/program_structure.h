// What the program's debug information says of its structure, for those who ask which memory and which calls
// belong together.
#pragma once

#include "predict/activations.h"
#include "predict/atomic_sets.h"
#include "symbolize/trace_symbols.h"

namespace heddle {

// Both look into `symbols`, which must outlive them.
class ProgramVariables final : public Variables {
 public:
  explicit ProgramVariables(TraceSymbols& symbols) : symbols_(symbols) {}
  std::optional<Extent> variable_at(uint32_t object, uint64_t offset) const override;
  // Locations on stacks that were not asked about: each stands alone.
  size_t left_out() const { return asked_ > kMostOnStacks ? asked_ - kMostOnStacks : 0; }

 private:
  // What lies on a stack is told by looking through the trace, so only so many are asked about.
  static constexpr size_t kMostOnStacks = 256;

  TraceSymbols& symbols_;
  mutable size_t asked_ = 0;  // about stacks
};

class ProgramFrames final : public SourceFrames {
 public:
  explicit ProgramFrames(const TraceSymbols& symbols) : symbols_(symbols) {}
  std::vector<FrameAtSite> frames_at(uint32_t site) const override;

 private:
  const TraceSymbols& symbols_;
};

}  // namespace heddle
