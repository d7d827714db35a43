#include "runtime/mappings.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>

#include "runtime/address_space.h"
#include "runtime/runtime.h"
#include "runtime/sys.h"

namespace heddle::rt {
namespace {

inline constexpr uintptr_t kPage = 4096;

uintptr_t page_of(uintptr_t address) {
  return address & ~(kPage - 1);
}
uintptr_t page_after(uintptr_t address) {
  return page_of(address + kPage - 1);
}

// More data than this stays where it is. Anonymous memory is there as a whole, and fork copies the page
// tables of what is there; of a file's, that is what has been used.
inline constexpr uintptr_t kMostData = 64 * 1024;

// The parts of a loaded file: code and constants, data that the loader has made read-only, other data.
struct Parts {
  uintptr_t code_begin = 0;
  uintptr_t code_end = 0;
  uintptr_t read_only_end = 0;  // code_end if the kernel cannot join code and data
  uintptr_t data_begin = 0;
  uintptr_t data_end = 0;

  explicit Parts(const dl_phdr_info& info) {
    uintptr_t offset_end = 0;
    bool contiguous = true;  // in memory and in the file
    for (int i = 0; i < info.dlpi_phnum; ++i) {
      const ElfW(Phdr)& segment = info.dlpi_phdr[i];
      if (segment.p_type != PT_LOAD || data_end != 0) continue;
      const uintptr_t begin = info.dlpi_addr + segment.p_vaddr;
      if (code_end != 0) contiguous &= page_of(begin) == code_end && page_of(segment.p_offset) == offset_end;
      if ((segment.p_flags & PF_W) != 0) {
        data_begin = page_of(begin);
        data_end = page_after(begin + segment.p_filesz);
      } else if (contiguous) {
        if (code_end == 0) code_begin = page_of(begin);
        code_end = page_after(begin + segment.p_memsz);
        offset_end = page_after(segment.p_offset + segment.p_filesz);
      }
    }
    read_only_end = code_end;
    for (int i = 0; i < info.dlpi_phnum; ++i) {
      const ElfW(Phdr)& part = info.dlpi_phdr[i];
      const uintptr_t begin = info.dlpi_addr + part.p_vaddr;
      if (part.p_type != PT_GNU_RELRO || page_of(begin) != data_begin) continue;
      data_begin = page_of(begin + part.p_memsz);
      if (contiguous) read_only_end = data_begin;
    }
  }
};

// Somebody may have written to it: the loader where it had to be relocated, a debugger.
bool is_code_of_file(const Parts& parts) {
  bool changed = false;
  const bool known = for_each_present_page(parts.code_begin, parts.code_end,
                                           [&](uintptr_t, bool is_private) { changed |= is_private; });
  return known && !changed;
}

void join_read_only(const Parts& parts) {
  const auto protect = [](uintptr_t begin, uintptr_t end, int protection) {
    return sys_call(SYS_mprotect, static_cast<long>(begin), static_cast<long>(end - begin), protection) == 0;
  };
  // Mappings that could be written once are joined only with others of that kind.
  if (!protect(parts.code_begin, parts.code_end, PROT_READ | PROT_WRITE | PROT_EXEC)) return;
  // As one with private memory its page tables will be copied. They hold what start-up has used.
  sys_call(SYS_madvise, static_cast<long>(parts.code_begin),
           static_cast<long>(parts.code_end - parts.code_begin), MADV_DONTNEED);
  protect(parts.code_begin, parts.read_only_end, PROT_READ | PROT_EXEC);
}

// Calls nothing and uses no variables while the data is away: it may be our own.
void move_data(const Parts& parts, void* buffer) {
  void* const data = reinterpret_cast<void*>(parts.data_begin);
  const size_t size = parts.data_end - parts.data_begin;
  copy_bytes(buffer, data, size);
  const long mapped = sys_call(SYS_mmap, static_cast<long>(parts.data_begin), static_cast<long>(size),
                               PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (mapped == static_cast<long>(parts.data_begin)) copy_bytes(data, buffer, size);
}

struct Task {
  void (*visit)(uintptr_t begin, uintptr_t end);
  void* buffer;
};

int join(dl_phdr_info* info, size_t, void* argument) {
  const bool is_program = info->dlpi_name == nullptr || info->dlpi_name[0] == 0;
  if (!is_program && info->dlpi_name[0] != '/') return 0;  // not a file
  const Task task = *static_cast<Task*>(argument);
  const Parts parts(*info);
  if (parts.code_end != 0 && is_code_of_file(parts)) {
    join_read_only(parts);
    task.visit(parts.code_begin, parts.code_end);
  }
  if (parts.data_begin < parts.data_end && parts.data_end - parts.data_begin <= kMostData) {
    move_data(parts, task.buffer);
  }
  return 0;
}

}  // namespace

PageMap::PageMap()
    : fd_(sys_call(SYS_open, reinterpret_cast<long>("/proc/self/pagemap"), O_RDONLY | O_CLOEXEC)) {}

PageMap::~PageMap() {
  if (fd_ >= 0) sys_call(SYS_close, fd_);
}

size_t PageMap::read(uintptr_t begin) {
  const long bytes = sys_call(SYS_pread64, fd_, reinterpret_cast<long>(entries_), sizeof entries_,
                              static_cast<long>(begin / kPage * sizeof(uint64_t)));
  return bytes > 0 ? static_cast<size_t>(bytes) / sizeof(uint64_t) : 0;
}

void join_mappings(void (*visit)(uintptr_t begin, uintptr_t end)) {
  InsideScope inside;
  Task task{visit, own_memory(kMostData)};
  dl_iterate_phdr(join, &task);
  drop_own_memory(task.buffer, kMostData);
}

}  // namespace heddle::rt
