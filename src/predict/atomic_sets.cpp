#include "predict/atomic_sets.h"

#include <iterator>

namespace heddle {

size_t AtomicSets::KeyHash::operator()(const Key& key) const {
  uint64_t hash =
      (key.begin ^ (uint64_t{key.object} << 32 | static_cast<uint64_t>(key.kind))) * 0x9e3779b97f4a7c15ull;
  return hash ^ hash >> 29;
}

AtomicSets::AtomicSets(const trace::Trace& trace, const Variables& variables)
    : trace_(trace), variables_(variables) {
  read_names();
}

// Pieces with one name are one set, but a class that names its fields in the constructor does so for each of
// its objects: where the first piece is named again, another set of that name begins.
void AtomicSets::read_names() {
  struct Current {
    uint32_t first_site = 0;
    uint32_t set = 0;
  };
  std::map<std::string_view, Current> by_name;
  for (const trace::EventRecord& event : trace_.events()) {
    if (event.kind != trace::EventKind::kAtomicSet) continue;
    const trace::ObjectRecord& record = trace_.objects()[event.object];
    const auto memory = static_cast<uint32_t>(record.identity);
    const std::string_view name = trace_.string(record.owner);
    const auto [current, is_new] = by_name.try_emplace(name);
    if (is_new || event.site == current->second.first_site) {
      current->second = {event.site, static_cast<uint32_t>(sets_.size())};
      sets_.push_back({SetKind::kNamed, memory, event.offset, name});
    }
    name_piece(named_[memory], {event.offset, event.offset + event.size}, current->second.set);
  }
}

void AtomicSets::name_piece(Pieces& pieces, Extent where, uint32_t set) {
  if (where.begin >= where.end) return;
  auto next = pieces.upper_bound(where.begin);
  if (next != pieces.begin() && std::prev(next)->second.end > where.begin) --next;
  while (next != pieces.end() && next->first < where.end) {
    const auto [begin, old] = *next;
    next = pieces.erase(next);
    if (begin < where.begin) pieces[begin] = {where.begin, old.set};
    if (old.end > where.end) next = pieces.insert_or_assign(where.end, Piece{old.end, old.set}).first;
  }
  pieces[where.begin] = {where.end, set};
}

uint32_t AtomicSets::numbered(SetKind kind, uint32_t object, uint64_t begin) {
  const auto [number, is_new] =
      numbers_.try_emplace({kind, object, begin}, static_cast<uint32_t>(sets_.size()));
  if (is_new) sets_.push_back({kind, object, begin, {}});
  return number->second;
}

bool AtomicSets::is_large(uint32_t object, uint64_t begin, uint64_t bytes) {
  if (bytes <= kLargestObject) return false;
  large_.insert({object, begin});
  return true;
}

uint32_t AtomicSets::set_of(uint32_t object, uint64_t offset) {
  if (const auto pieces = named_.find(object); pieces != named_.end()) {
    const auto after = pieces->second.upper_bound(offset);
    if (after != pieces->second.begin()) {
      const Piece& piece = std::prev(after)->second;
      if (offset < piece.end) return piece.set;
    }
  }
  const trace::ObjectRecord& record = trace_.objects()[object];
  switch (record.kind) {
    case trace::ObjectKind::kHeap:
    case trace::ObjectKind::kMapping:
      if (!is_large(object, 0, record.size)) return numbered(SetKind::kObject, object, 0);
      break;
    case trace::ObjectKind::kGlobal:
    case trace::ObjectKind::kStack:
      if (const auto variable = variables_.variable_at(object, offset)) {
        if (!is_large(object, variable->begin, variable->end - variable->begin))
          return numbered(SetKind::kVariable, object, variable->begin);
      }
      break;
    default:
      break;
  }
  return numbered(SetKind::kLocation, object, offset);
}

}  // namespace heddle
