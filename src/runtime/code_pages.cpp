#include "runtime/code_pages.h"

#include <fcntl.h>
#include <sys/mman.h>

#include "runtime/address_space.h"
#include "runtime/mappings.h"
#include "runtime/runtime.h"
#include "runtime/sys.h"

namespace heddle::rt {
namespace {

inline constexpr uintptr_t kPage = 4096;

// It takes a hundred executions or so to get back what finding out costs.
inline constexpr uint64_t kFirstLook = 50;

// Two looks: pages come with their neighbours, so the pages that a child has at its end are too many. But
// those it was given by the server's fork count as unused until it has used them.
enum class Look : uint8_t { kNone, kPresent, kUsed };
Look look;
Look next_look = Look::kPresent;
uint32_t attempts = 50;  // an execution that fails reports nothing

inline constexpr size_t kMaxPages = 64 * 1023;
struct PageSet {
  uint64_t bits[kMaxPages / 64];
  bool has(size_t i) const { return (bits[i / 64] >> (i % 64) & 1) != 0; }
  void add(size_t i) { bits[i / 64] |= uint64_t{1} << (i % 64); }
};

// What a child tells the server, in the arena.
struct Report {
  uint64_t done;
  PageSet pages;
};
static_assert(sizeof(Report) == trace::kArenaRuntimeRoom);

Report* report() {
  return reinterpret_cast<Report*>(in_arena(trace::kArenaHeaderRoom - sizeof(Report)));
}

// The code of one file. Its pages have numbers in the set.
struct Range {
  uintptr_t begin;
  uintptr_t end;
  size_t first;

  bool contains(uintptr_t address) const { return address >= begin && address < end; }
  size_t number(uintptr_t page) const { return first + (page - begin) / kPage; }
};
inline constexpr uint32_t kMaxRanges = 256;
Range* ranges;
uint32_t range_count;
size_t page_count;

void add_range(uintptr_t begin, uintptr_t end) {
  const size_t pages = (end - begin) / kPage;
  if (range_count == kMaxRanges || page_count + pages > kMaxPages) return;
  ranges[range_count++] = {begin, end, page_count};
  page_count += pages;
}

template <typename Visit>
void for_each_reported_page(const Range& range, Visit visit) {
  for (uintptr_t page = range.begin; page < range.end; page += kPage) {
    if (report()->pages.has(range.number(page))) visit(page);
  }
}

long protect(const Range& range, int protection) {
  return sys_call(SYS_mprotect, static_cast<long>(range.begin), static_cast<long>(range.end - range.begin),
                  protection);
}
long advise(uintptr_t begin, uintptr_t end, int advice) {
  return sys_call(SYS_madvise, static_cast<long>(begin), static_cast<long>(end - begin), advice);
}

// From now on children get the reported pages, and no others.
void adopt_reported_pages() {
  for (uint32_t i = 0; i < range_count; ++i) {
    const Range& range = ranges[i];
    bool writable = false;
    advise(range.begin, range.end, MADV_DONTNEED);
    for_each_reported_page(range, [&](uintptr_t page) {
      if (!writable) writable = protect(range, PROT_READ | PROT_WRITE | PROT_EXEC) == 0;
      // A write from the beginning: a read would bring the neighbours.
      if (writable) __atomic_fetch_or(reinterpret_cast<char*>(page), 0, __ATOMIC_RELAXED);
    });
    if (writable) protect(range, PROT_READ | PROT_EXEC);
  }
}

void report_present_pages() {
  fill_bytes(report(), 0, sizeof(Report));
  for (uint32_t i = 0; i < range_count; ++i) {
    const Range& range = ranges[i];
    for_each_present_page(range.begin, range.end,
                          [&](uintptr_t page, bool) { report()->pages.add(range.number(page)); });
  }
}

// Reads the lines of a file, the first part of each.
class LineReader {
 public:
  explicit LineReader(const char* path)
      : fd_(sys_call(SYS_open, reinterpret_cast<long>(path), O_RDONLY | O_CLOEXEC)) {}
  ~LineReader() { sys_call(SYS_close, fd_); }

