#include "runtime/mappings.h"

#include <elf.h>
#include <link.h>
#include <sys/mman.h>

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

// Code that the loader has changed is not what the file says.
bool is_relocated(const ElfW(Dyn) * entry) {
  for (; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_TEXTREL) return true;
    if (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL) != 0) return true;
  }
  return false;
}

// The parts of a loaded file that are only read: code and constants, then data that the loader has made so.
struct Parts {
  uintptr_t code_begin = 0;
  uintptr_t code_end = 0;
  uintptr_t data_end = 0;  // code_end if the kernel could not join the data
  bool relocated = false;

  explicit Parts(const dl_phdr_info& info) {
    uintptr_t offset_end = 0;
    bool contiguous = true;  // in memory and in the file
    bool at_data = false;
    for (int i = 0; i < info.dlpi_phnum; ++i) {
      const ElfW(Phdr)& segment = info.dlpi_phdr[i];
      const uintptr_t begin = info.dlpi_addr + segment.p_vaddr;
      if (segment.p_type == PT_DYNAMIC) {
        relocated = is_relocated(reinterpret_cast<const ElfW(Dyn)*>(begin));
      } else if (segment.p_type == PT_GNU_RELRO && contiguous && at_data && page_of(begin) == code_end) {
        data_end = page_of(begin + segment.p_memsz);
      } else if (segment.p_type == PT_LOAD && contiguous && !at_data) {
        contiguous = code_end == 0 || (page_of(begin) == code_end && page_of(segment.p_offset) == offset_end);
        at_data = (segment.p_flags & PF_W) != 0;
        if (!contiguous || at_data) continue;
        if (code_end == 0) code_begin = page_of(begin);
        data_end = code_end = page_after(begin + segment.p_memsz);
        offset_end = page_after(segment.p_offset + segment.p_filesz);
      }
    }
  }
};

void join_parts(const Parts& parts) {
  const auto protect = [](uintptr_t begin, uintptr_t end, int protection) {
    return sys_call(SYS_mprotect, static_cast<long>(begin), static_cast<long>(end - begin), protection) == 0;
  };
  // Mappings that could be written once are joined only with others of that kind.
  if (!protect(parts.code_begin, parts.code_end, PROT_READ | PROT_WRITE | PROT_EXEC)) return;
  // As one with private memory its page tables will be copied. They hold what start-up has used.
  sys_call(SYS_madvise, static_cast<long>(parts.code_begin),
           static_cast<long>(parts.code_end - parts.code_begin), MADV_DONTNEED);
  protect(parts.code_begin, parts.data_end, PROT_READ | PROT_EXEC);
}

int join(dl_phdr_info* info, size_t, void* visit) {
  const bool is_program = info->dlpi_name == nullptr || info->dlpi_name[0] == 0;
  if (!is_program && info->dlpi_name[0] != '/') return 0;  // not a file
  const Parts parts(*info);
  if (parts.code_end == 0 || parts.relocated) return 0;
  join_parts(parts);
  reinterpret_cast<void (*)(uintptr_t, uintptr_t)>(visit)(parts.code_begin, parts.code_end);
  return 0;
}

}  // namespace

void join_mappings(void (*visit)(uintptr_t begin, uintptr_t end)) {
  InsideScope inside;
  dl_iterate_phdr(join, reinterpret_cast<void*>(visit));
}

}  // namespace heddle::rt
