#include "execute/doctor.h"

#include <elf.h>
#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "execute/arena.h"
#include "execute/binary.h"
#include "execute/runtime_location.h"
#include "trace/arena.h"

namespace heddle {
namespace {

// One bit of AT_HWCAP2: programs may write the FS base, which is what switches a thread.
constexpr unsigned long kFsgsbase = 2;

Diagnosis ok(std::string what) {
  return {Diagnosis::Level::kOk, std::move(what), ""};
}
Diagnosis warning(std::string what, std::string advice) {
  return {Diagnosis::Level::kWarning, std::move(what), std::move(advice)};
}
Diagnosis bad(std::string what, std::string advice) {
  return {Diagnosis::Level::kBad, std::move(what), std::move(advice)};
}

Diagnosis check_fsgsbase() {
  if ((::getauxval(AT_HWCAP2) & kFsgsbase) != 0)
    return ok("the processor switches threads in user space (FSGSBASE)");
  return bad("programs may not write the FS base register",
             "use Linux 5.9 or later, and boot it without `nofsgsbase`");
}

Diagnosis check_aslr() {
  const pid_t child = ::fork();
  if (child == 0) {
    const int current = ::personality(0xffffffff);
    ::_exit(current == -1 || ::personality(static_cast<unsigned long>(current) | ADDR_NO_RANDOMIZE) == -1
                ? 1
                : 0);
  }
  int status = 1;
  while (child > 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (status == 0) return ok("address randomisation can be switched off for the program under test");
  return warning(
      "address randomisation cannot be switched off here",
      "programs whose behaviour depends on addresses may not replay; in Docker, run the container with "
      "--security-opt seccomp=unconfined");
}

Diagnosis check_reserve() {
  constexpr uint64_t kReserveInTb = trace::kReservedAddressSpace >> 40;
  void* memory = ::mmap(nullptr, trace::kReservedAddressSpace, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    return bad(
        fmt::format("{} TB of address space cannot be reserved: {}", kReserveInTb, std::strerror(errno)),
        "lift `ulimit -v`, and set vm.overcommit_memory to 0 or 1");
  }
  ::munmap(memory, trace::kReservedAddressSpace);
  return ok(fmt::format("{} TB of address space can be reserved", kReserveInTb));
}

Diagnosis check_shared_memory() {
  const Expected<Arena> arena = Arena::create({});
  if (!arena) return bad(arena.error().message, "lift `ulimit -f`, and allow memfd_create");
  return ok("shared memory for traces can be created");
}

Diagnosis check_runtime() {
  const Expected<std::string> folder = find_runtime();
  if (!folder) return bad(folder.error().message, "");
  return ok(fmt::format("heddle's runtime is in {}", *folder));
}

Diagnosis check_program(const std::string& name, const std::string& use, const std::string& advice) {
  const Expected<std::string> path = resolve_program({.argv = {name}});
  if (path) return ok(fmt::format("{} is {}", name, *path));
  return warning(fmt::format("{} was not found, so {}", name, use), advice);
}

std::string compiler_advice(const char* package) {
  return fmt::format("on Debian: apt-get install {}", package);
}

}  // namespace

std::vector<Diagnosis> check_machine() {
  return {
      ok(fmt::format("glibc {}", ::gnu_get_libc_version())),
      check_fsgsbase(),
      check_aslr(),
      check_reserve(),
      check_shared_memory(),
      check_runtime(),
      check_program("gcc", "`heddle cc` needs HEDDLE_CC", compiler_advice("gcc")),
      check_program("g++", "`heddle c++` needs HEDDLE_CXX", compiler_advice("g++")),
      check_program("clang++-19", "only gcc can be used", compiler_advice("clang-19 libclang-rt-19-dev")),
      check_program("gdb", "`heddle replay --gdb` does not work", compiler_advice("gdb")),
  };
}

std::vector<Diagnosis> check_binary(const std::string& path) {
  const Expected<std::string> program = resolve_program({.argv = {path}});
  if (!program) return {bad(program.error().message, "")};
  const Expected<BinaryInfo> info = inspect_binary(*program);
  if (!info) return {bad(info.error().message, "")};

  std::vector<Diagnosis> checks;
  if (const Expected<void> runnable = check_runnable(*info); !runnable) {
    checks.push_back(bad(runnable.error().message, ""));
  } else if (info->tsan_library.empty()) {
    checks.push_back(ok("it is instrumented; heddle's runtime is loaded in front of its libraries"));
  } else {
    checks.push_back(
        ok(fmt::format("it is instrumented; heddle's runtime takes the place of {}", info->tsan_library)));
  }
  for (const std::string& library : info->instrumented_libraries) {
    checks.push_back(ok(fmt::format("library {} is instrumented", library)));
  }
  checks.push_back(info->has_debug_info
                       ? ok("it has debug information")
                       : warning("it has no debug information, so reports show addresses instead of lines",
                                 "compile with -g"));
  checks.push_back(info->has_coverage
                       ? ok("it has block coverage")
                       : warning("it has no block coverage; accesses and function entries stand in",
                                 "build it with `heddle cc` or `heddle c++` for more precise coverage"));
  checks.push_back(!info->build_id.empty()
                       ? ok(fmt::format("its build-id is {}", info->build_id))
                       : warning("it has no build-id, so a schedule cannot tell whether it fits this build",
                                 "link with -Wl,--build-id"));
  return checks;
}

}  // namespace heddle
