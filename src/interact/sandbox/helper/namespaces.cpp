// Namespaces: an empty network, processes and System V IPC of its own, and the machine's files read-only.
#include <fcntl.h>
#include <linux/mount.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "interact/sandbox/helper/walls.h"
#include "interact/sandbox/wire.h"

namespace heddle::sandbox {
namespace {

constexpr const char* kTemporary = "/tmp";
// What all files of a run may take together. It is memory.
constexpr const char* kTemporarySize = "mode=1777,size=64m,nr_inodes=8192";
constexpr const char* kSharedMemorySize = "mode=1777,size=64m,nr_inodes=256";
// Processes and threads; the kernel takes nothing below about 300.
constexpr const char* kMostProcesses = "1024";

constexpr uint64_t kReadOnly = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOSUID;

bool write_text(const char* path, const std::string& text) {
  const int file = ::open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool written = ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  ::close(file);
  return written;
}

bool set_attributes(int folder, const char* path, uint64_t attributes, unsigned flags) {
  mount_attr wanted{};
  wanted.attr_set = attributes;
  return ::syscall(SYS_mount_setattr, folder, path, flags | AT_RECURSIVE, &wanted, sizeof(wanted)) == 0;
}

int tree_at(const std::string& path) {
  return static_cast<int>(
      ::syscall(SYS_open_tree, AT_FDCWD, path.c_str(), OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE));
}

bool put_tree(int tree, const std::string& path) {
  const bool moved =
      ::syscall(SYS_move_mount, tree, "", AT_FDCWD, path.c_str(), MOVE_MOUNT_F_EMPTY_PATH) == 0;
  ::close(tree);
  return moved;
}

bool mount_memory(const char* path, const char* options) {
  return ::mount("heddle", path, "tmpfs", MS_NOSUID | MS_NODEV, options) == 0;
}

// An entry of a folder that is to be hidden, but for this.
struct Kept {
  std::string path;
  int tree = -1;
};

// The entries of `folder` that visible paths go through.
std::vector<Kept> kept_of(const std::string& folder, const std::vector<std::string>& visible) {
  std::vector<Kept> result;
  for (const std::string& path : visible) {
    if (!path.starts_with(folder + "/")) continue;
    const std::string entry = path.substr(0, path.find('/', folder.size() + 1));
    if (std::none_of(result.begin(), result.end(), [&](const Kept& kept) { return kept.path == entry; }))
      result.push_back({entry, -1});
  }
  for (Kept& kept : result) kept.tree = tree_at(kept.path);
  return result;
}

// Puts them back into the folder, which is an empty one now, so that they can be read.
bool put_back(const std::vector<Kept>& all) {
  for (const Kept& kept : all) {
    struct stat status{};
    if (kept.tree < 0 || ::fstat(kept.tree, &status) != 0) continue;  // it is gone
    const bool made = S_ISDIR(status.st_mode)
                          ? ::mkdir(kept.path.c_str(), 0755) == 0
                          : ::close(::open(kept.path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0644)) == 0;
    if (!made || !set_attributes(kept.tree, "", kReadOnly, AT_EMPTY_PATH) || !put_tree(kept.tree, kept.path))
      return false;
  }
  return true;
}

// Only devices that harm nobody.
bool make_devices(const std::vector<Kept>& devices) {
  if (!mount_memory("/dev", "mode=755,size=64k,nr_inodes=64")) return false;
  for (const Kept& device : devices) {
    if (device.tree < 0) continue;
    const int file = ::open(device.path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
    if (file < 0 || ::close(file) != 0 || !put_tree(device.tree, device.path)) return false;
  }
  if (::symlink("/proc/self/fd", "/dev/fd") != 0 || ::symlink("/proc/self/fd/0", "/dev/stdin") != 0 ||
      ::symlink("/proc/self/fd/1", "/dev/stdout") != 0 || ::symlink("/proc/self/fd/2", "/dev/stderr") != 0 ||
      ::mkdir("/dev/shm", 0755) != 0)
    return false;
  mount_attr wanted{};
  wanted.attr_set = MOUNT_ATTR_RDONLY;
  return ::syscall(SYS_mount_setattr, AT_FDCWD, "/dev", 0, &wanted, sizeof(wanted)) == 0 &&
         mount_memory("/dev/shm", kSharedMemorySize);
}

bool is_folder(const char* path) {
  struct stat status{};
  return ::lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

// Sockets of services are there, which read-only mounts do not protect. NixOS has its programs there, too.
bool hide_services(const std::vector<Kept>& kept) {
  if (!is_folder("/run") || is_folder("/run/current-system")) return true;
  return mount_memory("/run", "mode=755,size=64k,nr_inodes=64") && put_back(kept) &&
         set_attributes(AT_FDCWD, "/run", kReadOnly, 0);
}

void close_all() {
  ::syscall(SYS_close_range, 0U, ~0U, 0U);
}

}  // namespace

bool enter_namespaces(Walls* walls) {
  constexpr int kSpaces = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC;
  const uid_t user = ::geteuid();
  const gid_t group = ::getegid();
  if (::unshare(CLONE_NEWUSER | kSpaces) == 0) {
    write_text("/proc/self/setgroups", "deny");
    if (!write_text("/proc/self/uid_map", std::to_string(user) + " " + std::to_string(user) + " 1") ||
        !write_text("/proc/self/gid_map", std::to_string(group) + " " + std::to_string(group) + " 1")) {
      walls->error = errno;
      return false;
    }
  } else if (walls->error = errno; user != 0 || ::unshare(kSpaces) != 0) {
    return false;
  }
  const pid_t first = ::fork();
  if (first < 0) {
    walls->error = errno;
    return false;
  }
  if (first > 0) {
    close_all();
    while (::waitpid(first, nullptr, 0) < 0 && errno == EINTR) {
    }
    ::_exit(0);
  }
  ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  ::setsid();
  walls->in_namespaces = true;
  return true;
}

bool make_folders(Walls* walls, const std::vector<std::string>& visible) {
  const auto failed = [&] {
    walls->error = errno;
    return false;
  };
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return failed();
  // By way of a mount of its own: one through which a file is open for writing cannot become read-only. What
  // the file is about is the namespace of whoever writes.
  const int processes = tree_at("/proc");
  walls->last_number = ::openat(processes, "sys/kernel/ns_last_pid", O_WRONLY | O_CLOEXEC);
  ::close(processes);
  if (!write_text("/proc/sys/kernel/pid_max", kMostProcesses)) walls->lacks |= wire::kProcessCount;
  std::vector<Kept> devices;
  for (const char* name : {"null", "zero", "full", "random", "urandom", "tty"}) {
    const std::string path = std::string("/dev/") + name;
    devices.push_back({path, tree_at(path)});
  }
  const std::vector<Kept> temporary = kept_of(kTemporary, visible);
  const std::vector<Kept> services = kept_of("/run", visible);
  if (!set_attributes(AT_FDCWD, "/", kReadOnly, 0)) return failed();
  if (!mount_memory(kTemporary, kTemporarySize) || !put_back(temporary)) return failed();
  if (!make_devices(devices) || !hide_services(services)) return failed();
  // Not allowed where parts of /proc are covered, as in containers; then it is that of the machine,
  // read-only.
  if (::mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY, nullptr) != 0)
    walls->lacks |= wire::kOwnProcFolder;
  if (!drop_privileges_of_runs()) return failed();
  walls->root = kTemporary;
  for (const Kept& kept : temporary) walls->kept.push_back(kept.path.substr(kept.path.rfind('/') + 1));
  return true;
}

}  // namespace heddle::sandbox
