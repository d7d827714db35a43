// The program's open files: standard streams, the input file, and files of the system, all in memory.
#pragma once

#include "interact/fast/kernel/machine.h"

namespace heddle::fast {

// In st_mode; the library's names come with its functions.
inline constexpr uint32_t kFileType = 0170000;
inline constexpr uint32_t kRegularFile = 0100000;
inline constexpr uint32_t kCharacterDevice = 0020000;
inline constexpr uint32_t kFolder = 0040000;

// Descriptors 0 to 2, and nothing else.
void open_standard_files(CallState* calls);

int64_t read_file(Machine* machine, uint64_t descriptor, uint64_t to, uint64_t size);
int64_t read_file_at(Machine* machine, uint64_t descriptor, uint64_t to, uint64_t size, uint64_t offset);
int64_t write_file(Machine* machine, uint64_t descriptor, uint64_t from, uint64_t size);
// readv() and writev()
int64_t read_parts(Machine* machine, uint64_t descriptor, uint64_t parts, uint64_t count);
int64_t write_parts(Machine* machine, uint64_t descriptor, uint64_t parts, uint64_t count);
int64_t seek_file(Machine* machine, uint64_t descriptor, int64_t offset, uint64_t whence);

int64_t open_file(Machine* machine, uint64_t folder, uint64_t path, uint64_t flags);
int64_t close_file(Machine* machine, uint64_t descriptor);
int64_t close_files(Machine* machine, uint64_t first, uint64_t last, uint64_t flags);
// `lowest` free one; of dup2(): `wanted`.
int64_t copy_descriptor(Machine* machine, uint64_t descriptor, uint64_t lowest, bool closes_on_exec);
int64_t copy_descriptor_to(Machine* machine, uint64_t descriptor, uint64_t wanted, bool closes_on_exec);
int64_t control_file(Machine* machine, uint64_t descriptor, uint64_t command, uint64_t argument);
int64_t control_device(Machine* machine, uint64_t descriptor);
int64_t sync_file(Machine* machine, uint64_t descriptor);

int64_t describe_file(Machine* machine, uint64_t descriptor, uint64_t to);
int64_t describe_path(Machine* machine, uint64_t folder, uint64_t path, uint64_t to, uint64_t flags);
int64_t access_path(Machine* machine, uint64_t folder, uint64_t path, uint64_t mode);
int64_t read_link(Machine* machine, uint64_t path, uint64_t to, uint64_t size);
int64_t change_folder(Machine* machine, uint64_t path);

// Of a descriptor that is a file of this process (before main()), else -1.
int real_file(const Machine& machine, uint64_t descriptor);

// Whether the program may hand over this memory. It may still be unusable, which ends the run (signals.cpp).
bool may_hand_over(const Machine& machine, uint64_t address, uint64_t size);

}  // namespace heddle::fast
