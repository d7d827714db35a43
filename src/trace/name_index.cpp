#include "trace/name_index.h"

#include <cstring>

#include "trace/hash.h"

namespace heddle::trace {
namespace {

bool is_at(const std::vector<char>& strings, uint32_t offset, std::string_view name) {
  return strings.size() - offset > name.size() &&
         std::memcmp(strings.data() + offset, name.data(), name.size()) == 0 &&
         strings[offset + name.size()] == '\0';
}

}  // namespace

uint32_t NameIndex::find(std::string_view name, const std::vector<char>& strings) const {
  if (slots_.empty()) return kNone;
  const uint64_t hash = fnv1a(name);
  for (size_t at = hash & (slots_.size() - 1); slots_[at].string != 0; at = (at + 1) & (slots_.size() - 1)) {
    if (slots_[at].hash == hash && is_at(strings, slots_[at].string, name)) return slots_[at].value;
  }
  return kNone;
}

void NameIndex::add(Numbered name, uint32_t value) {
  std::vector<uint32_t>& values = direct_[name.letter];
  if (name.number >= values.size()) values.resize(name.number + 1, kNone);
  values[name.number] = value;
  count_++;
}

void NameIndex::add(std::string_view name, uint32_t value, uint32_t string) {
  if ((hashed_ + 1) * 2 > slots_.size()) {
    std::vector<Slot> old(slots_.empty() ? 64 : slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.string != 0) insert(slot);
  }
  insert({string, value, fnv1a(name)});
  hashed_++;
  count_++;
}

void NameIndex::insert(const Slot& slot) {
  size_t at = slot.hash & (slots_.size() - 1);
  while (slots_[at].string != 0) at = (at + 1) & (slots_.size() - 1);
  slots_[at] = slot;
}

}  // namespace heddle::trace