  const char* next() {
    size_t length = 0;
    for (;;) {
      if (at_ == size_) {
        const long got = sys_call(SYS_read, fd_, reinterpret_cast<long>(buffer_), sizeof buffer_);
        if (got <= 0) return nullptr;
        size_ = static_cast<size_t>(got);
        at_ = 0;
      }
      const char c = buffer_[at_++];
      if (c == '\n') break;
      if (length + 1 < sizeof line_) line_[length++] = c;
    }
    line_[length] = 0;
    return line_;
  }

 private:
  long fd_;
  char buffer_[2048];
  size_t at_ = 0;
  size_t size_ = 0;
  char line_[64];
};

const char* parse_hex(const char* text, uintptr_t* value) {
  for (*value = 0;; ++text) {
    if (*text >= '0' && *text <= '9')
      *value = *value * 16 + static_cast<uintptr_t>(*text - '0');
    else if (*text >= 'a' && *text <= 'f')
      *value = *value * 16 + static_cast<uintptr_t>(*text - 'a' + 10);
    else
      return text;
  }
}

// "Referenced: <n> kB", with n not 0.
bool tells_use(const char* line) {
  constexpr char kName[] = "Referenced:";
  if (!text_starts(line, kName)) return false;
  const char* at = line + sizeof kName - 1;
  while (*at == ' ') ++at;
  return *at != '0' && *at != 0;
}

void report_if_given(const PageSet& given, uintptr_t begin, uintptr_t end) {
  for (uint32_t i = 0; i < range_count; ++i) {
    if (!ranges[i].contains(begin)) continue;
    for (uintptr_t page = begin; page < end && ranges[i].contains(page); page += kPage) {
      const size_t number = ranges[i].number(page);
      if (given.has(number)) report()->pages.add(number);
    }
  }
}

// The kernel tells use only for a whole mapping, so each page becomes one: by an advice that has no effect on
// pages that are there already.
void report_used_pages() {
  for (uint32_t i = 0; i < range_count; ++i) {
    for_each_reported_page(ranges[i], [](uintptr_t page) {
      if (page / kPage % 2 != 0) advise(page, page + kPage, MADV_RANDOM);
    });
  }
  auto* given = static_cast<PageSet*>(own_memory(sizeof(PageSet)));
  copy_bytes(given, &report()->pages, sizeof(PageSet));
  fill_bytes(report(), 0, sizeof(Report));
  LineReader lines("/proc/self/smaps");
  uintptr_t begin = 0;
  uintptr_t end = 0;
  while (const char* line = lines.next()) {
    const bool is_field = *line >= 'A' && *line <= 'Z';
    if (!is_field)
      parse_hex(parse_hex(line, &begin) + 1, &end);
    else if (tells_use(line))
      report_if_given(*given, begin, end);
  }
}

}  // namespace

void code_pages_init() {
  ranges = static_cast<Range*>(own_memory(kMaxRanges * sizeof(Range)));
  join_mappings(add_range);
}

void code_pages_before_execution() {
  if (next_look == Look::kNone || rt.arena->executions < kFirstLook) return;
  look = next_look;
  report()->done = 0;
}

void code_pages_report() {
  if (look == Look::kNone) return;
  if (look == Look::kPresent)
    report_present_pages();
  else
    report_used_pages();
  report()->done = 1;
}

void code_pages_after_execution() {
  if (look == Look::kNone) return;
  if (report()->done != 0) {
    adopt_reported_pages();
    next_look = look == Look::kPresent ? Look::kUsed : Look::kNone;
  } else if (--attempts == 0) {
    next_look = Look::kNone;
  }
  look = Look::kNone;
}

}  // namespace heddle::rt
