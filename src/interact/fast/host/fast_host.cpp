#include "interact/fast/host/fast_host.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "execute/runtime_location.h"
#include "interact/fast/host/host_files.h"
#include "interact/fast/host/in_flight.h"

namespace heddle::fast {
namespace {

constexpr const char* kHost = "heddle-interact-host";
// Beyond what programs may take: to load them, and to start what runs processes.
constexpr std::chrono::seconds kTimeToStart{60};
constexpr std::chrono::seconds kTimeBeyondRuns{20};
// Out of the way of the numbers that files get in the host.
constexpr int kFirstFreeNumber = 256;

}  // namespace

struct FastHost::State {
  FastOptions options;
  std::string executable;
  std::string needs_processes;
  InFlight in_flight;
  HostLink link;
  pid_t process = -1;
  std::vector<concolic::ProgramInput> lost;

  explicit State(InFlight memory) : in_flight(std::move(memory)) {}
  ~State() { stop(); }

  Expected<void> start();
  bool spawn();
  void stop();
};

bool FastHost::State::spawn() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
  link = HostLink(UniqueFd(ends[0]));
  const UniqueFd other(ends[1]);
  const UniqueFd socket(::fcntl(other.get(), F_DUPFD_CLOEXEC, kFirstFreeNumber));
  const UniqueFd memory(::fcntl(in_flight.descriptor(), F_DUPFD_CLOEXEC, kFirstFreeNumber));
  const UniqueFd nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  char* const arguments[] = {executable.data(), nullptr};
  process = ::vfork();
  if (process == 0) {
    for (const int standard : {0, 1}) ::dup2(nothing.get(), standard);
    ::dup2(socket.get(), kHostSocket);
    ::dup2(memory.get(), kHostInFlight);
    ::syscall(SYS_close_range, static_cast<unsigned>(kHostInFlight) + 1, ~0U, 0U);
    ::execv(arguments[0], arguments);
    ::_exit(127);
  }
  return process > 0;
}

Expected<void> FastHost::State::start() {
  in_flight.end();
  if (!spawn()) return internal_error(fmt::format("cannot start {}: {}", executable, std::strerror(errno)));
  FrameWriter writer;
  writer.options(options);
  Frame answer;
  if (!link.send(FrameKind::kConfigure, writer.written()) ||
      link.receive(&answer, kTimeToStart) != HostLink::Arrival::kFrame)
    return internal_error(fmt::format("{} ends, or says nothing", executable));
  if (answer.kind != FrameKind::kReady) return usage_error(std::move(answer.text));
  needs_processes = std::move(answer.text);
  return {};
}

// It ends by itself when nobody talks to it any more, but not while a program holds it.
void FastHost::State::stop() {
  link = HostLink();
  if (process <= 0) return;
  ::kill(process, SIGKILL);
  while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
  }
  process = -1;
}

FastHost::FastHost(std::unique_ptr<State> state) : state_(std::move(state)) {}
FastHost::FastHost(FastHost&&) noexcept = default;
FastHost& FastHost::operator=(FastHost&&) noexcept = default;
FastHost::~FastHost() = default;

Expected<FastHost> FastHost::start(FastOptions options) {
  const Expected<std::string> runtime = find_runtime();
  if (!runtime) return tl::unexpected(runtime.error());
  std::optional<InFlight> memory = InFlight::create();
  if (!memory) return internal_error(fmt::format("cannot make a file in memory: {}", std::strerror(errno)));
  auto state = std::make_unique<State>(std::move(*memory));
  state->options = std::move(options);
  state->executable = *runtime + "/" + kHost;
  if (::access(state->executable.c_str(), X_OK) != 0)
    return internal_error(fmt::format("{} is missing; install heddle again", state->executable));
  if (const Expected<void> started = state->start(); !started) return tl::unexpected(started.error());
  return FastHost(std::move(state));
}

const std::string& FastHost::needs_processes() const {
  return state_->needs_processes;
}

Expected<std::vector<interact::Behaviour>> FastHost::run(const concolic::ProgramInput& input) {
  State& state = *state_;
  FrameWriter writer;
  writer.input(input);
  Frame answer;
  const auto most = (state.options.limits.timeout + state.options.timeout) * state.options.versions.size();
  const bool is_answered =
      send(FrameKind::kRun, writer.written()) &&
      receive(&answer, std::chrono::milliseconds(most) + kTimeBeyondRuns) == HostLink::Arrival::kFrame;
  std::vector<interact::Behaviour> behaviours;
  if (!is_answered) {
    if (const Expected<void> replaced = replace(); !replaced) return tl::unexpected(replaced.error());
    return behaviours;
  }
  if (answer.kind != FrameKind::kRan) return internal_error(std::move(answer.text));
  FrameReader reader(answer.text);
  for (uint64_t count = reader.number(); count > 0; --count) {
    bool lives_here = false;
    behaviours.push_back(reader.behaviour(&lives_here));
  }
  if (!reader.is_whole()) return internal_error("what heddle-interact-host says is not complete");
  return behaviours;
}

bool FastHost::send(FrameKind kind, std::string_view text) {
  return state_->link.send(kind, text);
}

HostLink::Arrival FastHost::receive(Frame* frame, std::chrono::milliseconds timeout) {
  return state_->link.receive(frame, timeout);
}

Expected<void> FastHost::replace() {
  State& state = *state_;
  state.stop();
  if (std::optional<concolic::ProgramInput> input = state.in_flight.input())
    state.lost.push_back(std::move(*input));
  return state.start();
}

std::optional<concolic::ProgramInput> FastHost::executing() const {
  return state_->in_flight.input();
}

const std::vector<concolic::ProgramInput>& FastHost::lost() const {
  return state_->lost;
}

int FastHost::process() const {
  return state_->process;
}

}  // namespace heddle::fast
