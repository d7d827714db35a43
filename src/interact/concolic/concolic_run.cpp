#include "interact/concolic/concolic_run.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "execute/unique_fd.h"
#include "interact/sandbox/memory_file.h"
#include "interact/sandbox/sandbox.h"

namespace heddle::concolic {
namespace {

// The number of the arena's file in the program, out of the way of those that it opens itself.
constexpr int kGivenFile = 195;
constexpr std::chrono::milliseconds kTimeToTellSites{30'000};
// As in other runs, where numbers can be chosen.
constexpr unsigned kProcessNumber = 50;

// What runs are given.
enum GivenFile : size_t { kArena, kSites };

}  // namespace

struct ConcolicRunner::State {
  RunnerOptions options;
  std::vector<Site> sites;
  UniqueFd arena_file, sites_file;
  std::span<unsigned char> arena;
  std::optional<sandbox::Sandbox> sandbox;

  ~State() {
    if (!arena.empty()) ::munmap(arena.data(), arena.size());
  }

  Expected<void> prepare();
  Expected<void> read_sites();
  void request();
  std::vector<std::string> environment() const;
};

Expected<void> ConcolicRunner::State::prepare() {
  if (options.file_name.size() >= kFileNameSize)
    return usage_error(fmt::format("the name of the input file is longer than {} bytes", kFileNameSize));
  const uint64_t size =
      arena_layout(options.most_nodes, options.most_events, options.most_tables, options.most_table_bytes)
          .size;
  arena_file = sandbox::memory_file("heddle-concolic");
  sites_file = sandbox::memory_file("heddle-sites");
  void* const mapped = ::ftruncate(arena_file.get(), static_cast<off_t>(size)) != 0
                           ? MAP_FAILED
                           : ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, arena_file.get(), 0);
  if (mapped == MAP_FAILED)
    return internal_error(fmt::format("cannot map {} bytes for recordings: {}", size, std::strerror(errno)));
  arena = {static_cast<unsigned char*>(mapped), size};
  sandbox::Options confinement;
  confinement.program = options.program;
  confinement.folder = options.folder;
  confinement.files.resize(2);
  confinement.files[kArena] = arena_file.get();
  confinement.files[kSites] = sites_file.get();
  Expected<sandbox::Sandbox> made = sandbox::Sandbox::create(std::move(confinement));
  if (!made) return tl::unexpected(made.error());
  sandbox = std::move(*made);
  return {};
}

std::vector<std::string> ConcolicRunner::State::environment() const {
  std::vector<std::string> result = {"PATH=/usr/bin:/bin", "LANG=C", "LC_ALL=C", "TZ=UTC"};
  for (const auto& [name, value] : options.environment) result.push_back(name + "=" + value);
  return result;
}

Expected<void> ConcolicRunner::State::read_sites() {
  sandbox::Run run;
  run.arguments = {options.program.string()};
  run.environment = environment();
  // Opened anew, the file is written from its beginning.
  run.environment.push_back(fmt::format("{}=/dev/fd/{}", kSitesVariable, kGivenFile));
  run.limits.timeout = kTimeToTellSites;
  run.given = kSites;
  run.given_as = kGivenFile;
  const Expected<sandbox::End> end = sandbox->run(run);
  if (!end) return tl::unexpected(end.error());
  if (end->timed_out || end->signal != 0 || end->exit_code != 0)
    return usage_error(fmt::format("{} does not run, or was not compiled by heddle for concolic execution",
                                   options.program.string()));
  Expected<std::vector<Site>> parsed = parse_sites(sandbox::content_of(sites_file));
  if (!parsed) return tl::unexpected(parsed.error());
  sites = std::move(*parsed);
  return {};
}

void ConcolicRunner::State::request() {
  ArenaHeader header{};
  header.magic = kArenaMagic;
  header.symbolic = options.symbolic;
  header.slack = options.slack;
  header.longest_file = std::max(options.input.longest_standard_input, options.input.longest_file) + 1;
  header.node_capacity = options.most_nodes;
  header.event_capacity = options.most_events;
  header.table_capacity = options.most_tables;
  header.table_byte_capacity = options.most_table_bytes;
  header.node_count = 1;
  std::memcpy(header.file_name, options.file_name.c_str(), options.file_name.size() + 1);
  std::memcpy(arena.data(), &header, sizeof(header));
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
  sandbox::Run confined;
  confined.arguments = {state.options.program.string()};
  confined.arguments.insert(confined.arguments.end(), input.arguments.begin(), input.arguments.end());
  confined.environment = state.environment();
  confined.environment.push_back(fmt::format("{}={}", kArenaVariable, kGivenFile));
  confined.standard_input = input.standard_input;
  confined.file_name = state.options.file_name;
  confined.file = input.file;
  confined.fixed_addresses = true;
  confined.process_number = kProcessNumber;
  confined.limits.timeout = state.options.timeout;
  confined.limits.memory = state.options.memory + state.arena.size();
  confined.limits.most_output = state.options.most_output;
  confined.given = kArena;
  confined.given_as = kGivenFile;
  Expected<sandbox::End> end = state.sandbox->run(confined);
  if (!end) return tl::unexpected(end.error());
  ConcolicRun run;
  run.timed_out = end->timed_out;
  run.signal = end->ended_helper ? SIGKILL : end->signal;
  run.exit_code = end->exit_code;
  run.out = std::move(end->out);
  run.err = std::move(end->err);
  run.cpu_time = end->cpu_time;
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
