// heddle-sandbox: the process that watches over the runs of a sandbox. Heddle starts it with a socket and the
// files that runs read and write, then asks it for one run after another (wire.h).
//
//     heddle-sandbox FOLDER namespaces|rules VISIBLE…
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sched.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "interact/sandbox/helper/folders.h"
#include "interact/sandbox/helper/walls.h"
#include "interact/sandbox/wire.h"

namespace heddle::sandbox {
namespace {

using Clock = std::chrono::steady_clock;

constexpr uint64_t kMostFileBytes = uint64_t{1} << 24;

bool receive(void* to, size_t size) {
  for (char* at = static_cast<char*>(to); size > 0;) {
    const ssize_t count = ::recv(wire::kSocket, at, size, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    at += count;
    size -= static_cast<size_t>(count);
  }
  return true;
}

bool send(const void* from, size_t size) {
  return wire::send_all(wire::kSocket, from, size);
}

// What a request says, in the form that execve() wants.
struct Start {
  wire::Request request;
  std::string folder;
  std::string file_name;
  std::string_view file;
  const char* executable;
  std::vector<char*> arguments;
  std::vector<char*> variables;
};

Start parse(const wire::Request& request, std::string& text) {
  Start start{.request = request};
  char* at = text.data();
  const auto next = [&] {
    char* const word = at;
    at += std::strlen(at) + 1;
    return word;
  };
  start.executable = next();
  start.folder = next();
  start.file_name = next();
  for (uint32_t i = 0; i < request.arguments; ++i) start.arguments.push_back(next());
  for (uint32_t i = 0; i < request.variables; ++i) start.variables.push_back(next());
  start.arguments.push_back(nullptr);
  start.variables.push_back(nullptr);
  start.file = {at, request.file_size};
  return start;
}

void limit(__rlimit_resource resource, uint64_t value) {
  const rlimit both{value, value};
  ::setrlimit(resource, &both);
}

// In the child of vfork(): it shares this process's memory, and tells by `error` why there is no program.
[[noreturn]] void become_program(const Start& start, const Walls& walls, int folder, volatile int* error) {
  const wire::Request& request = start.request;
  ::setsid();
  ::umask(022);
  if (request.fixed_addresses != 0) ::personality(ADDR_NO_RANDOMIZE);
  limit(RLIMIT_CORE, 0);
  if (request.memory != 0) limit(RLIMIT_AS, request.memory);
  if (request.most_output != 0) limit(RLIMIT_FSIZE, request.most_output);
  if (request.stack != 0) limit(RLIMIT_STACK, request.stack);
  limit(RLIMIT_CPU, request.timeout / 1000 + 1);
  const bool ready = ::fchdir(folder) == 0 && ::dup2(wire::kIn, 0) == 0 && ::dup2(wire::kOut, 1) == 1 &&
                     ::dup2(wire::kErr, 2) == 2 &&
                     (request.given < 0 || ::dup2(request.given, request.given_as) >= 0) && submit(walls);
  if (ready) ::execve(start.executable, start.arguments.data(), start.variables.data());
  *error = errno;
  ::_exit(127);
}

// Processes whose parent this one is, or has become.
std::vector<pid_t> children() {
  std::vector<pid_t> result;
  const int file = ::open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (file < 0) return result;
  std::string text;
  char part[4096];
  for (ssize_t count = 0; (count = ::read(file, part, sizeof(part))) > 0;)
    text.append(part, static_cast<size_t>(count));
  ::close(file);
  for (char* at = text.data(); *at != '\0';) {
    char* end = at;
    const long pid = std::strtol(at, &end, 10);
    if (end == at) break;
    result.push_back(static_cast<pid_t>(pid));
    at = end + (*end == ' ');
  }
  return result;
}

class Service {
 public:
  explicit Service(Walls walls) : walls_(std::move(walls)) {}

  [[noreturn]] void serve() {
    wire::Request request;
    std::string text;
    while (receive(&request, sizeof(request))) {
      text.assign(request.text_size + 1, '\0');
      if (!receive(text.data(), request.text_size)) break;
      run(parse(request, text));
    }
    ::_exit(0);  // heddle is gone
  }

 private:
  void run(const Start& start) {
    wire::Reply reply{};
    std::string files;
    const std::string path = walls_.root + "/" + start.folder;
    const int folder = make_folder(path, start);
    if (folder < 0) {
      reply.start_error = errno;
    } else {
      execute(start, folder, &reply);
      append_files(folder, kMostFileBytes, &files);
      ::close(folder);
    }
    tidy(path);
    reply.text_size = files.size();
    if (!send(&reply, sizeof(reply)) || !send(files.data(), files.size())) ::_exit(0);
  }

  int make_folder(const std::string& path, const Start& start) const {
    ::mkdir(walls_.root.c_str(), 0755);
    if (::mkdir(path.c_str(), 0755) != 0 && errno != EEXIST) return -1;
    const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0 || start.file_name.empty()) return folder;
    const int file =
        ::openat(folder, start.file_name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    const bool written = file >= 0 && ::write(file, start.file.data(), start.file.size()) ==
                                          static_cast<ssize_t>(start.file.size());
    if (file >= 0) ::close(file);
    if (written) return folder;
    ::close(folder);
    return -1;
  }

  void execute(const Start& start, int folder, wire::Reply* reply) {
    if (walls_.last_number >= 0 && start.request.process_number > 1) {
      const std::string before = std::to_string(start.request.process_number - 1);
      if (::pwrite(walls_.last_number, before.data(), before.size(), 0) < 0) walls_.last_number = -1;
    }
    const auto deadline = Clock::now() + std::chrono::milliseconds(start.request.timeout);
    volatile int error = 0;
    const pid_t pid = ::vfork();
    if (pid == 0) become_program(start, walls_, folder, &error);
    if (pid < 0) {
      reply->start_error = errno;
      return;
    }
    const int process = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
    reply->timed_out = !wait_for(process, deadline);
    ::close(process);
    end_all(pid, reply);
    reply->start_error = error;
  }

  // False: its time is over. Ends this process if heddle does not want to know any more.
  bool wait_for(int process, Clock::time_point deadline) {
    while (true) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
      if (left.count() <= 0) return false;
      pollfd waits[] = {{process, POLLIN, 0}, {wire::kSocket, POLLIN, 0}};
      const int ready = ::poll(waits, 2, static_cast<int>(left.count()));
      if (ready <= 0) continue;
      if (waits[1].revents != 0) {
        wire::Reply unused{};
        end_all(-1, &unused);
        ::_exit(0);
      }
      return true;
    }
  }

  void kill_all(pid_t main) const {
    if (walls_.in_namespaces) {
      ::kill(-1, SIGKILL);  // all but this one, which is the first
      return;
    }
    if (main > 0) ::kill(-main, SIGKILL);
    for (const pid_t child : children()) ::kill(child, SIGKILL);
  }

  // Until there is no child left; those of children become this one's.
  void end_all(pid_t main, wire::Reply* reply) const {
    kill_all(main);
    while (true) {
      int status = 0;
      rusage usage{};
      const pid_t ended = ::wait4(-1, &status, 0, &usage);
      if (ended < 0 && errno == EINTR) continue;
      if (ended < 0) return;
      const auto nanoseconds = [](const timeval& time) {
        return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 +
               static_cast<uint64_t>(time.tv_usec) * 1'000;
      };
      reply->cpu_time += nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime);
      if (ended == main) {
        reply->status = status;
        main = -1;
      }
      kill_all(main);
    }
  }

