// What fork has to copy: the mappings of the program and its libraries, made fewer.
//
// Every mapping costs a child of the fork server a microsecond or two, used or not, and a file comes as five
// or six of them. The server joins
//   - what is only read, code and constants: all of it is executable then, as it was before linkers began to
//     keep them apart;
//   - data that can be written with the anonymous memory next to it (zeroed data, the heap), by moving the
//     data itself to anonymous memory.
// Nothing depends on it: what cannot be joined is left as it was.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::rt {

// Also calls visit(begin, end) for the code of every file, if it is what the file says.
void join_mappings(void (*visit)(uintptr_t begin, uintptr_t end));

// What the kernel tells of the pages of this process.
class PageMap {
 public:
  PageMap();
  ~PageMap();
  PageMap(const PageMap&) = delete;

  // Reads about the pages from `begin` on; returns for how many.
  size_t read(uintptr_t begin);
  bool is_present(size_t i) const { return (entries_[i] >> 63 & 1) != 0; }
  bool is_private(size_t i) const { return (entries_[i] >> 61 & 1) == 0; }  // not the file's own

 private:
  long fd_;
  uint64_t entries_[512];
};

// Calls visit(page, is_private) for the pages that are present; false if the kernel does not tell.
template <typename Visit>
bool for_each_present_page(uintptr_t begin, uintptr_t end, Visit visit) {
  constexpr uintptr_t kPage = 4096;
  PageMap pages;
  while (begin < end) {
    const size_t count = pages.read(begin);
    if (count == 0) return false;
    for (size_t i = 0; i < count && begin < end; ++i, begin += kPage) {
      if (pages.is_present(i)) visit(begin, pages.is_private(i));
    }
  }
  return true;
}

}  // namespace heddle::rt
