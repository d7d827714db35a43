#include "predict/program_structure.h"

#include <fmt/format.h>

#include "trace/hash.h"

namespace heddle {

std::optional<Extent> ProgramVariables::variable_at(uint32_t object, uint64_t offset) const {
  const bool on_stack = symbols_.trace().objects()[object].kind == trace::ObjectKind::kStack;
  if (on_stack && ++asked_ > kMostOnStacks) return std::nullopt;
  const std::optional<Variable> variable = symbols_.variable_at(object, offset);
  if (!variable || variable->size == 0) return std::nullopt;
  if (variable->offset > offset) return std::nullopt;
  const uint64_t begin = offset - variable->offset;
  return Extent{begin, begin + variable->size};
}

std::vector<FrameAtSite> ProgramFrames::frames_at(uint32_t site) const {
  const std::vector<StackFrame> stack = symbols_.stack(site, 0);
  std::vector<FrameAtSite> frames;
  uint64_t id = 0;
  for (auto frame = stack.rbegin(); frame != stack.rend(); ++frame) {
    // Two inlined calls are the same if they are made at the same place of the same call.
    if (frame != stack.rbegin()) id = trace::fnv1a(frame->frame.signature, id);
    frames.push_back({.id = id, .is_system = !frame->is_user_code});
    id = trace::fnv1a(fmt::format("{}:{}", frame->frame.line, frame->frame.column), id);
  }
  if (frames.empty()) frames.emplace_back();
  return frames;
}

}  // namespace heddle
