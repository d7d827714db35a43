#include "runtime/tls.h"

#include <link.h>

#include "runtime/runtime.h"
#include "runtime/sys.h"

namespace heddle::rt {
namespace {

struct Image {
  size_t module;  // its number in the vector of thread-local blocks
  const void* data;
  size_t data_size;
  size_t size;  // the rest is zero
};
inline constexpr size_t kMaxImages = 256;
Image images[kMaxImages];
size_t image_count;

// glibc's: an entry of the vector that the second word of a thread's block points to, by module number.
struct BlockEntry {
  char* block;
  void* to_free;
};
char* const kUnallocated = reinterpret_cast<char*>(~uintptr_t{0});

bool is_libc(const char* path) {
  const char* name = path;
  for (; *path != 0; ++path) {
    if (*path == '/') name = path + 1;
  }
  return text_starts(name, "libc.so") || text_starts(name, "ld-linux");
}

int note_image(dl_phdr_info* info, size_t, void*) {
  if (info->dlpi_tls_modid == 0 || image_count == kMaxImages) return 0;
  if (info->dlpi_name != nullptr && is_libc(info->dlpi_name)) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_TLS) continue;
    images[image_count++] = {info->dlpi_tls_modid,
                             reinterpret_cast<const void*>(info->dlpi_addr + header.p_vaddr), header.p_filesz,
                             header.p_memsz};
  }
  return 0;
}

}  // namespace

void tls_find_images() {
  InsideScope inside;
  image_count = 0;
  dl_iterate_phdr(note_image, nullptr);
}

void tls_reset(uintptr_t fs_base) {
  auto* blocks = reinterpret_cast<BlockEntry* const*>(fs_base)[1];
  const auto known = reinterpret_cast<size_t*>(blocks)[-2];  // the entry before the first is their number
  for (size_t i = 0; i < image_count; ++i) {
    const Image& image = images[i];
    if (image.module > known) continue;
    char* block = blocks[image.module].block;
    if (block == nullptr || block == kUnallocated) continue;
    copy_bytes(block, image.data, image.data_size);
    fill_bytes(block + image.data_size, 0, image.size - image.data_size);
  }
}

}  // namespace heddle::rt
