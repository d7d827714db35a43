// What the program's file descriptors are.
//
// A *channel* is what threads meet at: a file, a pipe with both its ends, a connected pair of sockets. It is
// the object of input and output events, under an address of its own that no memory can have. Channels are
// numbered in the order in which an execution first uses them, so the number means the same in every
// execution.
//
// Descriptors come and go without our knowledge (fopen, a library's own system calls), so each look compares
// with what the kernel says and starts anew if it is something else.
#pragma once

#include "runtime/runtime.h"

namespace heddle::rt {

enum class DescriptorKind : uint8_t {
  kNone,  // not open
  kFile,  // regular files and directories: never block
  kPipe,  // and FIFOs
  kSocket,
  kEvent,   // eventfd, timerfd, signalfd, epoll
  kDevice,  // terminals and other character devices
};

struct Descriptor {
  uint64_t device;
  uint64_t inode;
  uint32_t channel;    // number; 0: not known yet
  uint32_t user;       // thread + 1 that alone has used it, or kManyUsers
  uint32_t execution;  // in which both hold
  uint32_t last_fork;  // `fork_count` when it was made by this process; only then is its other end ours
  DescriptorKind kind;
  bool private_ends;  // made by pipe, socketpair or the like: nobody else can hold an end of it
};
inline constexpr uint32_t kManyUsers = ~0u;

struct Channel {
  int first_descriptor;
  uint32_t record;  // index in the object table, or 0
};

// Never null; for a number that is not open the kind is kNone.
Descriptor* descriptor_of(int fd);
// The program made this descriptor, and all ends of it are ours; `peer` is the other end, or -1.
void note_private_descriptor(int fd, int peer);
void note_duplicate(int from, int to);
void note_closed(int fd);
// A child process may hold every descriptor open now.
void note_child_process();
// The same for a child that executes another program at once: only what is not closed on exec.
void note_spawned_process();
bool has_had_children();
// Something could arrive there that no thread of this process has sent.
bool reaches_outside(int fd);
// The other end of a connection over a network address, if that is ours as well, or -1.
int peer_in_this_process(int fd);

// The current thread is about to use it. True if another thread has used it as well.
bool note_use(Descriptor* descriptor);

// Channels have addresses that are not canonical, so no memory has them.
inline constexpr uintptr_t kChannelBase = uintptr_t{1} << 63;
inline bool is_channel_address(uintptr_t address) {
  return (address & kChannelBase) != 0;
}
inline uintptr_t channel_address(const Descriptor* descriptor) {
  return kChannelBase | uintptr_t{descriptor->channel} << 4;
}
inline uint32_t channel_number(uintptr_t address) {
  return static_cast<uint32_t>((address & ~kChannelBase) >> 4);
}
Channel& channel_at(uintptr_t address);

}  // namespace heddle::rt
