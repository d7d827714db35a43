#include "interact/sandbox/sandbox.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <fmt/format.h>

#include "execute/runtime_location.h"
#include "execute/unique_fd.h"
#include "interact/sandbox/memory_file.h"
#include "interact/sandbox/wire.h"
#include "support/interruption.h"

namespace heddle::sandbox {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// Beyond the time of a run: then a program has stopped the helper.
constexpr std::chrono::seconds kMostDelay{20};
constexpr const char* kHelper = "heddle-sandbox";
constexpr int kLookInterval = 200;  // milliseconds
constexpr int kTimeToEnd = 5'000;
// Out of the way of the numbers that files get in the helper.
constexpr int kFirstFree = 256;

std::string sentence(const wire::Hello& hello, int namespace_error) {
  std::string result;
  const auto add = [&](const std::string& what) { result += (result.empty() ? "" : "; ") + what; };
  const uint32_t lacks = hello.lacks;
  if (lacks & wire::kNamespaces)
    add(
        fmt::format("this machine allows no namespaces ({}), so programs see its other processes, and can "
                    "reach services over sockets in the file system",
                    std::strerror(namespace_error)));
  if (lacks & wire::kFileRules)
    add("there is no Landlock, so programs can write and delete the user's files");
  if (lacks & wire::kNetworkRule) add("there is no seccomp, so programs can use the network");
  if (lacks & wire::kSignalRule && lacks & wire::kNamespaces)
    add("Landlock is older than Linux 6.12, so programs can end other processes of the user");
  if (lacks & wire::kProcessCount) add("the number of processes is not limited");
  if (lacks & wire::kOwnProcFolder) add("/proc shows the machine's processes, read-only");
  return result;
}

}  // namespace

struct Sandbox::State {
  Options options;
  std::string helper;
  std::string lacks;
  std::string root;
  UniqueFd in, in_for_runs, out, err;
  UniqueFd socket;
  pid_t process = -1;
  int namespace_error = 0;

  ~State() { stop(); }

  Expected<void> prepare();
  Expected<void> start();
  bool start_helper(bool with_namespaces, wire::Hello* hello);
  void stop();
  bool receive(void* to, size_t size, Clock::time_point deadline) const;
  bool request(const Run& run, std::string* text);
  Expected<End> end_of(const wire::Reply& reply, const std::string& text, const Run& run) const;
};

Expected<void> Sandbox::State::prepare() {
  std::error_code error;
  options.program = fs::absolute(options.program, error);
  options.folder = fs::absolute(options.folder, error);
  fs::create_directories(options.folder, error);
  if (error)
    return usage_error(fmt::format("cannot make the folder {} to run programs in: {}",
                                   options.folder.string(), error.message()));
  const Expected<std::string> runtime = find_runtime();
  if (!runtime) return tl::unexpected(runtime.error());
  helper = *runtime + "/" + kHelper;
  if (::access(helper.c_str(), X_OK) != 0)
    return internal_error(fmt::format("{} is missing; install heddle again", helper));
  in = memory_file("input");
  out = memory_file("output");
  err = memory_file("errors");
  // What a run reads, it cannot write.
  in_for_runs = UniqueFd(::open(fmt::format("/proc/self/fd/{}", in.get()).c_str(), O_RDONLY | O_CLOEXEC));
  if (!in || !in_for_runs || !out || !err)
    return internal_error(fmt::format("cannot make files in memory: {}", std::strerror(errno)));
  return {};
}

Expected<void> Sandbox::State::start() {
  stop();
  wire::Hello hello{};
  const bool is_confined = !options.without_namespaces && start_helper(true, &hello);
  if (!is_confined) {
    namespace_error = options.without_namespaces ? EPERM : hello.error;
    if (!start_helper(false, &hello))
      return internal_error(fmt::format("{} does not run: {}", helper, std::strerror(errno)));
  }
  lacks = sentence(hello, namespace_error);
  return {};
}

// False if it ends at once, or has no namespaces and should.
bool Sandbox::State::start_helper(bool with_namespaces, wire::Hello* hello) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
  socket = UniqueFd(ends[0]);
  const UniqueFd other(ends[1]);
  std::vector<std::string> words = {helper, (options.folder / "runs").string(),
                                    with_namespaces ? "namespaces" : "rules", options.program.string()};
  std::error_code error;
  for (const fs::path& path : options.visible) words.push_back(fs::absolute(path, error).string());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  char* const no_variables[] = {nullptr};
  const UniqueFd nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  std::vector<UniqueFd> files;
  const auto add = [&](int file) { files.emplace_back(::fcntl(file, F_DUPFD_CLOEXEC, kFirstFree)); };
  for (int i = 0; i < wire::kSocket; ++i) add(nothing.get());
  for (const int file : {other.get(), in_for_runs.get(), out.get(), err.get()}) add(file);
  for (const int file : options.files) add(file);
  process = ::vfork();
  if (process == 0) {
    for (size_t i = 0; i < files.size(); ++i) ::dup2(files[i].get(), static_cast<int>(i));
    ::syscall(SYS_close_range, static_cast<unsigned>(files.size()), ~0U, 0U);
    ::execve(arguments[0], arguments.data(), no_variables);
    ::_exit(127);
  }
  const auto deadline = Clock::now() + kMostDelay;
  return process > 0 && receive(hello, sizeof(*hello), deadline) &&
         (root.assign(hello->root_size, '\0'), receive(root.data(), root.size(), deadline)) &&
         (!with_namespaces || (hello->lacks & wire::kNamespaces) == 0);
}

