// The program under test of fork_server_test: it does what its first argument says.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

extern "C" void __tsan_init();
extern "C" void heddle_fake_announce(unsigned kind);
extern "C" void heddle_fake_scribble();
extern "C" void heddle_fake_record(unsigned kind);
extern "C" void heddle_fake_tear(unsigned kind);

namespace {

[[noreturn]] void wait_for_ever() {
  for (;;) ::pause();
}

void print_input() {
  char buffer[4096];
  for (ssize_t count; (count = ::read(STDIN_FILENO, buffer, sizeof(buffer))) > 0;) {
    std::fwrite(buffer, 1, static_cast<size_t>(count), stdout);
  }
}

// Starts a process of its own that never ends, as daemons do, and tells who it is.
void leave_process_behind() {
  const pid_t child = ::fork();
  if (child == 0) wait_for_ever();
  std::printf("%d\n", static_cast<int>(child));
}

// A process in a session of its own whose parent is gone, as daemons are.
void leave_daemon_behind() {
  int ends[2];
  if (::pipe(ends) != 0) return;
  if (::fork() == 0) {
    ::setsid();
    const pid_t daemon = ::fork();
    if (daemon == 0) wait_for_ever();
    ::_exit(::write(ends[1], &daemon, sizeof(daemon)) == sizeof(daemon) ? 0 : 1);
  }
  ::wait(nullptr);
  pid_t daemon = 0;
  if (::read(ends[0], &daemon, sizeof(daemon)) == sizeof(daemon))
    std::printf("%d\n", static_cast<int>(daemon));
}

void flood() {
  std::string line(1 << 16, 'x');
  for (int i = 0; i < 512; ++i) {
    std::fwrite(line.data(), 1, line.size(), stdout);
    std::fwrite(line.data(), 1, line.size(), stderr);
  }
}

}  // namespace

int main(int argc, char** argv) {
  __tsan_init();
  const std::string_view what = argc > 1 ? argv[1] : "ok";
  if (what == "print") std::printf("hello\n"), std::fprintf(stderr, "oops\n");
  if (what == "exit") return std::atoi(argv[2]);
  if (what == "crash") ::raise(SIGSEGV);
  if (what == "hang") wait_for_ever();
  if (what == "hang-deaf") ::signal(SIGTERM, SIG_IGN), wait_for_ever();
  if (what == "killed") ::raise(SIGKILL);
  if (what == "kill-server") ::kill(::getppid(), SIGKILL), wait_for_ever();
  if (what == "kill-group") ::kill(0, SIGKILL);
  if (what == "flood") flood();
  if (what == "input") print_input();
  if (what == "daemon") leave_process_behind();
  if (what == "daemon-hang") leave_process_behind(), std::fflush(stdout), wait_for_ever();
  if (what == "daemon-session") leave_daemon_behind();
  if (what == "record") {
    heddle_fake_record(static_cast<unsigned>(std::atoi(argv[2])));
    return argc > 3 ? std::atoi(argv[3]) : 0;
  }
  if (what == "tear") heddle_fake_tear(static_cast<unsigned>(std::atoi(argv[2])));
  if (what == "announce") heddle_fake_announce(static_cast<unsigned>(std::atoi(argv[2]))), ::raise(SIGABRT);
  if (what == "scribble") heddle_fake_scribble();
  if (what == "scribble-hang") heddle_fake_scribble(), wait_for_ever();
  if (what == "environment") std::printf("%s\n", std::getenv(argv[2]) == nullptr ? "" : std::getenv(argv[2]));
  if (what == "directory") {
    char buffer[4096];
    std::printf("%s\n", ::getcwd(buffer, sizeof(buffer)));
  }
  return 0;
}
