#include "interact/fast/kernel/files.h"

#include <asm/stat.h>
#include <asm/unistd_64.h>
#include <linux/fcntl.h>
#include <linux/stat.h>

#include <cerrno>

#include "interact/fast/kernel/calls.h"
#include "interact/fast/kernel/paths.h"
#include "interact/fast/kernel/raw.h"

namespace heddle::fast {
namespace {

constexpr uint64_t kSeekSet = 0;
constexpr uint64_t kSeekCurrent = 1;
constexpr uint64_t kSeekEnd = 2;

struct Part {
  uint64_t address;
  uint64_t size;
};

OpenFile* file_of(Machine* machine, uint64_t descriptor) {
  if (descriptor >= kMostFiles) return nullptr;
  const uint8_t index = machine->calls.descriptors[descriptor].file;
  return index == 0 ? nullptr : &machine->calls.files[index - 1];
}

bool is_writable(const OpenFile& file) {
  return file.kind == FileKind::kOutput || file.kind == FileKind::kErrors ||
         (file.kind == FileKind::kNull && (file.flags & O_ACCMODE) != O_RDONLY);
}

Stream* stream_of(Machine* machine, const OpenFile& file) {
  if (file.kind == FileKind::kOutput) return &machine->out;
  return file.kind == FileKind::kErrors ? &machine->err : nullptr;
}

uint64_t size_of(Machine* machine, const OpenFile& file) {
  if (file.kind == FileKind::kInput) return machine->input_size;
  if (file.kind == FileKind::kContent) return file.size;
  const Stream* const stream = stream_of(machine, file);
  return stream == nullptr ? 0 : stream->size;
}

int64_t free_descriptor(const Machine& machine, uint64_t lowest) {
  for (uint64_t i = lowest; i < kMostFiles; ++i) {
    if (machine.calls.descriptors[i].file == 0) return static_cast<int64_t>(i);
  }
  return -EMFILE;
}

// As much as Linux moves at once.
uint64_t at_once(uint64_t size) {
  constexpr uint64_t kMost = 0x7ffff000;
  return size < kMost ? size : kMost;
}

// What is read there, without going on.
int64_t read_content(Machine* machine, const OpenFile& file, uint64_t offset, uint64_t to, uint64_t size) {
  const bool is_input = file.kind == FileKind::kInput;
  if (is_input && machine->is_starting != 0) machine->has_read_input = 1;
  const uint64_t available = size_of(machine, file);
  if (offset >= available) return 0;
  if (size > available - offset) size = available - offset;
  copy_bytes(reinterpret_cast<void*>(to), (is_input ? machine->input : file.content) + offset, size);
  return static_cast<int64_t>(size);
}

int64_t add_file(Machine* machine, const OpenFile& file, uint64_t flags) {
  const int64_t descriptor = free_descriptor(*machine, 0);
  if (descriptor < 0) return need_process(machine, "it opens many files");
  for (uint8_t i = 0; i < kMostFiles; ++i) {
    OpenFile* const place = &machine->calls.files[i];
    if (place->users != 0) continue;
    copy_bytes(place, &file, sizeof(file));
    place->users = 1;
    place->flags = static_cast<uint32_t>(flags & ~static_cast<uint64_t>(O_CLOEXEC));
    Descriptor* const entry = &machine->calls.descriptors[descriptor];
    entry->file = static_cast<uint8_t>(i + 1);
    entry->closes_on_exec = (flags & O_CLOEXEC) != 0;
    return descriptor;
  }
  return need_process(machine, "it opens many files");
}

void release(Machine* machine, uint64_t descriptor) {
  OpenFile* const file = file_of(machine, descriptor);
  machine->calls.descriptors[descriptor].file = 0;
  if (--file->users == 0 && file->kind == FileKind::kReal)
    raw_call(__NR_close, static_cast<uint64_t>(file->real));
}

void describe(Machine* machine, const OpenFile& file, struct stat* to) {
  fill_zero(to, sizeof(*to));
  const uint64_t size = size_of(machine, file);
  to->st_dev = 1;
  to->st_ino = file.identity;
  to->st_nlink = 1;
  to->st_blksize = 4096;
  to->st_mode = kRegularFile | (file.kind == FileKind::kContent ? 0644 : 0777);
  if (file.kind == FileKind::kNull) {
    to->st_mode = kCharacterDevice | 0666;
    to->st_rdev = (1U << 8) | 3;
    return;
  }
  to->st_size = static_cast<int64_t>(size);
  to->st_blocks = static_cast<int64_t>((size + 511) / 512);
}

}  // namespace

bool may_hand_over(const Machine& machine, uint64_t address, uint64_t size) {
  return is_in_zone(machine, address) && size < kZoneSize && is_in_zone(machine, address + size);
}

void open_standard_files(CallState* calls) {
  constexpr FileKind kKinds[] = {FileKind::kInput, FileKind::kOutput, FileKind::kErrors};
  for (uint8_t i = 0; i < 3; ++i) {
    OpenFile* const file = &calls->files[i];
    file->kind = kKinds[i];
    file->users = 1;
    file->identity = 10U + i;
    file->flags = i == 0 ? O_RDONLY : O_RDWR;
    calls->descriptors[i].file = static_cast<uint8_t>(i + 1);
  }
}

int64_t read_file(Machine* machine, uint64_t descriptor, uint64_t to, uint64_t size) {
  size = at_once(size);
  OpenFile* const file = file_of(machine, descriptor);
  if (file == nullptr || (file->flags & O_ACCMODE) == O_WRONLY) return -EBADF;
  if (!may_hand_over(*machine, to, size)) return -EFAULT;
  if (file->kind == FileKind::kReal) return raw_call(__NR_read, static_cast<uint64_t>(file->real), to, size);
  if (file->kind == FileKind::kNull) return 0;
  if (stream_of(machine, *file) != nullptr) return need_process(machine, "it reads from an output");
  const int64_t count = read_content(machine, *file, file->offset, to, size);
  file->offset += static_cast<uint64_t>(count);
  return count;
}

int64_t read_file_at(Machine* machine, uint64_t descriptor, uint64_t to, uint64_t size, uint64_t offset) {
  size = at_once(size);
  const OpenFile* const file = file_of(machine, descriptor);
  if (file == nullptr || (file->flags & O_ACCMODE) == O_WRONLY) return -EBADF;
  if (!may_hand_over(*machine, to, size)) return -EFAULT;
  if (static_cast<int64_t>(offset) < 0) return -EINVAL;
  if (file->kind == FileKind::kReal)
    return raw_call(__NR_pread64, static_cast<uint64_t>(file->real), to, size, offset);
  if (file->kind == FileKind::kNull) return 0;
  if (stream_of(machine, *file) != nullptr) return need_process(machine, "it reads from an output");
  return read_content(machine, *file, offset, to, size);
}

int64_t write_file(Machine* machine, uint64_t descriptor, uint64_t from, uint64_t size) {
  size = at_once(size);
  OpenFile* const file = file_of(machine, descriptor);
  if (file == nullptr || !is_writable(*file)) return -EBADF;
  if (!may_hand_over(*machine, from, size)) return -EFAULT;
  if (file->kind == FileKind::kNull) return static_cast<int64_t>(size);
  Stream* const stream = stream_of(machine, *file);
  const uint64_t room = machine->output_limit - stream->size;
  copy_bytes(stream->bytes + stream->size, reinterpret_cast<const void*>(from), size < room ? size : room);
  stream->size += size < room ? size : room;
  if (size > room) machine->stop = static_cast<uint64_t>(Stop::kOutput);
  return static_cast<int64_t>(size);
}

int64_t read_parts(Machine* machine, uint64_t descriptor, uint64_t parts, uint64_t count) {
  if (count > 1024) return -EINVAL;
  if (!may_hand_over(*machine, parts, count * sizeof(Part))) return -EFAULT;
  int64_t sum = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const Part part = reinterpret_cast<const Part*>(parts)[i];
    const int64_t done = read_file(machine, descriptor, part.address, part.size);
    if (done < 0) return sum > 0 ? sum : done;
    sum += done;
    if (static_cast<uint64_t>(done) < part.size) break;
  }
  return sum;
}

