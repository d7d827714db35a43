#include "predict/activations.h"

#include <algorithm>

namespace heddle {

FrameTree::FrameTree(const trace::Trace& trace, const SourceFrames& source)
    : trace_(trace), source_(source), last_(std::max<size_t>(trace.sites().size(), 1)) {}

const std::vector<FrameAtSite>& FrameTree::frames_of_site(uint32_t site) {
  const auto [known, is_new] = at_site_.try_emplace(site);
  if (is_new) {
    known->second = source_.frames_at(site);
    if (known->second.empty()) known->second.push_back({});
  }
  return known->second;
}

uint32_t FrameTree::child(uint32_t parent, bool is_inlined, uint64_t id) {
  if (frames_[parent].depth == kDeepest) return parent;
  const auto [known, is_new] =
      children_.try_emplace({{parent, is_inlined}, id}, static_cast<uint32_t>(frames_.size()));
  if (is_new) frames_.push_back({parent, frames_[parent].depth + 1});
  return known->second;
}

// A function of a library adds no frame; one of the program that is inlined there, or that it calls, does.
uint32_t FrameTree::compute(uint32_t context, uint32_t site, uint32_t caller) {
  const std::vector<FrameAtSite>& functions = frames_of_site(site);
  uint32_t frame = caller;
  if (context != 0 && !functions[0].is_system)
    frame = child(frame, false, trace_.contexts()[context].call_site);
  for (size_t i = 1; i < functions.size(); ++i)
    if (!functions[i].is_system) frame = child(frame, true, functions[i].id);
  return frame;
}

uint32_t FrameTree::frame_at(uint32_t context, uint32_t site) {
  Cached& last = last_[site];
  if (last.is_valid && last.context == context) return last.frame;
  // The calls around it that have not been seen yet, innermost first.
  std::vector<std::pair<uint32_t, uint32_t>> unknown;
  const auto key = [](uint32_t of_context, uint32_t of_site) { return uint64_t{of_context} << 32 | of_site; };
  uint32_t frame = 0;
  for (uint32_t at = context, where = site;;) {
    if (const auto known = known_.find(key(at, where)); known != known_.end()) {
      frame = known->second;
      break;
    }
    unknown.emplace_back(at, where);
    if (at == 0) break;
    const trace::ContextRecord& call = trace_.contexts()[at];
    at = call.parent;
    where = call.call_site;
  }
  for (size_t i = unknown.size(); i-- > 0;) {
    const auto [at, where] = unknown[i];
    frame = known_[key(at, where)] = compute(at, where, frame);
  }
  last = {context, frame, true};
  return frame;
}

Activations::Activations(const trace::Trace& trace, const SourceFrames& source)
    : frames_(trace, source), stacks_(trace.threads().size()) {}

uint32_t Activations::begin(uint32_t caller) {
  callers_.push_back(caller);
  return static_cast<uint32_t>(callers_.size() - 1);
}

void Activations::path_to(uint32_t frame) {
  path_.resize(frames_.depth(frame) + 1);
  for (size_t i = path_.size(); i-- > 0; frame = frames_.parent(frame)) path_[i] = frame;
}

// The top of the stack has done `action`. If it began with that, this is another call of it, which its caller
// has made, who may have begun with it in turn. A thread as a whole is called once.
void Activations::repeat(std::vector<Entry>& stack, uint64_t action, uint32_t locks_held) {
  size_t renewed = stack.size();
  while (renewed > 1) {
    Entry& entry = stack[renewed - 1];
    if (entry.first_action != action || locks_held > entry.locks_held) break;
    --renewed;
    action = kCall | entry.frame;
  }
  for (; renewed < stack.size(); ++renewed) {
    stack[renewed].activation = begin(stack[renewed - 1].activation);
    stack[renewed].locks_held = locks_held;
  }
}

uint32_t Activations::next(const trace::EventRecord& event, uint32_t locks_held) {
  std::vector<Entry>& stack = stacks_[event.thread];
  if (stack.empty()) {
    const uint32_t whole = begin(static_cast<uint32_t>(callers_.size()));
    stack.push_back({.frame = 0, .activation = whole});
  }
  const uint32_t frame = frames_.frame_at(event.context, event.site);
  if (stack.back().frame != frame) {
    path_to(frame);
    size_t common = 1;
    while (common < stack.size() && common < path_.size() && stack[common].frame == path_[common]) ++common;
    stack.resize(common);
    if (common < path_.size()) repeat(stack, kCall | path_[common], locks_held);
    for (; common < path_.size(); ++common) {
      if (stack.back().first_action == 0) stack.back().first_action = kCall | path_[common];
      stack.push_back({.frame = path_[common],
                       .activation = begin(stack.back().activation),
                       .locks_held = locks_held,
                       .first_action = 0});
    }
  }
  if (stack.back().first_action == 0)
    stack.back().first_action = event.site;
  else
    repeat(stack, event.site, locks_held);
  return stack.back().activation;
}

}  // namespace heddle
