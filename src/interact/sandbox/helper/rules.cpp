// What can be done without namespaces: Landlock for files (and signals, on new kernels), seccomp for
// networks.
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <linux/securebits.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <iterator>

#include "interact/sandbox/helper/walls.h"
#include "interact/sandbox/wire.h"

namespace heddle::sandbox {
namespace {

// As of Linux 6.12: the headers that heddle is compiled with may be older.
struct Rules {
  uint64_t files;
  uint64_t networks;
  uint64_t scopes;
};
constexpr uint64_t kSignalScope = uint64_t{1} << 1;
constexpr uint64_t kAbstractSocketScope = uint64_t{1} << 0;
constexpr long kScopesVersion = 6;
constexpr uint64_t kTruncate = uint64_t{1} << 14;

// All that changes files, as far as this version of Landlock knows it.
uint64_t changes(long version) {
  uint64_t result = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                    LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                    LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK |
                    LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
                    LANDLOCK_ACCESS_FS_MAKE_SYM;
  if (version >= 2) result |= uint64_t{1} << 13;  // moves between folders
  if (version >= 3) result |= kTruncate;
  return result;
}

bool allow(int rules, const char* path, uint64_t accesses) {
  const int place = ::open(path, O_PATH | O_CLOEXEC);
  if (place < 0) return false;
  landlock_path_beneath_attr rule{};
  rule.allowed_access = accesses;
  rule.parent_fd = place;
  const bool added = ::syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
  ::close(place);
  return added;
}

int make_file_rules(const std::string& root, uint32_t* lacks) {
  const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < kScopesVersion) *lacks |= wire::kSignalRule;
  if (version < 1) return -1;
  const Rules wanted{changes(version), 0,
                     version >= kScopesVersion ? kSignalScope | kAbstractSocketScope : 0};
  const size_t size = version >= kScopesVersion ? sizeof(Rules) : sizeof(uint64_t);
  const int rules = static_cast<int>(::syscall(SYS_landlock_create_ruleset, &wanted, size, 0));
  if (rules < 0 || !allow(rules, root.c_str(), wanted.files)) return -1;
  const uint64_t written = LANDLOCK_ACCESS_FS_WRITE_FILE | (version >= 3 ? kTruncate : 0);
  for (const char* device : {"/dev/null", "/dev/zero", "/dev/full"}) allow(rules, device, written);
  return rules;
}

// No sockets but those between processes of this machine.
bool forbid_networks() {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[0])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{static_cast<unsigned short>(std::size(program)), program};
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0;
}

}  // namespace

bool drop_privileges_of_runs() {
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECUREBITS,
                 SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_CAP_AMBIENT_RAISE |
                     SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED,
                 0, 0, 0) == 0 &&
         ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0;
}

void make_rules(Walls* walls, const std::string& folder) {
  walls->root = folder;
  walls->lacks |= wire::kNamespaces | wire::kProcessCount;
  ::mkdir(folder.c_str(), 0755);
  // Daemons become children of this process, which ends them.
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (::geteuid() == 0) drop_privileges_of_runs();
  walls->file_rules = make_file_rules(folder, &walls->lacks);
  if (walls->file_rules < 0) walls->lacks |= wire::kFileRules;
  // This process needs no socket but the one that it has.
  if (!forbid_networks()) walls->lacks |= wire::kNetworkRule;
}

bool submit(const Walls& walls) {
  if (walls.in_namespaces) return true;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  return walls.file_rules < 0 || ::syscall(SYS_landlock_restrict_self, walls.file_rules, 0) == 0;
}

}  // namespace heddle::sandbox