int64_t write_parts(Machine* machine, uint64_t descriptor, uint64_t parts, uint64_t count) {
  if (count > 1024) return -EINVAL;
  if (!may_hand_over(*machine, parts, count * sizeof(Part))) return -EFAULT;
  int64_t sum = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const Part part = reinterpret_cast<const Part*>(parts)[i];
    const int64_t done = write_file(machine, descriptor, part.address, part.size);
    if (done < 0) return sum > 0 ? sum : done;
    sum += done;
  }
  return sum;
}

int64_t seek_file(Machine* machine, uint64_t descriptor, int64_t offset, uint64_t whence) {
  OpenFile* const file = file_of(machine, descriptor);
  if (file == nullptr) return -EBADF;
  if (file->kind == FileKind::kReal)
    return raw_call(__NR_lseek, static_cast<uint64_t>(file->real), static_cast<uint64_t>(offset), whence);
  if (file->kind == FileKind::kNull) return 0;
  const Stream* const stream = stream_of(machine, *file);
  if (stream != nullptr) {
    const auto here = static_cast<int64_t>(stream->size);
    const bool stays = (whence == kSeekSet && offset == here) || (whence != kSeekSet && offset == 0);
    return stays ? here : need_process(machine, "it goes to another position of an output");
  }
  if (whence > kSeekEnd) return need_process(machine, "it looks for data in a file");
  int64_t base = 0;
  if (whence == kSeekCurrent) base = static_cast<int64_t>(file->offset);
  if (whence == kSeekEnd) base = static_cast<int64_t>(size_of(machine, *file));
  if (whence == kSeekEnd && file->kind == FileKind::kInput && machine->is_starting != 0)
    machine->has_read_input = 1;
  int64_t result = 0;
  if (__builtin_add_overflow(base, offset, &result)) return -EOVERFLOW;
  if (result < 0) return -EINVAL;
  file->offset = static_cast<uint64_t>(result);
  return result;
}

