#include "interact/concolic/concolic_run.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <span>

#include <fmt/format.h>

#include "execute/unique_fd.h"
#include "support/interruption.h"

namespace heddle::concolic {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// The number of the arena's file in the program, out of the way of those that it opens itself.
constexpr int kArenaFile = 195;
constexpr std::chrono::milliseconds kTimeToTellSites{30'000};
constexpr std::chrono::milliseconds kLookInterval{200};

UniqueFd memory_file(const char* name) {
  return UniqueFd(::memfd_create(name, MFD_CLOEXEC));
}

// Empties the file, fills it, and goes back to its beginning.
bool refill(const UniqueFd& file, std::string_view content) {
  return ::ftruncate(file.get(), 0) == 0 && ::lseek(file.get(), 0, SEEK_SET) == 0 &&
         ::write(file.get(), content.data(), content.size()) == static_cast<ssize_t>(content.size()) &&
         ::lseek(file.get(), 0, SEEK_SET) == 0;
}

std::string content_of(const UniqueFd& file) {
  const off_t size = ::lseek(file.get(), 0, SEEK_END);
  std::string content(size > 0 ? static_cast<size_t>(size) : 0, '\0');
  const ssize_t count = ::pread(file.get(), content.data(), content.size(), 0);
  content.resize(count > 0 ? static_cast<size_t>(count) : 0);
  return content;
}

struct Start {
  std::vector<char*> arguments;
  std::vector<char*> environment;
  const char* folder;
  int in, out, err, arena;
  uint64_t memory, most_output;
  std::chrono::milliseconds timeout;
};

void limit(__rlimit_resource resource, uint64_t value) {
  const rlimit both{value, value};
  ::setrlimit(resource, &both);
}

// In the child of vfork: it may change nothing of ours.
[[noreturn]] void become_program(const Start& start) {
  ::setpgid(0, 0);
  ::personality(ADDR_NO_RANDOMIZE);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_AS, start.memory);
  limit(RLIMIT_FSIZE, start.most_output);
  limit(RLIMIT_CPU, static_cast<uint64_t>(start.timeout.count()) / 1000 + 1);
  const bool ready = ::chdir(start.folder) == 0 && ::dup2(start.in, 0) == 0 && ::dup2(start.out, 1) == 1 &&
                     ::dup2(start.err, 2) == 2 && (start.arena < 0 || ::dup2(start.arena, kArenaFile) >= 0);
  if (ready) ::execve(start.arguments[0], start.arguments.data(), start.environment.data());
  ::_exit(127);
}

struct End {
  int status = 0;
  bool timed_out = false;
  rusage usage{};
};

// Whatever it has started in its group ends with it.
Expected<End> run_to_end(const Start& start) {
  const pid_t pid = ::vfork();
  if (pid == 0) become_program(start);
  if (pid < 0) return internal_error(fmt::format("cannot start a process: {}", std::strerror(errno)));
  const UniqueFd process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  const auto deadline = Clock::now() + start.timeout;
  End end;
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    end.timed_out = left.count() <= 0 || was_interrupted();
    if (end.timed_out) break;
    pollfd wait{process.get(), POLLIN, 0};
    if (::poll(&wait, 1, static_cast<int>(std::min(left, kLookInterval).count())) > 0) break;
  }
  ::kill(-pid, SIGKILL);
  if (end.timed_out) ::kill(pid, SIGKILL);
  while (::wait4(pid, &end.status, 0, &end.usage) < 0 && errno == EINTR) {
  }
  return end;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

}  // namespace

struct ConcolicRunner::State {
  RunnerOptions options;
  std::vector<Site> sites;
  UniqueFd arena_file, in, out, err;
  std::span<unsigned char> arena;
  fs::path run_folder;

  ~State() {
    if (!arena.empty()) ::munmap(arena.data(), arena.size());
  }

  Expected<void> prepare();
  Expected<void> read_sites();
  void request();
  Expected<void> write_file(const ProgramInput& input) const;
  void empty_folder() const;
  std::vector<std::string> environment() const;
};

Expected<void> ConcolicRunner::State::prepare() {
  std::error_code error;
  options.program = fs::absolute(options.program, error);
  run_folder = fs::absolute(options.folder, error);
  fs::create_directories(run_folder, error);
  if (error)
    return usage_error(fmt::format("cannot make the folder {} to run the program in: {}", run_folder.string(),
                                   error.message()));
  if (options.file_name.size() >= kFileNameSize)
    return usage_error(fmt::format("the name of the input file is longer than {} bytes", kFileNameSize));
  const uint64_t size =
      arena_layout(options.most_nodes, options.most_events, options.most_tables, options.most_table_bytes)
          .size;
  arena_file = memory_file("heddle-concolic");
  in = memory_file("input");
  out = memory_file("output");
  err = memory_file("errors");
  void* const mapped = ::ftruncate(arena_file.get(), static_cast<off_t>(size)) != 0
                           ? MAP_FAILED
                           : ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, arena_file.get(), 0);
  if (mapped == MAP_FAILED)
    return internal_error(fmt::format("cannot map {} bytes for recordings: {}", size, std::strerror(errno)));
  arena = {static_cast<unsigned char*>(mapped), size};
  return {};
}