// Its runs end with it.
void Sandbox::State::stop() {
  socket.reset();
  if (process <= 0) return;
  const UniqueFd end(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
  pollfd wait{end.get(), POLLIN, 0};
  if (::poll(&wait, 1, kTimeToEnd) <= 0) ::kill(process, SIGKILL);
  while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
  }
  process = -1;
}

// False also if the user interrupts heddle.
bool Sandbox::State::receive(void* to, size_t size, Clock::time_point deadline) const {
  for (char* at = static_cast<char*>(to); size > 0;) {
    pollfd wait{socket.get(), POLLIN, 0};
    const int ready = ::poll(&wait, 1, kLookInterval);
    if (was_interrupted() || Clock::now() > deadline) return false;
    if (ready <= 0) continue;
    const ssize_t count = ::recv(socket.get(), at, size, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    at += count;
    size -= static_cast<size_t>(count);
  }
  return true;
}

bool Sandbox::State::request(const Run& run, std::string* text) {
  const auto add = [&](std::string_view word) {
    text->append(word.substr(0, word.find('\0'))).push_back('\0');
  };
  const std::string folder = root + "/" + run.folder;
  for (const std::string& word : {options.program.string(), run.folder, run.file_name}) add(word);
  for (const std::string& argument : run.arguments) add(argument);
  for (const std::string& variable : run.environment) add(variable);
  add("HOME=" + folder);
  add("TMPDIR=" + folder);
  text->append(run.file);
  wire::Request request{};
  request.text_size = text->size();
  request.memory = run.limits.memory;
  request.most_output = run.limits.most_output;
  request.stack = run.limits.stack;
  request.file_size = run.file.size();
  request.timeout = static_cast<uint32_t>(run.limits.timeout.count());
  request.process_number = run.process_number;
  request.arguments = static_cast<uint32_t>(run.arguments.size());
  request.variables = static_cast<uint32_t>(run.environment.size() + 2);
  request.given = run.given ? wire::kFirstGiven + static_cast<int32_t>(*run.given) : -1;
  request.given_as = run.given_as;
  request.fixed_addresses = run.fixed_addresses;
  return wire::send_all(socket.get(), &request, sizeof(request)) &&
         wire::send_all(socket.get(), text->data(), text->size());
}

Expected<End> Sandbox::State::end_of(const wire::Reply& reply, const std::string& text,
                                     const Run& run) const {
  if (reply.start_error != 0)
    return usage_error(
        fmt::format("cannot start {}: {}", options.program.string(), std::strerror(reply.start_error)));
  End end;
  end.timed_out = reply.timed_out != 0;
  if (WIFEXITED(reply.status)) end.exit_code = WEXITSTATUS(reply.status);
  if (WIFSIGNALED(reply.status)) end.signal = WTERMSIG(reply.status);
  end.cpu_time = std::chrono::nanoseconds(reply.cpu_time);
  end.out = content_of(out);
  end.err = content_of(err);
  end.wrote_too_much =
      run.limits.most_output != 0 && std::max(end.out.size(), end.err.size()) >= run.limits.most_output;
  for (size_t at = 0; at + sizeof(wire::LeftFile) <= text.size();) {
    wire::LeftFile file;
    std::memcpy(&file, text.data() + at, sizeof(file));
    at += sizeof(file);
    end.files[text.substr(at, file.path_size)] = text.substr(at + file.path_size, file.size);
    at += file.path_size + file.size;
  }
  return end;
}

Sandbox::Sandbox(std::unique_ptr<State> state) : state_(std::move(state)) {}
Sandbox::Sandbox(Sandbox&&) noexcept = default;
Sandbox& Sandbox::operator=(Sandbox&&) noexcept = default;
Sandbox::~Sandbox() = default;

Expected<Sandbox> Sandbox::create(Options options) {
  auto state = std::make_unique<State>();
  state->options = std::move(options);
  if (const Expected<void> prepared = state->prepare(); !prepared) return tl::unexpected(prepared.error());
  if (const Expected<void> started = state->start(); !started) return tl::unexpected(started.error());
  return Sandbox(std::move(state));
}

Expected<End> Sandbox::run(const Run& run) {
  State& state = *state_;
  if (!state.socket) {
    if (const Expected<void> started = state.start(); !started) return tl::unexpected(started.error());
  }
  if (!refill(state.in, run.standard_input) || ::lseek(state.in_for_runs.get(), 0, SEEK_SET) != 0 ||
      !refill(state.out, "") || !refill(state.err, ""))
    return internal_error(fmt::format("cannot prepare the program's input: {}", std::strerror(errno)));
  std::string text;
  wire::Reply reply{};
  const auto deadline = Clock::now() + run.limits.timeout + kMostDelay;
  const bool is_answered =
      state.request(run, &text) && state.receive(&reply, sizeof(reply), deadline) &&
      (text.assign(reply.text_size, '\0'), state.receive(text.data(), text.size(), deadline));
  if (is_answered) return state.end_of(reply, text, run);
  state.stop();
  End end;
  end.out = content_of(state.out);
  end.err = content_of(state.err);
  if (was_interrupted())
    end.timed_out = true;
  else
    end.ended_helper = true;
  return end;
}

std::string Sandbox::path_of(const std::string& folder) const {
  return state_->root + "/" + folder;
}

const std::string& Sandbox::lacks() const {
  return state_->lacks;
}

}  // namespace heddle::sandbox