int64_t open_file(Machine* machine, uint64_t folder, uint64_t path, uint64_t flags) {
  FoundPath found;
  const int64_t error = find_path(machine, folder, path, &found);
  if (error < 0) {
    if (error == -ENOENT && (flags & O_CREAT) != 0) return need_process(machine, "it makes a file");
    return error;
  }
  OpenFile file;
  fill_zero(&file, sizeof(file));
  const bool only_reads = (flags & O_ACCMODE) == O_RDONLY && (flags & (O_CREAT | O_TRUNC)) == 0;
  switch (found.kind) {
    case PathKind::kNull:
      file.kind = FileKind::kNull;
      file.identity = 5;
      return add_file(machine, file, flags);
    case PathKind::kInputFile:
    case PathKind::kSystemFile:
      if (!only_reads) return need_process(machine, "it opens a file for writing");
      if ((flags & O_DIRECTORY) != 0) return -ENOTDIR;
      if (machine->is_starting != 0 && found.kind == PathKind::kInputFile) machine->has_read_input = 1;
      file.kind = FileKind::kContent;
      file.content = found.content;
      file.size = found.size;
      file.identity = found.identity;
      return add_file(machine, file, flags);
    case PathKind::kReal: {
      if (!only_reads) return need_process(machine, "it opens a file for writing before main()");
      const int64_t real = raw_call(__NR_openat, folder, path, flags | O_CLOEXEC);
      if (real < 0) return real;
      file.kind = FileKind::kReal;
      file.real = static_cast<int32_t>(real);
      return add_file(machine, file, flags);
    }
  }
  return -ENOENT;
}

int64_t close_file(Machine* machine, uint64_t descriptor) {
  if (file_of(machine, descriptor) == nullptr) return -EBADF;
  release(machine, descriptor);
  return 0;
}

int64_t close_files(Machine* machine, uint64_t first, uint64_t last, uint64_t flags) {
  if (flags != 0) return -EINVAL;
  for (uint64_t i = first; i <= last && i < kMostFiles; ++i) {
    if (file_of(machine, i) != nullptr) release(machine, i);
  }
  return 0;
}

int64_t copy_descriptor(Machine* machine, uint64_t descriptor, uint64_t lowest, bool closes_on_exec) {
  OpenFile* const file = file_of(machine, descriptor);
  if (file == nullptr) return -EBADF;
  const int64_t place = free_descriptor(*machine, lowest);
  if (place < 0) return need_process(machine, "it opens many files");
  ++file->users;
  Descriptor* const entry = &machine->calls.descriptors[place];
  entry->file = machine->calls.descriptors[descriptor].file;
  entry->closes_on_exec = closes_on_exec;
  return place;
}

int64_t copy_descriptor_to(Machine* machine, uint64_t descriptor, uint64_t wanted, bool closes_on_exec) {
  OpenFile* const file = file_of(machine, descriptor);
  if (file == nullptr) return -EBADF;
  if (wanted >= kMostFiles) return need_process(machine, "it uses high numbers of files");
  if (wanted == descriptor) return static_cast<int64_t>(wanted);
  ++file->users;
  if (file_of(machine, wanted) != nullptr) release(machine, wanted);
  Descriptor* const entry = &machine->calls.descriptors[wanted];
  entry->file = machine->calls.descriptors[descriptor].file;
  entry->closes_on_exec = closes_on_exec;
  return static_cast<int64_t>(wanted);
}

int64_t control_file(Machine* machine, uint64_t descriptor, uint64_t command, uint64_t argument) {
  const OpenFile* const file = file_of(machine, descriptor);
  if (file == nullptr) return -EBADF;
  Descriptor* const entry = &machine->calls.descriptors[descriptor];
  switch (command) {
    case F_GETFD:
      return entry->closes_on_exec;
    case F_SETFD:
      entry->closes_on_exec = (argument & FD_CLOEXEC) != 0;
      return 0;
    case F_GETFL:
      return file->flags;
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
      if (argument >= kMostFiles) return need_process(machine, "it uses high numbers of files");
      return copy_descriptor(machine, descriptor, argument, command == F_DUPFD_CLOEXEC);
    default:
      return need_process(machine, "it calls fcntl()");
  }
}

