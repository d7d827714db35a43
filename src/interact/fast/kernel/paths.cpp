#include "interact/fast/kernel/paths.h"

#include <asm/stat.h>
#include <asm/unistd_64.h>
#include <linux/fcntl.h>
#include <linux/mman.h>
#include <linux/stat.h>

#include <cerrno>

#include "interact/fast/kernel/calls.h"
#include "interact/fast/kernel/files.h"
#include "interact/fast/kernel/raw.h"

namespace heddle::fast {
namespace {

constexpr size_t kLongestName = 255;
constexpr size_t kLongestPath = 4096;
constexpr uint64_t kLargestSystemFile = uint64_t{4} << 20;
constexpr uint64_t kInputFileIdentity = 20;
constexpr uint64_t kFirstSystemIdentity = 100;

const char* const kSystemFolders[] = {"/usr/share/", "/usr/lib/", "/lib/", "/etc/",
                                      "/sys/devices/system/cpu/"};

// The length of a path, or -1 if it has no end.
int64_t length_of(const char* text) {
  for (size_t i = 0; i < kLongestPath; ++i) {
    if (text[i] == '\0') return static_cast<int64_t>(i);
  }
  return -1;
}

const char* without_dots(const char* path) {
  while (path[0] == '.' && path[1] == '/') {
    path += 2;
    while (*path == '/') ++path;
  }
  return path;
}

int64_t find_relative(Machine* machine, const char* path, FoundPath* found) {
  if (machine->calls.has_moved != 0) return need_process(machine, "it works in another folder");
  path = without_dots(path);
  size_t size = 0;
  while (path[size] != '\0' && path[size] != '/') ++size;
  if (size > kLongestName) return -ENAMETOOLONG;
  if (size == 0 || (path[0] == '.' && (size == 1 || (size == 2 && path[1] == '.'))))
    return need_process(machine, "it looks at its folder");
  size_t same = 0;
  while (same < size && machine->file_name[same] == path[same]) ++same;
  if (same < size || machine->file_name[size] != '\0') return -ENOENT;
  if (path[size] == '/') return -ENOTDIR;
  *found = {PathKind::kInputFile, machine->file, machine->file_size, kInputFileIdentity};
  return 0;
}

// By reading: what some files of the kernel say of their size is not what they have.
bool read_system_file(const char* path, SystemFile* file) {
  const int64_t real = raw_call(__NR_openat, static_cast<uint64_t>(AT_FDCWD),
                                reinterpret_cast<uint64_t>(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (real < 0) return false;
  const auto descriptor = static_cast<uint64_t>(real);
  struct stat status;
  bool is_good = raw_call(__NR_fstat, descriptor, reinterpret_cast<uint64_t>(&status)) == 0 &&
                 (status.st_mode & kFileType) == kRegularFile &&
                 static_cast<uint64_t>(status.st_size) <= kLargestSystemFile;
  int64_t memory = -1;
  const uint64_t room = is_good ? static_cast<uint64_t>(status.st_size) + kPage : 0;
  if (is_good)
    memory =
        raw_call(__NR_mmap, 0, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, ~uint64_t{0}, 0);
  is_good = is_good && memory >= 0;
  file->content = reinterpret_cast<const uint8_t*>(memory);
  file->size = 0;
  for (int64_t count = 1; is_good && count > 0 && file->size < room;) {
    count = raw_call(__NR_read, descriptor, static_cast<uint64_t>(memory) + file->size, room - file->size);
    is_good = count >= 0;
    if (count > 0) file->size += static_cast<uint64_t>(count);
  }
  raw_call(__NR_close, descriptor);
  return is_good;
}

int64_t find_system(Machine* machine, const char* path, int64_t length, FoundPath* found) {
  for (size_t i = 0; i < machine->system_file_count; ++i) {
    const SystemFile& file = machine->system_files[i];
    if (!is_same(file.path, path)) continue;
    *found = {PathKind::kSystemFile, file.content, file.size, kFirstSystemIdentity + i};
    return 0;
  }
  struct stat status;
  const int64_t error =
      raw_call(__NR_stat, reinterpret_cast<uint64_t>(path), reinterpret_cast<uint64_t>(&status));
  if (error == -ENOENT || error == -ENOTDIR) return error;
  bool is_known = false;
  for (const char* const folder : kSystemFolders) is_known = is_known || begins_with(path, folder);
  const size_t place = machine->system_file_count;
  if (!is_known || place == kMostSystemFiles || length >= static_cast<int64_t>(sizeof(SystemFile::path)))
    return need_process(machine, "it looks at files of the machine");
  SystemFile* const file = &machine->system_files[place];
  if (!read_system_file(path, file)) return need_process(machine, "it looks at files of the machine");
  copy_bytes(file->path, path, static_cast<size_t>(length) + 1);
  ++machine->system_file_count;
  *found = {PathKind::kSystemFile, file->content, file->size, kFirstSystemIdentity + place};
  return 0;
}

}  // namespace

int64_t find_path(Machine* machine, uint64_t folder, uint64_t path, FoundPath* found) {
  if (!may_hand_over(*machine, path, 1)) return -EFAULT;
  const char* const text = reinterpret_cast<const char*>(path);
  const int64_t length = length_of(text);
  if (length < 0) return -ENAMETOOLONG;
  if (length == 0) return -ENOENT;
  if (is_same(text, "/dev/null")) {
    *found = {PathKind::kNull, nullptr, 0, 0};
    return 0;
  }
  if (is_same(text, "/dev/tty")) return -ENXIO;  // there is no terminal
  const bool is_absolute = *text == '/';
  if (!is_absolute && static_cast<int32_t>(folder) != AT_FDCWD)
    return need_process(machine, "it looks at files of a folder");
  if (!is_absolute) return find_relative(machine, text, found);
  if (machine->is_starting != 0) {
    *found = {PathKind::kReal, nullptr, 0, 0};
    return 0;
  }
  return find_system(machine, text, length, found);
}

}  // namespace heddle::fast
