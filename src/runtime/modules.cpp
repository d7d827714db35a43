#include "runtime/modules.h"

#include <elf.h>
#include <link.h>

#include "runtime/address_space.h"
#include "runtime/recorder.h"
#include "runtime/sys.h"
#include "trace/hash.h"

namespace heddle::rt {
namespace {

inline constexpr uint32_t kMaxModules = 1024;
inline constexpr size_t kMaxPath = 512;

struct LoadedModule {
  Module module;
  char path[kMaxPath];
  char build_id[2 * 64 + 1];
};
LoadedModule* modules;
uint32_t count;
int last_hit = -1;

void read_build_id(const dl_phdr_info& info, LoadedModule* module) {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info.dlpi_phdr[i];
    if (header.p_type != PT_NOTE) continue;
    const char* at = reinterpret_cast<const char*>(info.dlpi_addr + header.p_vaddr);
    const char* end = at + header.p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      const auto* note = reinterpret_cast<const ElfW(Nhdr)*>(at);
      const char* name = at + sizeof(*note);
      const char* data = name + ((note->n_namesz + 3) & ~3u);
      if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && name[0] == 'G' && note->n_descsz <= 64) {
        for (uint32_t k = 0; k < note->n_descsz; ++k) {
          const auto byte = static_cast<unsigned char>(data[k]);
          module->build_id[2 * k] = "0123456789abcdef"[byte >> 4];
          module->build_id[2 * k + 1] = "0123456789abcdef"[byte & 15];
        }
        module->build_id[2 * note->n_descsz] = 0;
        return;
      }
      at = data + ((note->n_descsz + 3) & ~3u);
    }
  }
}

int add_module(dl_phdr_info* info, size_t, void*) {
  uintptr_t begin = ~uintptr_t{0};
  uintptr_t end = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
    const uintptr_t from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
    const uintptr_t to = from + info->dlpi_phdr[i].p_memsz;
    if (from < begin) begin = from;
    if (to > end) end = to;
  }
  for (uint32_t i = 0; i < count; ++i) {
    if (modules[i].module.begin == begin && modules[i].module.end == end) return 0;
  }
  if (begin >= end || count == kMaxModules) return 0;
  LoadedModule& loaded = modules[count];
  loaded = {};
  Text path(loaded.path, kMaxPath);
  if (info->dlpi_name != nullptr && info->dlpi_name[0] != 0) {
    path.add(info->dlpi_name);
  } else if (count == 0) {
    const long n = sys_call(SYS_readlink, reinterpret_cast<long>("/proc/self/exe"),
                            reinterpret_cast<long>(loaded.path), kMaxPath - 1);
    loaded.path[n > 0 ? n : 0] = 0;
  } else {
    path.add("[vdso]");
  }
  read_build_id(*info, &loaded);
  size_t length = text_length(loaded.path);
  loaded.module = {info->dlpi_addr, begin, end, trace::module_key({loaded.path, length}), count};
  count++;
  return 0;
}

}  // namespace

void modules_refresh() {
  if (modules == nullptr) {
    modules = static_cast<LoadedModule*>(own_memory(kMaxModules * sizeof(LoadedModule)));
  }
  InsideScope inside;
  dl_iterate_phdr(add_module, nullptr);
}

uint32_t module_count() {
  return count;
}

const Module& module_at(uint32_t index) {
  return modules[index].module;
}

const char* module_path(uint32_t index) {
  return modules[index].path;
}
const char* module_build_id(uint32_t index) {
  return modules[index].build_id;
}

int module_of(uintptr_t address) {
  if (last_hit >= 0) {
    const Module& module = modules[last_hit].module;
    if (address >= module.begin && address < module.end) return last_hit;
  }
  for (uint32_t i = 0; i < count; ++i) {
    const Module& module = modules[i].module;
    if (address >= module.begin && address < module.end) return last_hit = static_cast<int>(i);
  }
  return -1;
}

void modules_record() {
  if (descriptor(trace::TableId::kModules).count == count) return;
  for (uint64_t i = descriptor(trace::TableId::kModules).count; i < count; ++i) {
    append(trace::TableId::kModules,
           trace::ModuleRecord{record_string(modules[i].path), record_string(modules[i].build_id),
                               modules[i].module.end - modules[i].module.base});
  }
  keep_strings();
}

namespace {
bool is_on_stack(const Fiber& fiber, uintptr_t address) {
  return address >= fiber.stack_low && address < fiber.stack_top;
}

Place place_on_stack(const Fiber& fiber, uintptr_t address) {
  return {trace::ObjectKind::kStack, fiber.index, trace::kStackTop - (fiber.stack_top - address), nullptr};
}
}  // namespace

Place place_of(uintptr_t address) {
  const Fiber* self = rt.current;
  if (self != nullptr && is_on_stack(*self, address)) return place_on_stack(*self, address);
  const int module = module_of(address);
  if (module >= 0) {
    return {trace::ObjectKind::kGlobal, static_cast<uint32_t>(module), address - module_at(module).base,
            nullptr};
  }
  if (HeapObject* heap = heap_find(address)) return {heap->kind, 0, address - heap->base, heap};
  for (uint32_t i = 0; i < rt.fiber_count; ++i) {
    if (is_on_stack(*rt.fibers[i], address)) return place_on_stack(*rt.fibers[i], address);
  }
  return {trace::ObjectKind::kUnknown, 0, address, nullptr};
}

}  // namespace heddle::rt
