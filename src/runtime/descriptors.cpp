#include "runtime/descriptors.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "runtime/address_space.h"
#include "runtime/sync.h"
#include "runtime/timers.h"

namespace heddle::rt {
namespace {

inline constexpr int kMaxDescriptors = 1 << 20;  // the kernel's default limit (fs.nr_open)
inline constexpr uint32_t kMaxChannels = 1u << 24;

Descriptor* descriptors;
int descriptors_end;  // above every one seen so far
HEDDLE_WORLD Channel* channels;
HEDDLE_EXECUTION uint32_t channel_count;
uint32_t fork_count;
bool spawned;

void make_tables() {
  if (descriptors == nullptr)
    descriptors = static_cast<Descriptor*>(own_memory(kMaxDescriptors * sizeof(Descriptor)));
  channels = static_cast<Channel*>(own_memory(kMaxChannels * sizeof(Channel)));
}

DescriptorKind kind_of(mode_t mode) {
  switch (mode & S_IFMT) {
    case S_IFREG:
    case S_IFDIR:
    case S_IFBLK:
      return DescriptorKind::kFile;
    case S_IFIFO:
      return DescriptorKind::kPipe;
    case S_IFSOCK:
      return DescriptorKind::kSocket;
    case S_IFCHR:
      return DescriptorKind::kDevice;
    default:
      return DescriptorKind::kEvent;
  }
}

uint32_t new_channel(int fd) {
  if (channel_count + 1 < kMaxChannels) channel_count++;
  channels[channel_count] = {fd, 0};
  return channel_count;
}

// The other descriptors of the same pipe or socket: its other end, or duplicates.
uint32_t find_channel(const Descriptor& descriptor) {
  if (descriptor.kind != DescriptorKind::kPipe && descriptor.kind != DescriptorKind::kSocket) return 0;
  for (int fd = 0; fd < descriptors_end; ++fd) {
    const Descriptor& other = descriptors[fd];
    if (other.channel != 0 && other.execution == rt.execution && other.device == descriptor.device &&
        other.inode == descriptor.inode) {
      return other.channel;
    }
  }
  return 0;
}

// This execution has come to it.
void begin_use(Descriptor* descriptor, int fd) {
  // The thread that first uses it may be another one than its maker, so the main thread counts as a user.
  descriptor->user = rt.live_count > 1 ? 0 : self_id();
  descriptor->execution = rt.execution;
  descriptor->channel = find_channel(*descriptor);
  if (descriptor->channel == 0) descriptor->channel = new_channel(fd);
}

struct Address {
  sockaddr_storage bytes;
  socklen_t size = sizeof(sockaddr_storage);
  bool operator==(const Address& other) const {
    if (size != other.size) return false;
    const auto* a = reinterpret_cast<const char*>(&bytes);
    const auto* b = reinterpret_cast<const char*>(&other.bytes);
    for (socklen_t i = 0; i < size; ++i) {
      if (a[i] != b[i]) return false;
    }
    return true;
  }
};

bool get_address(long call, int fd, Address* address) {
  return sys_call(call, fd, address_of(&address->bytes), address_of(&address->size)) == 0;
}

bool is_listening(int fd) {
  int listening = 0;
  socklen_t size = sizeof listening;
  sys_call(SYS_getsockopt, fd, SOL_SOCKET, SO_ACCEPTCONN, address_of(&listening), address_of(&size));
  return listening != 0;
}

}  // namespace

int peer_in_this_process(int fd) {
  Address own;
  Address peer;
  if (!get_address(SYS_getsockname, fd, &own) || !get_address(SYS_getpeername, fd, &peer)) return -1;
  for (int other = 0; other < descriptors_end; ++other) {
    if (descriptors[other].kind != DescriptorKind::kSocket || other == fd) continue;
    Address other_own;
    Address other_peer;
    if (get_address(SYS_getsockname, other, &other_own) && get_address(SYS_getpeername, other, &other_peer) &&
        other_own == peer && other_peer == own) {
      return other;
    }
  }
  return -1;
}

namespace {

bool socket_reaches_outside(int fd) {
  if (is_listening(fd) || fork_count != 0 || spawned) return true;
  Address own;
  if (!get_address(SYS_getsockname, fd, &own)) return true;
  if (own.bytes.ss_family != AF_UNIX) return peer_in_this_process(fd) < 0;
  ucred peer{};
  socklen_t size = sizeof peer;
  const long error =
      sys_call(SYS_getsockopt, fd, SOL_SOCKET, SO_PEERCRED, address_of(&peer), address_of(&size));
  return error != 0 || peer.pid != sys_call(SYS_getpid);
}

// An epoll set reaches outside if one of its members does. The kernel lists them in /proc.
bool epoll_reaches_outside(int fd) {
  char path[64];
  Text(path, sizeof path).add("/proc/self/fdinfo/").add(static_cast<uint64_t>(fd));
  const long info = sys_call(SYS_open, address_of(path), O_RDONLY | O_CLOEXEC);
  if (info < 0) return true;
  bool outside = false;
  char line[256];
  size_t used = 0;
  for (;;) {
    char c = '\n';
    const long n = sys_call(SYS_read, info, address_of(&c), 1);
    if (c != '\n' && n == 1) {
      if (used + 1 < sizeof line) line[used++] = c;
      continue;
    }
    line[used] = 0;
    if (text_starts(line, "tfd:")) {
      int member = 0;
      for (const char* at = line + 4; *at == ' ' || (*at >= '0' && *at <= '9'); ++at) {
        if (*at != ' ')
          member = member * 10 + (*at - '0');
        else if (member != 0)
          break;
      }
      outside |= member != fd && reaches_outside(member);
    }
    used = 0;
    if (n != 1) break;
  }
  sys_call(SYS_close, info);
  return outside;
}

bool is_epoll(int fd) {
  char path[64];
  char target[64];
  Text(path, sizeof path).add("/proc/self/fd/").add(static_cast<uint64_t>(fd));
  const long n = sys_call(SYS_readlink, address_of(path), address_of(target), sizeof target - 1);
  target[n > 0 ? n : 0] = 0;
  return text_equal(target, "anon_inode:[eventpoll]");
}

}  // namespace

Descriptor* descriptor_of(int fd) {
  static Descriptor none;
  if (channels == nullptr) make_tables();
  struct stat info{};
  if (fd < 0 || fd >= kMaxDescriptors || sys_call(SYS_fstat, fd, address_of(&info)) < 0) {
    none = {};
    return &none;
  }
  Descriptor* descriptor = &descriptors[fd];
  const DescriptorKind kind = kind_of(info.st_mode);
  if (descriptor->channel != 0 && descriptor->kind == kind && descriptor->device == info.st_dev &&
      descriptor->inode == info.st_ino) {
    if (HEDDLE_UNLIKELY(descriptor->execution != rt.execution)) begin_use(descriptor, fd);
    return descriptor;
  }
  if (fd >= descriptors_end) descriptors_end = fd + 1;
  *descriptor = {.device = info.st_dev,
                 .inode = info.st_ino,
                 .channel = 0,
                 .user = 0,
                 .execution = 0,
                 .last_fork = 0,
                 .kind = kind,
                 .private_ends = false};
  begin_use(descriptor, fd);
  return descriptor;
}

void note_private_descriptor(int fd, int peer) {
  note_closed(fd);
  Descriptor* descriptor = descriptor_of(fd);
  descriptor->private_ends = true;
  descriptor->last_fork = fork_count;
  descriptor->user = self_id();
  if (peer < 0) return;
  note_closed(peer);
  Descriptor* other = descriptor_of(peer);
  other->private_ends = true;
  other->last_fork = fork_count;
  other->user = self_id();
  other->channel = descriptor->channel;
}

void note_duplicate(int from, int to) {
  note_closed(to);
  const Descriptor* original = descriptor_of(from);
  if (original->kind == DescriptorKind::kNone || to < 0 || to >= kMaxDescriptors) return;
  descriptors[to] = *original;
  if (to >= descriptors_end) descriptors_end = to + 1;
}

void note_closed(int fd) {
  if (descriptors == nullptr || fd < 0 || fd >= kMaxDescriptors) return;
  descriptors[fd] = {};
  if (Timer* timer = timer_of_descriptor(fd)) timer_free(timer);
}

void note_child_process() {
  fork_count++;
}

void note_spawned_process() {
  for (int fd = 0; fd < descriptors_end; ++fd) {
    if (descriptors[fd].private_ends && (sys_call(SYS_fcntl, fd, F_GETFD) & FD_CLOEXEC) == 0)
      descriptors[fd].private_ends = false;
  }
  spawned = true;
}

bool has_had_children() {
  return fork_count != 0 || spawned;
}

bool reaches_outside(int fd) {
  const Descriptor* descriptor = descriptor_of(fd);
  if (descriptor->private_ends && descriptor->last_fork == fork_count) return false;
  switch (descriptor->kind) {
    case DescriptorKind::kNone:
    case DescriptorKind::kFile:
      return false;
    case DescriptorKind::kSocket:
      return socket_reaches_outside(fd);
    case DescriptorKind::kEvent:
      return !is_epoll(fd) || epoll_reaches_outside(fd);
    default:
      return true;
  }
}

bool note_use(Descriptor* descriptor) {
  if (descriptor->user == self_id()) return false;
  descriptor->user = descriptor->user == 0 ? self_id() : kManyUsers;
  return descriptor->user == kManyUsers;
}

Channel& channel_at(uintptr_t address) {
  return channels[channel_number(address)];
}

}  // namespace heddle::rt
