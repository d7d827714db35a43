#include "explore/location_table.h"

#include <array>

namespace heddle {
namespace {

using trace::OperationClass;

constexpr size_t kClasses = static_cast<size_t>(OperationClass::kOther) + 1;

// Whether everything that depends on an `earlier` also depends on a `later`, and that on the `earlier`.
constexpr bool stands_before(OperationClass later, OperationClass earlier) {
  if (!trace::classes_depend(later, earlier)) return false;
  for (size_t c = 0; c < kClasses; ++c) {
    const auto other = static_cast<OperationClass>(c);
    if (trace::classes_depend(earlier, other) && !trace::classes_depend(later, other)) return false;
  }
  return true;
}

constexpr auto kStandsBefore = [] {
  std::array<std::array<bool, kClasses>, kClasses> table{};
  for (size_t later = 0; later < kClasses; ++later) {
    for (size_t earlier = 0; earlier < kClasses; ++earlier) {
      table[later][earlier] =
          stands_before(static_cast<OperationClass>(later), static_cast<OperationClass>(earlier));
    }
  }
  return table;
}();

}  // namespace

void LocationTable::split(Cells* cells, uint64_t at) {
  auto cell = cells->upper_bound(at);
  if (cell == cells->begin()) return;
  --cell;
  if (cell->first == at || cell->second.end <= at) return;
  Cell& second = (*cells)[at];
  second = cell->second;
  cell->second.end = at;
  changes_.push_back({.kind = Change::Kind::kSplit, .cell = &cell->second, .cells = cells, .begin = at});
}

void LocationTable::add(const Effect& effect, uint32_t thread, uint32_t step) {
  Cells& cells = objects_[effect.object];
  split(&cells, effect.begin);
  split(&cells, effect.end);
  uint64_t begin = effect.begin;
  auto cell = cells.lower_bound(begin);
  while (begin < effect.end) {
    if (cell == cells.end() || cell->first > begin) {  // nobody has been here
      const uint64_t end = cell == cells.end() ? effect.end : std::min(effect.end, cell->first);
      cell = cells.emplace_hint(cell, begin, Cell{end, {}});
      changes_.push_back({.kind = Change::Kind::kNewCell, .cells = &cells, .begin = begin});
    }
    add_to(&cell->second, effect, thread, step);
    begin = cell->second.end;
    ++cell;
  }
}

void LocationTable::add_to(Cell* cell, const Effect& effect, uint32_t thread, uint32_t step) {
  std::vector<Use>& uses = cell->uses;
  Use added{.kind = effect.kind, .released = effect.releases, .thread = thread, .step = step};
  if (effect.acquires) added.acquired = step;
  size_t own = uses.size();
  for (size_t i = 0; i < uses.size();) {
    if (uses[i].kind == effect.kind && uses[i].thread == thread) {
      own = i++;
      continue;
    }
    if (!kStandsBefore[static_cast<size_t>(effect.kind)][static_cast<size_t>(uses[i].kind)]) {
      ++i;
      continue;
    }
    if (own == uses.size() - 1) own = i;  // moves to the place of the one that is removed
    changes_.push_back(
        {.kind = Change::Kind::kRemoved, .index = static_cast<uint32_t>(i), .use = uses[i], .cell = cell});
    uses[i] = uses.back();
    uses.pop_back();
  }
  if (own < uses.size()) {
    if (effect.releases) added.acquired = uses[own].acquired;
    changes_.push_back({.kind = Change::Kind::kReplaced,
                        .index = static_cast<uint32_t>(own),
                        .use = uses[own],
                        .cell = cell});
    uses[own] = added;
  } else {
    changes_.push_back({.kind = Change::Kind::kAdded, .cell = cell});
    uses.push_back(added);
  }
}

void LocationTable::undo_to(size_t mark) {
  while (changes_.size() > mark) {
    const Change& change = changes_.back();
    switch (change.kind) {
      case Change::Kind::kNewCell:
        change.cells->erase(change.begin);
        break;
      case Change::Kind::kSplit: {
        const auto second = change.cells->find(change.begin);
        change.cell->end = second->second.end;
        change.cells->erase(second);
        break;
      }
      case Change::Kind::kReplaced:
        change.cell->uses[change.index] = change.use;
        break;
      case Change::Kind::kAdded:
        change.cell->uses.pop_back();
        break;
      case Change::Kind::kRemoved:
        if (change.index == change.cell->uses.size()) {
          change.cell->uses.push_back(change.use);
        } else {
          change.cell->uses.push_back(change.cell->uses[change.index]);
          change.cell->uses[change.index] = change.use;
        }
        break;
    }
    changes_.pop_back();
  }
}

}  // namespace heddle
