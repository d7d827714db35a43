#include "runtime/mappings.h"

#include <elf.h>
#include <link.h>
#include <sys/mman.h>

#include "runtime/runtime.h"
#include "runtime/sys.h"

namespace heddle::rt {
namespace {

inline constexpr uintptr_t kPage = 4096;

int mode_flags = 1;

int merge(dl_phdr_info* info, size_t, void*) {
  const bool is_program = info->dlpi_name == nullptr || info->dlpi_name[0] == 0;
  if (!is_program && info->dlpi_name[0] != '/') return 0;
  uintptr_t begin = ~uintptr_t{0};
  uintptr_t end = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& h = info->dlpi_phdr[i];
    if (h.p_type != PT_LOAD || (h.p_flags & PF_W) != 0) continue;
    const uintptr_t from = (info->dlpi_addr + h.p_vaddr) & ~(kPage - 1);
    const uintptr_t to = (info->dlpi_addr + h.p_vaddr + h.p_memsz + kPage - 1) & ~(kPage - 1);
    if (from < begin) begin = from;
    if (to > end) end = to;
  }
  if (begin >= end) return 0;
  if (mode_flags & 2) {
    sys_call(SYS_mprotect, begin, end - begin, PROT_READ | PROT_WRITE | PROT_EXEC);
    auto* byte = reinterpret_cast<volatile char*>(begin);
    *byte = *byte;
  }
  if (mode_flags & 1) sys_call(SYS_mprotect, begin, end - begin, PROT_READ | PROT_EXEC);
  return 0;
}

}  // namespace

void merge_mappings() {
  InsideScope inside;
  
  dl_iterate_phdr(merge, nullptr);
}

}  // namespace heddle::rt
