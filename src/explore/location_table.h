// LocationTable: who has used what lately, for each byte that the steps so far have touched.
//
// Of every location it keeps as much as the order of later steps can depend on: for each thread and class of
// operation the last step, unless a later one of another thread stands before it in every respect (reads do
// not matter any more once somebody has written). Steps are added at the end and taken back from the end.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "explore/effect.h"

namespace heddle {

inline constexpr uint32_t kNoStep = ~0u;

class LocationTable {
 public:
  struct Use {
    trace::OperationClass kind = trace::OperationClass::kNone;
    bool released = false;
    uint32_t thread = 0;
    uint32_t step = 0;
    uint32_t acquired = kNoStep;  // locks: the step since which the thread holds it, or held it
  };

  // Calls visit(use) for the uses of overlapping locations. One use may be visited several times.
  template <typename Visit>
  void for_each_use(const Effect& effect, Visit&& visit) const;

  // All uses that `effect` depends on are before `step`.
  void add(const Effect& effect, uint32_t thread, uint32_t step);

  size_t mark() const { return changes_.size(); }
  void undo_to(size_t mark);

 private:
  struct Cell {
    uint64_t end = 0;
    std::vector<Use> uses;
  };
  using Cells = std::map<uint64_t, Cell>;  // of one object, by their beginnings; they do not overlap

  struct Change {
    enum class Kind : uint8_t { kNewCell, kSplit, kReplaced, kAdded, kRemoved } kind;
    uint32_t index = 0;
    Use use;  // before
    Cell* cell = nullptr;
    Cells* cells = nullptr;
    uint64_t begin = 0;
  };

  void split(Cells* cells, uint64_t at);
  void add_to(Cell* cell, const Effect& effect, uint32_t thread, uint32_t step);

  std::unordered_map<uint64_t, Cells> objects_;
  std::vector<Change> changes_;
};

template <typename Visit>
void LocationTable::for_each_use(const Effect& effect, Visit&& visit) const {
  const auto object = objects_.find(effect.object);
  if (object == objects_.end()) return;
  const Cells& cells = object->second;
  auto at = cells.upper_bound(effect.begin);
  if (at != cells.begin() && std::prev(at)->second.end > effect.begin) --at;
  for (; at != cells.end() && at->first < effect.end; ++at) {
    for (const Use& use : at->second.uses) visit(use);
  }
}

}  // namespace heddle
