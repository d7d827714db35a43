#include "symbolize/stack_names.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace heddle {
namespace {

// Frames are aligned to it, and so are the tops of stacks.
constexpr int64_t kFrameAlignment = 16;
// Of larger variables of the library, every place inside could be the one used.
constexpr uint64_t kMaxOpaque = 256;
// Of the uses of one frame; more of them tell nothing new.
constexpr size_t kMaxUses = 512;

bool is_used_at(const FramePart& part, uint64_t inner, const LocationUse& use) {
  return covers({.size = part.size, .is_opaque = part.is_opaque}, inner, use);
}

// The places where the frame can be if this is a use of the part.
void add_places(const FramePart& part, const StackUse& use, std::set<int64_t>& places) {
  const uint64_t size = part.is_opaque ? std::min(part.size, kMaxOpaque) : 1;
  for (uint64_t inner = 0; inner < size; ++inner) {
    const int64_t base = static_cast<int64_t>(use.offset) - static_cast<int64_t>(inner) - part.begin;
    if (base > 0 && base % kFrameAlignment == 0 && is_used_at(part, inner, use.use)) places.insert(base);
  }
}

}  // namespace

std::optional<FrameFit> fit_frame(const std::vector<FramePart>& parts, const std::vector<StackUse>& uses) {
  // A place of the stack counts once, however many lines use it.
  std::map<int64_t, std::set<uint64_t>> supporters;
  for (const StackUse& use : uses) {
    std::set<int64_t> places;
    const std::set<std::string_view> words = words_of(use.use.source);
    for (const FramePart& part : parts) {
      if (words.contains(part.word)) add_places(part, use, places);
    }
    for (const int64_t place : places) supporters[place].insert(use.offset);
  }
  FrameFit best;
  bool is_unique = false;
  for (const auto& [place, offsets] : supporters) {
    if (offsets.size() < best.score) continue;
    is_unique = offsets.size() > best.score;
    best = {static_cast<uint64_t>(place), offsets.size()};
  }
  return is_unique ? std::optional(best) : std::nullopt;
}

const FramePart* part_at(const std::vector<FramePart>& parts, const FrameFit& fit, uint64_t offset) {
  const int64_t place = static_cast<int64_t>(offset) - static_cast<int64_t>(fit.base);
  const FramePart* found = nullptr;
  for (const FramePart& part : parts) {
    if (place < part.begin || place >= part.begin + static_cast<int64_t>(part.size)) continue;
    if (found != nullptr && found->path != part.path) return nullptr;
    found = &part;
  }
  return found;
}

void StackNames::add(uint32_t context, const std::vector<FramePart>* parts, const StackUse& use) {
  std::vector<StackUse>& uses = uses_[{context, parts}];
  const auto is_same = [&](const StackUse& other) {
    return other.offset == use.offset && other.use.source.data() == use.use.source.data() &&
           other.use.kind == use.use.kind && other.use.size == use.use.size;
  };
  if (uses.size() < kMaxUses && std::none_of(uses.begin(), uses.end(), is_same)) uses.push_back(use);
}

void StackNames::fit() {
  for (const auto& [frame, uses] : uses_) {
    if (const auto fit = fit_frame(*frame.second, uses)) frames_.emplace_back(frame.second, *fit);
  }
  uses_.clear();
}

std::optional<std::string> StackNames::name_at(uint64_t offset) const {
  const FramePart* best = nullptr;
  size_t score = 0;
  for (const auto& [parts, fit] : frames_) {
    const FramePart* part = part_at(*parts, fit, offset);
    if (part == nullptr || fit.score < score) continue;
    // Frames that lay at the same place one after the other, and nothing tells which is meant.
    if (fit.score == score && best != nullptr && best->path != part->path) return std::nullopt;
    best = part;
    score = fit.score;
  }
  return best == nullptr ? std::nullopt : std::optional(best->path);
}

}  // namespace heddle