  void tidy(const std::string& path) const {
    ::rmdir(path.c_str());
    empty_folder(walls_.root, walls_.kept);
    if (!walls_.in_namespaces) return;
    empty_folder("/dev/shm", {});
    if (has_objects()) ::unshare(CLONE_NEWIPC);
  }

  // Of System V, which outlive their makers.
  static bool has_objects() {
    shm_info memory{};
    seminfo semaphores{};
    msginfo queues{};
    ::shmctl(0, SHM_INFO, reinterpret_cast<shmid_ds*>(&memory));
    ::semctl(0, 0, SEM_INFO, &semaphores);
    ::msgctl(0, MSG_INFO, reinterpret_cast<msqid_ds*>(&queues));
    return memory.used_ids > 0 || semaphores.semusz > 0 || queues.msgpool > 0;
  }

  Walls walls_;
};

// Runs begin with nothing ignored and nothing blocked, whatever heddle's caller has set.
void reset_signals() {
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

// When memory is short, a run goes first.
void prefer_to_die() {
  const int file = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  [[maybe_unused]] const ssize_t written = ::write(file, "1000", 4);
  ::close(file);
}

bool say_hello(const Walls& walls) {
  const wire::Hello hello{walls.lacks, walls.error, static_cast<uint32_t>(walls.root.size())};
  return send(&hello, sizeof(hello)) && send(walls.root.data(), walls.root.size());
}

}  // namespace
}  // namespace heddle::sandbox

int main(int count, char** arguments) {
  using namespace heddle::sandbox;
  if (count < 3) return 2;
  reset_signals();
  // What a terminal sends to heddle's group is heddle's: Ctrl-C must not end the helper first.
  ::setsid();
  // Programs get their own of them.
  ::syscall(SYS_close_range, static_cast<unsigned>(wire::kSocket), ~0U, CLOSE_RANGE_CLOEXEC);
  prefer_to_die();
  Walls walls;
  if (std::strcmp(arguments[2], "namespaces") == 0) {
    const std::vector<std::string> visible(arguments + 3, arguments + count);
    if (!enter_namespaces(&walls) || !make_folders(&walls, visible)) {
      walls.lacks |= wire::kNamespaces;
      say_hello(walls);
      return 1;
    }
  } else {
    make_rules(&walls, arguments[1]);
  }
  if (!say_hello(walls)) return 1;
  Service(std::move(walls)).serve();
}