std::vector<std::string> ConcolicRunner::State::environment() const {
  std::vector<std::string> result = {"PATH=/usr/bin:/bin", "LC_ALL=C", "TZ=UTC",
                                     fmt::format("HOME={}", run_folder.string())};
  for (const auto& [name, value] : options.environment) result.push_back(name + "=" + value);
  return result;
}

Expected<void> ConcolicRunner::State::read_sites() {
  const UniqueFd text = memory_file("sites");
  std::vector<std::string> words = {options.program.string()};
  std::vector<std::string> variables = environment();
  // Opened anew, the file is written from its beginning.
  variables.push_back(fmt::format("{}=/dev/fd/{}", kSitesVariable, kArenaFile));
  refill(in, "");
  const Expected<End> end =
      run_to_end({pointers(words), pointers(variables), run_folder.c_str(), in.get(), out.get(), err.get(),
                  text.get(), RLIM_INFINITY, RLIM_INFINITY, kTimeToTellSites});
  if (!end) return tl::unexpected(end.error());
  if (!WIFEXITED(end->status) || WEXITSTATUS(end->status) != 0)
    return usage_error(fmt::format("{} does not run, or was not compiled by heddle for concolic execution",
                                   options.program.string()));
  Expected<std::vector<Site>> parsed = parse_sites(content_of(text));
  if (!parsed) return tl::unexpected(parsed.error());
  sites = std::move(*parsed);
  return {};
}

void ConcolicRunner::State::request() {
  ArenaHeader header{};
  header.magic = kArenaMagic;
  header.symbolic = options.symbolic;
  header.slack = options.slack;
  header.longest_file = options.input.longest_file;
  header.node_capacity = options.most_nodes;
  header.event_capacity = options.most_events;
  header.table_capacity = options.most_tables;
  header.table_byte_capacity = options.most_table_bytes;
  header.node_count = 1;
  std::memcpy(header.file_name, options.file_name.c_str(), options.file_name.size() + 1);
  std::memcpy(arena.data(), &header, sizeof(header));
}

Expected<void> ConcolicRunner::State::write_file(const ProgramInput& input) const {
  if (options.file_name.empty()) return {};
  const fs::path path = run_folder / options.file_name;
  std::ofstream file(path, std::ios::binary);
  file.write(input.file.data(), static_cast<std::streamsize>(input.file.size()));
  if (file.flush()) return {};
  return usage_error(fmt::format("cannot write the input file {}", path.string()));
}

void ConcolicRunner::State::empty_folder() const {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(run_folder, error)) fs::remove_all(entry.path(), error);
}

ConcolicRunner::ConcolicRunner(std::unique_ptr<State> state) : state_(std::move(state)) {}
ConcolicRunner::ConcolicRunner(ConcolicRunner&&) noexcept = default;
ConcolicRunner& ConcolicRunner::operator=(ConcolicRunner&&) noexcept = default;
ConcolicRunner::~ConcolicRunner() = default;

Expected<ConcolicRunner> ConcolicRunner::create(RunnerOptions options) {
  auto state = std::make_unique<State>();
  state->options = std::move(options);
  if (const Expected<void> prepared = state->prepare(); !prepared) return tl::unexpected(prepared.error());
  if (const Expected<void> read = state->read_sites(); !read) return tl::unexpected(read.error());
  return ConcolicRunner(std::move(state));
}

Expected<ConcolicRun> ConcolicRunner::run(const ProgramInput& input) {
  State& state = *state_;
  state.request();
  if (const Expected<void> written = state.write_file(input); !written)
    return tl::unexpected(written.error());
  if (!refill(state.in, input.standard_input) || !refill(state.out, "") || !refill(state.err, ""))
    return internal_error(fmt::format("cannot prepare the program's input: {}", std::strerror(errno)));
  std::vector<std::string> words = {state.options.program.string()};
  words.insert(words.end(), input.arguments.begin(), input.arguments.end());
  std::vector<std::string> variables = state.environment();
  variables.push_back(fmt::format("{}={}", kArenaVariable, kArenaFile));
  const uint64_t memory = state.options.memory + state.arena.size();
  const Expected<End> end = run_to_end(
      {pointers(words), pointers(variables), state.run_folder.c_str(), state.in.get(), state.out.get(),
       state.err.get(), state.arena_file.get(), memory, state.options.most_output, state.options.timeout});
  if (!end) return tl::unexpected(end.error());
  ConcolicRun run;
  run.timed_out = end->timed_out;
  run.signal = WIFSIGNALED(end->status) ? WTERMSIG(end->status) : 0;
  run.exit_code = WIFEXITED(end->status) ? WEXITSTATUS(end->status) : 0;
  run.out = content_of(state.out);
  run.err = content_of(state.err);
  run.cpu_time = std::chrono::seconds(end->usage.ru_utime.tv_sec + end->usage.ru_stime.tv_sec) +
                 std::chrono::microseconds(end->usage.ru_utime.tv_usec + end->usage.ru_stime.tv_usec);
  state.empty_folder();
  Expected<Recording> recording = read_recording(state.arena, state.sites.size());
  if (recording)
    run.recording = std::move(*recording);
  else
    run.damage = recording.error().message;
  return run;
}

const std::vector<Site>& ConcolicRunner::sites() const {
  return state_->sites;
}

const Site& ConcolicRunner::program_site(const Event& event) const {
  return state_->sites[event.caller != 0 ? event.caller - 1 : event.site];
}

const RunnerOptions& ConcolicRunner::options() const {
  return state_->options;
}

}  // namespace heddle::concolic
