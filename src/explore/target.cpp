#include "explore/target.h"

#include <algorithm>
#include <unordered_map>

namespace heddle {
namespace {

bool overlap(const Operation& a, const Operation& b) {
  return a.object == b.object && a.offset < b.offset + b.size && b.offset < a.offset + a.size;
}

// A thread that has executed `first` and not yet `then`.
struct Opened {
  const Operation* first;
  uint32_t step;
  bool entered = false;  // another thread has executed `between` since
};

}  // namespace

Sightings look_for(const Target& target, const Observation& seen) {
  Sightings found;
  std::unordered_map<uint32_t, std::vector<Opened>> opened;  // by thread
  const auto match = [&](const Operation& a, const Operation& b) {
    return !target.same_location || overlap(a, b);
  };
  const auto close = [&](std::vector<Opened>& of_thread, const Operation& then, uint32_t step) {
    std::erase_if(of_thread, [&](const Opened& open) {
      if (!match(*open.first, then)) return false;
      if (open.step != step) found.pairs.push_back({open.step, step});
      found.shown |= open.entered;
      return true;
    });
  };
  for (uint32_t i = 0; i < seen.steps.size(); ++i) {
    const uint32_t thread = seen.steps[i].chosen.thread;
    for (const Operation& operation : seen.steps[i].operations) {
      if (operation.place == target.between) {
        if (found.betweens.empty() || found.betweens.back() != i) found.betweens.push_back(i);
        for (auto& [other, of_thread] : opened) {
          if (other == thread) continue;
          for (Opened& open : of_thread) open.entered |= match(*open.first, operation);
        }
      }
      if (operation.place == target.then) close(opened[thread], operation, i);
      if (operation.place == target.first) {
        std::vector<Opened>& of_thread = opened[thread];
        std::erase_if(of_thread, [&](const Opened& open) { return match(*open.first, operation); });
        of_thread.push_back({&operation, i});
      }
    }
  }
  return found;
}

}  // namespace heddle
