#include "runtime/finalizers.h"

#include <elf.h>
#include <link.h>

#include "runtime/runtime.h"
#include "runtime/sys.h"

namespace heddle::rt {
namespace {

bool matter;
const link_map* last_loaded;

// File names up to the first dot.
constexpr const char* kSystemLibraries[] = {
    "libc.",  "libm.",  "libgcc_s.",     "libstdc++.", "ld-linux-x86-64.",         "libpthread.",
    "libdl.", "librt.", "libheddle_rt.", "libtsan.",   "libclang_rt.tsan-x86_64.", "linux-vdso."};

const char* file_name(const char* path) {
  const char* name = path;
  for (; *path != 0; ++path) {
    if (*path == '/') name = path + 1;
  }
  return name;
}

// gcc and clang put one function of their own into every program's array.
bool has_own_finalizers(const dl_phdr_info& info) {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    if (info.dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    const auto* entry = reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + info.dlpi_phdr[i].p_vaddr);
    for (; entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag == DT_FINI_ARRAYSZ && entry->d_un.d_val > sizeof(void*)) return true;
    }
  }
  return false;
}

int look_at(dl_phdr_info* info, size_t, void* matters) {
  const bool is_program = info->dlpi_name == nullptr || info->dlpi_name[0] == 0;
  if (is_program) return *static_cast<bool*>(matters) |= has_own_finalizers(*info), 0;
  for (const char* library : kSystemLibraries) {
    if (text_starts(file_name(info->dlpi_name), library)) return 0;
  }
  *static_cast<bool*>(matters) = true;
  return 1;
}

}  // namespace

void finalizers_init() {
  InsideScope inside;
  matter = false;
  dl_iterate_phdr(look_at, &matter);
  last_loaded = _r_debug.r_map;
  while (last_loaded != nullptr && last_loaded->l_next != nullptr) last_loaded = last_loaded->l_next;
}

bool finalizers_matter() {
  // The loader appends what the program has loaded since. Asking it again costs as much as a small test.
  if (last_loaded == nullptr || last_loaded->l_next != nullptr) finalizers_init();
  return matter;
}

}  // namespace heddle::rt
