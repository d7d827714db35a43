#include "interact/fast/host/confine.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::fast {
namespace {

constexpr uint32_t kForbidden[] = {
    SYS_execve,    SYS_execveat, SYS_fork,     SYS_vfork,    SYS_clone,     SYS_clone3,
    SYS_ptrace,    SYS_kill,     SYS_tkill,    SYS_socket,   SYS_connect,   SYS_bind,
    SYS_unlink,    SYS_unlinkat, SYS_rename,   SYS_renameat, SYS_renameat2, SYS_rmdir,
    SYS_mkdir,     SYS_mkdirat,  SYS_creat,    SYS_truncate, SYS_chmod,     SYS_fchmodat,
    SYS_chown,     SYS_lchown,   SYS_fchownat, SYS_link,     SYS_linkat,    SYS_symlink,
    SYS_symlinkat, SYS_mknod,    SYS_mknodat,  SYS_mount,    SYS_umount2,   SYS_process_vm_writev,
};

// open() at its second argument, openat() at its third.
void refuse_writing(std::vector<sock_filter>* filter, uint32_t call, uint32_t argument) {
  constexpr uint32_t kWriting = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
  const auto offset = static_cast<uint32_t>(offsetof(seccomp_data, args) + argument * sizeof(uint64_t));
  const uint32_t number = offsetof(seccomp_data, nr);
  filter->insert(filter->end(), {
                                    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, number),
                                    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 3),
                                    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset),
                                    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, kWriting, 0, 1),
                                    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
                                });
}

}  // namespace

bool confine_host() {
  std::vector<sock_filter> filter;
  refuse_writing(&filter, SYS_open, 1);
  refuse_writing(&filter, SYS_openat, 2);
  filter.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)));
  for (const uint32_t call : kForbidden) {
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1));
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  }
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog program = {static_cast<unsigned short>(filter.size()), filter.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

}  // namespace heddle::fast
