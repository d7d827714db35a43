#include "cursor.h"

#include <algorithm>
#include <stdexcept>

namespace ordered {

Cursor::Cursor(const TreeMap& map, Key from, Key to, std::size_t page_size)
    : map_(map), from_(from), to_(to), page_size_(page_size) {
  if (page_size == 0) throw std::invalid_argument("a cursor must read one entry at a time at least");
}

std::optional<Entry> Cursor::next() {
  if (position_ == page_.size()) {
    page_ = map_.page(from_, to_, page_size_);
    position_ = 0;
    if (page_.empty()) return std::nullopt;
    from_ = page_.back().key + 1;
  }
  return page_[position_++];
}

void Cursor::skip_to(Key key) {
  const auto begin = page_.begin() + static_cast<std::ptrdiff_t>(position_);
  const auto found = std::find_if(begin, page_.end(), [&](const Entry& entry) { return entry.key >= key; });
  position_ = static_cast<std::size_t>(found - page_.begin());
  if (found == page_.end()) from_ = std::max(from_, key);
}

}  // namespace ordered
