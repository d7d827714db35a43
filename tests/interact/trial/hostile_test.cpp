// Programs that do what no program under test should, in a sandbox with namespaces and in one without.
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <optional>
#include <set>

#include <gtest/gtest.h>

#include "programs.h"

namespace heddle::interact {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHostile = R"(
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char** argv) {
  const char* what = argv[1];
  const char* canary = argc > 2 ? argv[2] : "";
  char path[8192];
  if (!strcmp(what, "terminal")) {
    FILE* terminal = fopen("/dev/tty", "r");
    printf("%s\n", terminal ? "read" : "none");
  } else if (!strcmp(what, "wait")) {
    for (;;) pause();
  } else if (!strcmp(what, "spin")) {
    for (volatile int i = 0;; ++i);
  } else if (!strcmp(what, "ignore")) {
    for (int i = 1; i < 64; ++i) signal(i, SIG_IGN);
    for (;;) pause();
  } else if (!strcmp(what, "print")) {
    for (;;) puts("and on");
  } else if (!strcmp(what, "stubborn print")) {
    signal(SIGXFSZ, SIG_IGN);
    while (write(1, path, sizeof(path)) > 0);
    return 5;
  } else if (!strcmp(what, "close")) {
    close(0); close(1); close(2);
    return 3;
  } else if (!strcmp(what, "daemon")) {
    int begun[2];
    if (pipe(begun) != 0) return 6;
    if (fork() == 0) {
      setsid();
      if (fork() == 0) {
        for (int i = 1; i < 64; ++i) signal(i, SIG_IGN);
        if (write(begun[1], "", 1) != 1) return 6;
        for (;;) { snprintf(path, sizeof path, "%s/daemon", canary); close(open(path, O_CREAT | O_WRONLY, 0600)); usleep(500); }
      }
      _exit(0);
    }
    char byte;
    return read(begun[0], &byte, 1) == 1 ? 4 : 6;
  } else if (!strcmp(what, "processes")) {
    for (;;) if (fork() < 0) break;
    for (;;) pause();
  } else if (!strcmp(what, "delete")) {
    snprintf(path, sizeof path, "rm -rf '%s' \"$HOME\" 2>/dev/null; rm -rf ../../* 2>/dev/null", canary);
    system(path);
  } else if (!strcmp(what, "write")) {
    snprintf(path, sizeof path, "%s/keep", canary);
    int file = open(path, O_WRONLY | O_TRUNC);
    int shadow = open("/etc/heddle-canary", O_CREAT | O_WRONLY, 0600);
    printf("%d %d %d\n", file < 0, shadow < 0, rename(path, "/var/tmp/heddle-canary") < 0);
  } else if (!strcmp(what, "disk")) {
    memset(path, 'x', sizeof path);
    for (int i = 0; i < 100000; ++i) {
      char name[32];
      sprintf(name, "file%d", i);
      int file = open(name, O_CREAT | O_WRONLY, 0600);
      if (file < 0) { printf("full %d\n", i > 50); return 0; }
      for (int j = 0; j < 4; ++j) if (write(file, path, sizeof path) <= 0) { printf("full 1\n"); return 0; }
      close(file);
    }
  } else if (!strcmp(what, "deep")) {
    for (int i = 0; i < 500; ++i) if (mkdir("d", 0700) != 0 || chdir("d") != 0) break;
    close(open("leaf", O_CREAT | O_WRONLY, 0600));
    chmod(".", 0);
  } else if (!strcmp(what, "memory")) {
    size_t size = 0;
    for (char* block; (block = malloc(1 << 20)) != NULL; size += 1 << 20) memset(block, 1, 1 << 20);
    printf("%d\n", size > (size_t)1 << 24 && size < (size_t)1 << 28);
  } else if (!strcmp(what, "parent")) {
    int result = kill(getppid(), SIGKILL);
    usleep(20000);
    printf("alive\n");
  } else if (!strcmp(what, "network")) {
    int s = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {AF_INET, htons(atoi(canary)), {htonl(INADDR_LOOPBACK)}};
    printf("%s\n", s >= 0 && connect(s, (void*)&address, sizeof address) == 0 ? "connected" : "refused");
  } else if (!strcmp(what, "leftovers")) {
    printf("%d", shmget(77, 4096, 0600) >= 0);
    shmget(77, 4096, IPC_CREAT | 0600);
    printf("%d", access("/dev/shm/x", F_OK) == 0);
    close(open("/dev/shm/x", O_CREAT | O_WRONLY, 0600));
    printf("%d\n", access("../left", F_OK) == 0);
    close(open("../left", O_CREAT | O_WRONLY, 0600));
  } else if (!strcmp(what, "privileges")) {
    printf("%d %d\n", unshare(0x20000) == 0, mount_it());
  }
  return 0;
}
int mount_it(void) { extern int mount(const char*, const char*, const char*, unsigned long, const void*);
  return mount(0, "/", 0, 0x1020, 0) == 0; }
)";

const fs::path& hostile_program() {
  static const fs::path program = compile_program("hostile", kHostile, "-O1 -D_GNU_SOURCE -include sched.h");
  return program;
}

// With namespaces if there are any, and without.
class HostileProgram : public testing::TestWithParam<bool> {
 protected:
  HostileProgram() : canary_(trial_folder() / "canary") {
    fs::create_directories(canary_ / "inner");
    std::ofstream(canary_ / "keep") << "precious";
    std::ofstream(canary_ / "inner" / "keep") << "precious";
    limits_.no_namespaces = GetParam();
    limits_.memory = uint64_t{128} << 20;
    limits_.most_output = 1 << 16;
    // No more is needed by those that end; of the others, it is the time that the test takes.
    limits_.timeout = std::chrono::milliseconds(700);
  }

