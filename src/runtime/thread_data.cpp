#include "runtime/thread_data.h"

#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <cerrno>
#include <climits>

#include "runtime/address_space.h"
#include "runtime/sys.h"

namespace heddle::rt {
namespace {

// Thread-specific data lives in glibc's thread block; only the destructors are ours to run.
struct Key {
  bool used;
  void (*destructor)(void*);
};
Key* keys;               // null until one is created
pthread_key_t keys_end;  // above every key ever created

void run_key_destructors() {
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round) {
    bool again = false;
    for (pthread_key_t key = 0; key < keys_end; ++key) {
      if (!keys[key].used || keys[key].destructor == nullptr) continue;
      void* value = pthread_getspecific(key);
      if (value == nullptr) continue;
      pthread_setspecific(key, nullptr);
      again = true;
      keys[key].destructor(value);
    }
    if (!again) return;
  }
}

HEDDLE_REAL Real<void()> call_tls_destructors{"__call_tls_dtors"};

struct Image {
  size_t module;  // its number in the vector of thread-local blocks
  const void* data;
  size_t data_size;
  size_t size;  // the rest is zero
};
inline constexpr size_t kMaxImages = 256;
LazyArray<Image, kMaxImages> images;
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

// How many libraries have come and gone when the images were noted.
struct Loads {
  uint64_t added;
  uint64_t removed;
};
Loads noted_loads;

int note_image(dl_phdr_info* info, size_t, void*) {
  noted_loads = {info->dlpi_adds, info->dlpi_subs};
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

int note_loads(dl_phdr_info* info, size_t, void* loads) {
  *static_cast<Loads*>(loads) = {info->dlpi_adds, info->dlpi_subs};
  return 1;  // the same for every module
}

void refresh_images() {
  InsideScope inside;
  Loads loads{};
  dl_iterate_phdr(note_loads, &loads);
  if (loads.added != noted_loads.added || loads.removed != noted_loads.removed) find_thread_local_images();
}

// A module number may have gone to another library since the thread last used it: the block that it then has
// will be replaced by glibc, and need not be large enough.
bool has_room(const BlockEntry& entry, size_t size) {
  if (entry.to_free == nullptr) return true;  // at the top of the stack
  const auto lost = static_cast<size_t>(entry.block - static_cast<char*>(entry.to_free));
  return malloc_usable_size(entry.to_free) >= lost + size;
}

}  // namespace

void run_thread_destructors() {
  if (call_tls_destructors.exists()) call_tls_destructors();
  run_key_destructors();
}

void forget_specific_data() {
  errno = 0;
  for (pthread_key_t key = 0; key < keys_end; ++key) {
    if (keys[key].used && pthread_getspecific(key) != nullptr) pthread_setspecific(key, nullptr);
  }
}

bool leaves_nothing_behind(const Fiber* fiber) {
  if (fiber->state == FiberState::kFinished) return true;
  if (fiber->has_destructors) return false;
  // Thread-specific data is found through the FS base.
  const uintptr_t own = rt.current->fs_base;
  bool nothing = true;
  heddle_set_fs_base(fiber->fs_base);
  for (pthread_key_t key = 0; key < keys_end && nothing; ++key) {
    if (keys[key].used && keys[key].destructor != nullptr) nothing = pthread_getspecific(key) == nullptr;
  }
  heddle_set_fs_base(own);
  return nothing;
}

void find_thread_local_images() {
  InsideScope inside;
  image_count = 0;
  dl_iterate_phdr(note_image, nullptr);
}

void reset_thread_locals(uintptr_t fs_base) {
  refresh_images();
  auto* blocks = reinterpret_cast<BlockEntry* const*>(fs_base)[1];
  const auto known = reinterpret_cast<size_t*>(blocks)[-2];  // the entry before the first is their number
  for (size_t i = 0; i < image_count; ++i) {
    const Image& image = images[i];
    if (image.module > known) continue;
    char* block = blocks[image.module].block;
    if (block == nullptr || block == kUnallocated || !has_room(blocks[image.module], image.size)) continue;
    copy_bytes(block, image.data, image.data_size);
    fill_bytes(block + image.data_size, 0, image.size - image.data_size);
  }
}

}  // namespace heddle::rt

using namespace heddle::rt;

// glibc keeps the list of what to destroy where we cannot take it back.
HEDDLE_EXPORT int __cxa_thread_atexit_impl(void (*destructor)(void*), void* object, void* library) {
  static HEDDLE_REAL Real<int(void (*)(void*), void*, void*)> real_atexit{"__cxa_thread_atexit_impl"};
  if (rt.current != nullptr) rt.current->has_destructors = true;
  return real_atexit(destructor, object, library);
}

HEDDLE_EXPORT int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) {
  static HEDDLE_REAL Real<int(pthread_key_t*, void (*)(void*))> real_key_create{"pthread_key_create"};
  // glibc must not run the destructors: it would do so for the main thread only.
  const int error = real_key_create(key, nullptr);
  if (error == 0 && *key < PTHREAD_KEYS_MAX) {
    if (keys == nullptr) {
      init_memory();
      keys = static_cast<Key*>(own_memory(PTHREAD_KEYS_MAX * sizeof(Key)));
    }
    keys[*key] = {true, destructor};
    if (*key >= keys_end) keys_end = *key + 1;
  }
  return error;
}
HEDDLE_EXPORT int __pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) {
  return pthread_key_create(key, destructor);
}
HEDDLE_EXPORT int pthread_key_delete(pthread_key_t key) {
  static HEDDLE_REAL Real<int(pthread_key_t)> real_key_delete{"pthread_key_delete"};
  if (key < keys_end) keys[key] = {};
  return real_key_delete(key);
}
