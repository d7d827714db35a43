// Walks through a map in order while others change it. A cursor reads a page of entries at a time and goes on
// after the last key it has seen: it never sees a key twice or out of order, and it may or may not see what
// is stored meanwhile.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "tree_map.h"

namespace ordered {

class Cursor {
 public:
  static constexpr std::size_t kDefaultPage = 16;

  // A cursor over the keys with from <= key < to.
  Cursor(const TreeMap& map, Key from, Key to, std::size_t page_size = kDefaultPage);

  // The next entry, or nothing at the end.
  std::optional<Entry> next();

  // Goes on at the first key that is not smaller. Only forwards: a smaller key than the next one changes
  // nothing.
  void skip_to(Key key);

 private:
  const TreeMap& map_;
  Key from_;
  Key to_;
  std::size_t page_size_;
  std::vector<Entry> page_;
  std::size_t position_ = 0;
};

}  // namespace ordered