  ~HostileProgram() override {
    std::set<std::string> left;
    for (const auto& entry : fs::recursive_directory_iterator(canary_))
      left.insert(fs::relative(entry.path(), canary_).string());
    EXPECT_EQ(left, (std::set<std::string>{"inner", "inner/keep", "keep"}));
    std::string content;
    std::ifstream(canary_ / "keep") >> content;
    EXPECT_EQ(content, "precious");
  }

  Behaviour run(const std::string& what) { return run_with({what, canary_.string()}); }
  Behaviour run_with(std::vector<std::string> arguments) {
    if (!runner_) runner_.emplace(make_runner(hostile_program(), limits_));
    return run_program(*runner_, {std::move(arguments), "text\n", ""});
  }
  void allow(std::chrono::milliseconds time) { limits_.timeout = time; }
  bool has_namespaces() {
    run("close");
    return !GetParam() && runner_->confinement().find("namespaces") == std::string::npos;
  }

 private:
  fs::path canary_;
  RunLimits limits_;
  std::optional<ProgramRunner> runner_;
};

INSTANTIATE_TEST_SUITE_P(Confinement, HostileProgram, testing::Bool(),
                         [](const auto& chosen) { return chosen.param ? "Rules" : "Namespaces"; });

TEST_P(HostileProgram, HasNoTerminal) {
  allow(std::chrono::seconds(20));
  EXPECT_EQ(run("terminal").out, "none\n");
}

TEST_P(HostileProgram, ThatDoesNotEndIsEnded) {
  for (const char* what : {"wait", "spin", "ignore"}) {
    const auto begin = std::chrono::steady_clock::now();
    const Behaviour behaviour = run(what);
    EXPECT_TRUE(behaviour.timed_out) << what;
    EXPECT_FALSE(behaviour.is_failure()) << what;
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10)) << what;
  }
}

TEST_P(HostileProgram, ThatPrintsEndlesslyIsEnded) {
  allow(std::chrono::seconds(20));
  const Behaviour behaviour = run("print");
  EXPECT_TRUE(behaviour.wrote_too_much);
  EXPECT_FALSE(behaviour.is_failure());
  EXPECT_EQ(behaviour.out.substr(0, 14), "and on\nand on\n");
  EXPECT_TRUE(run("stubborn print").wrote_too_much);
}

TEST_P(HostileProgram, MayCloseItsStreams) {
  allow(std::chrono::seconds(20));
  EXPECT_EQ(run("close").exit_code, 3);
  EXPECT_EQ(run("close").exit_code, 3);
}

TEST_P(HostileProgram, TakesItsDaemonsWithIt) {
  allow(std::chrono::seconds(20));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(run("daemon").exit_code, 4);
}

TEST_P(HostileProgram, CannotHaveManyProcesses) {
  if (!has_namespaces()) GTEST_SKIP() << "their number is not limited here";
  EXPECT_TRUE(run("processes").timed_out);
  EXPECT_EQ(run("close").exit_code, 3);
}

TEST_P(HostileProgram, CannotDeleteWhatIsNotItsOwn) {
  // It may take all its time to try every file of the machine.
  EXPECT_FALSE(run("delete").is_failure());
  EXPECT_FALSE(run("close").is_failure()) << "there is a folder for the next run";
}

TEST_P(HostileProgram, CannotWriteWhatIsNotItsOwn) {
  allow(std::chrono::seconds(20));
  EXPECT_EQ(run("write").out, "1 1 1\n");
}

TEST_P(HostileProgram, CannotFillTheDisk) {
  allow(std::chrono::seconds(20));
  if (!has_namespaces()) GTEST_SKIP() << "the sum of its files is not limited here";
  EXPECT_EQ(run("disk").out, "full 1\n");
  EXPECT_EQ(run("terminal").files.size(), 0U) << "all of it is gone";
}

TEST_P(HostileProgram, LeavesNothingHoweverDeep) {
  allow(std::chrono::seconds(20));
  const Behaviour behaviour = run("deep");
  EXPECT_FALSE(behaviour.timed_out);
  EXPECT_TRUE(behaviour.files.contains("d/d/d/"));
  EXPECT_TRUE(run("terminal").files.empty());
}

TEST_P(HostileProgram, CannotHaveAllMemory) {
  allow(std::chrono::seconds(20));
  EXPECT_EQ(run("memory").out, "1\n");
}

TEST_P(HostileProgram, CannotEndItsParentForGood) {
  allow(std::chrono::seconds(20));
  const Behaviour behaviour = run("parent");
  if (has_namespaces()) {
    EXPECT_EQ(behaviour.out, "alive\n");
  }
  EXPECT_EQ(run("close").exit_code, 3);
}

TEST_P(HostileProgram, HasNoNetwork) {
  allow(std::chrono::seconds(20));
  // A service of this test, which anybody on this machine can reach.
  const int service = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  ASSERT_EQ(::bind(service, reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(service, 1), 0);
  ASSERT_EQ(::getsockname(service, reinterpret_cast<sockaddr*>(&address), &size), 0);
  EXPECT_EQ(run_with({"network", std::to_string(ntohs(address.sin_port))}).out, "refused\n");
  ::close(service);
}

TEST_P(HostileProgram, FindsNothingOfTheRunBefore) {
  allow(std::chrono::seconds(20));
  if (!has_namespaces()) GTEST_SKIP() << "System V IPC is shared here";
  EXPECT_EQ(run("leftovers").out, "000\n");
  EXPECT_EQ(run("leftovers").out, "000\n");
}

TEST_P(HostileProgram, HasNoPrivileges) {
  allow(std::chrono::seconds(20));
  EXPECT_EQ(run("privileges").out, "0 0\n");
}

}  // namespace
}  // namespace heddle::interact