int64_t control_device(Machine* machine, uint64_t descriptor) {
  return file_of(machine, descriptor) == nullptr ? -EBADF : -ENOTTY;
}

int64_t sync_file(Machine* machine, uint64_t descriptor) {
  const OpenFile* const file = file_of(machine, descriptor);
  if (file == nullptr) return -EBADF;
  return file->kind == FileKind::kNull ? -EINVAL : 0;
}

int64_t describe_file(Machine* machine, uint64_t descriptor, uint64_t to) {
  const OpenFile* const file = file_of(machine, descriptor);
  if (file == nullptr) return -EBADF;
  if (!may_hand_over(*machine, to, sizeof(struct stat))) return -EFAULT;
  if (file->kind == FileKind::kReal) return raw_call(__NR_fstat, static_cast<uint64_t>(file->real), to);
  if (file->kind == FileKind::kInput && machine->is_starting != 0) machine->has_read_input = 1;
  describe(machine, *file, reinterpret_cast<struct stat*>(to));
  return 0;
}

int64_t describe_path(Machine* machine, uint64_t folder, uint64_t path, uint64_t to, uint64_t flags) {
  if (!may_hand_over(*machine, path, 1)) return -EFAULT;
  if ((flags & AT_EMPTY_PATH) != 0 && *reinterpret_cast<const char*>(path) == '\0')
    return describe_file(machine, folder, to);
  if (!may_hand_over(*machine, to, sizeof(struct stat))) return -EFAULT;
  FoundPath found;
  const int64_t error = find_path(machine, folder, path, &found);
  if (error < 0) return error;
  if (found.kind == PathKind::kReal) return raw_call(__NR_newfstatat, folder, path, to, flags);
  if (machine->is_starting != 0 && found.kind == PathKind::kInputFile) machine->has_read_input = 1;
  OpenFile file;
  fill_zero(&file, sizeof(file));
  file.kind = found.kind == PathKind::kNull ? FileKind::kNull : FileKind::kContent;
  file.size = found.size;
  file.identity = found.identity;
  describe(machine, file, reinterpret_cast<struct stat*>(to));
  return 0;
}

int64_t access_path(Machine* machine, uint64_t folder, uint64_t path, uint64_t mode) {
  FoundPath found;
  const int64_t error = find_path(machine, folder, path, &found);
  if (error < 0) return error;
  if (found.kind == PathKind::kReal) return raw_call(__NR_faccessat, folder, path, mode);
  constexpr uint64_t kExecute = 1;
  constexpr uint64_t kWrite = 2;
  if ((mode & kExecute) != 0) return -EACCES;
  if ((mode & kWrite) != 0 && found.kind == PathKind::kSystemFile)
    return need_process(machine, "it asks whether it may write a file");
  return 0;
}

int64_t read_link(Machine* machine, uint64_t path, uint64_t to, uint64_t size) {
  if (machine->is_starting == 0) return need_process(machine, "it reads a symbolic link");
  if (!may_hand_over(*machine, path, 1) || !may_hand_over(*machine, to, size)) return -EFAULT;
  if (!is_same(reinterpret_cast<const char*>(path), "/proc/self/exe"))
    return raw_call(__NR_readlink, path, to, size);
  uint64_t length = 0;
  while (machine->program_path[length] != '\0') ++length;
  if (length > size) length = size;
  copy_bytes(reinterpret_cast<void*>(to), machine->program_path, length);
  return static_cast<int64_t>(length);
}

int64_t change_folder(Machine* machine, uint64_t path) {
  if (!may_hand_over(*machine, path, 1)) return -EFAULT;
  const char* const text = reinterpret_cast<const char*>(path);
  if (is_same(text, ".")) return 0;
  if (*text != '/') {
    FoundPath found;
    const int64_t error = find_path(machine, static_cast<uint64_t>(AT_FDCWD), path, &found);
    return error < 0 ? error : -ENOTDIR;
  }
  struct stat status;
  const int64_t error = raw_call(__NR_stat, path, reinterpret_cast<uint64_t>(&status));
  if (error < 0) return error;
  if ((status.st_mode & kFileType) != kFolder) return -ENOTDIR;
  machine->calls.has_moved = 1;
  return 0;
}

int real_file(const Machine& machine, uint64_t descriptor) {
  if (descriptor >= kMostFiles || machine.calls.descriptors[descriptor].file == 0) return -1;
  const OpenFile& file = machine.calls.files[machine.calls.descriptors[descriptor].file - 1];
  return file.kind == FileKind::kReal ? file.real : -1;
}

}  // namespace heddle::fast
