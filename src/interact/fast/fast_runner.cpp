#include "interact/fast/fast_runner.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "interact/fast/kernel/machine.h"
#include "support/check.h"

namespace heddle::fast {
namespace {

static_assert(kMostVersions <= kMostZones);

namespace fs = std::filesystem;
using interact::Behaviour;
using interact::ProgramRunner;

VersionRun run_of(const Behaviour& behaviour) {
  VersionRun run;
  run.end = RunEnd::kExit;
  if (behaviour.signal != 0) run.end = RunEnd::kSignal;
  if (behaviour.timed_out) run.end = RunEnd::kTime;
  if (behaviour.wrote_too_much) run.end = RunEnd::kOutput;
  run.exit_code = behaviour.exit_code;
  run.signal = behaviour.signal;
  run.out = behaviour.out;
  run.err = behaviour.err;
  run.process = &behaviour;
  return run;
}

VersionRun run_of(const ProgramRun& loaded) {
  VersionRun run;
  run.end = loaded.end;
  run.exit_code = loaded.exit_code;
  run.signal = loaded.signal;
  run.out = loaded.out;
  run.err = loaded.err;
  run.damages_heap = loaded.damages_heap;
  return run;
}

}  // namespace

bool behave_the_same(const VersionRun& a, const VersionRun& b) {
  if (!a.is_complete() || !b.is_complete()) return a.is_complete() == b.is_complete();
  if (a.end != b.end || a.exit_code != b.exit_code || a.signal != b.signal || a.out != b.out ||
      a.err != b.err)
    return false;
  if (a.process == nullptr || b.process == nullptr) return a.process == b.process;
  return a.process->files == b.process->files && a.process->removed_input == b.process->removed_input &&
         a.process->report == b.process->report;
}

struct FastRunner::State {
  // A version's way to run as a process; made when it is first needed, since that takes a helper process.
  struct ProcessVersion {
    std::optional<ProgramRunner> runner;
    Behaviour behaviour;
  };

  FastOptions options;
  std::string program_name;
  std::vector<LoadedProgram> loaded;  // of all versions, or none
  std::vector<ProcessVersion> processes;
  std::vector<VersionRun> runs;
  std::string needs_processes;
  Counts counts;

  void load();
  bool run_here(const concolic::ProgramInput& input, bool wants_compares, size_t versions);
  Expected<void> prepare_process(size_t version);
  Expected<void> run_in_processes(const concolic::ProgramInput& input, size_t versions);
};

void FastRunner::State::load() {
  for (size_t i = 0; i < options.versions.size(); ++i) {
    const FastVersion& version = options.versions[i];
    std::string why_not = version.why_not;
    if (!version.fast.empty()) {
      ProgramOptions program;
      program.program = version.fast;
      program.program_name = program_name;
      program.file_name = options.limits.file_name;
      program.environment = usual_environment();
      program.timeout = options.timeout;
      program.memory = options.limits.memory;
      program.most_output = options.limits.most_output;
      Expected<LoadedProgram> one = LoadedProgram::load(std::move(program));
      if (one) {
        loaded.push_back(std::move(*one));
        continue;
      }
      why_not = one.error().message;
    }
    needs_processes = fmt::format("{} cannot live in one process with other versions: {}",
                                  version.plain.filename().string(), why_not);
    loaded.clear();
    return;
  }
}

// False: one of them needs a process. All are run nevertheless, for what they tell besides.
bool FastRunner::State::run_here(const concolic::ProgramInput& input, bool wants_compares, size_t versions) {
  bool is_enough = true;
  for (size_t i = 0; i < versions; ++i) {
    const ProgramRun run = loaded[i].run(input, wants_compares);
    runs[i] = run_of(run);
    if (run.end != RunEnd::kNeedsProcess) continue;
    counts.last_reason = loaded[i].reason();
    is_enough = false;
  }
  return is_enough;
}

Expected<void> FastRunner::State::prepare_process(size_t version) {
  ProcessVersion& process = processes[version];
  if (process.runner) return {};
  interact::RunLimits limits = options.limits;
  limits.program_name = program_name;
  Expected<ProgramRunner> made = ProgramRunner::create(
      options.versions[version].plain, options.folder / fmt::format("version{}", version), limits);
  if (!made) return tl::unexpected(made.error());
  process.runner = std::move(*made);
  return {};
}

Expected<void> FastRunner::State::run_in_processes(const concolic::ProgramInput& input, size_t versions) {
  for (size_t i = 0; i < versions; ++i) {
    if (const Expected<void> prepared = prepare_process(i); !prepared) return prepared;
    ProcessVersion& version = processes[i];
    Expected<Behaviour> behaviour = version.runner->run(input);
    if (!behaviour) return tl::unexpected(behaviour.error());
    version.behaviour = std::move(*behaviour);
    const bool damages_heap = runs[i].damages_heap;
    runs[i] = run_of(version.behaviour);
    runs[i].damages_heap = damages_heap;
  }
  counts.in_processes += versions;
  return {};
}

FastRunner::FastRunner(std::unique_ptr<State> state) : state_(std::move(state)) {}
FastRunner::FastRunner(FastRunner&&) noexcept = default;
FastRunner& FastRunner::operator=(FastRunner&&) noexcept = default;
FastRunner::~FastRunner() = default;

Expected<FastRunner> FastRunner::create(FastOptions options) {
  if (options.versions.empty()) return usage_error("there is no version of a program to run");
  auto state = std::make_unique<State>();
  state->program_name = options.limits.program_name.empty()
                            ? options.versions.front().plain.filename().string()
                            : options.limits.program_name;
  state->options = std::move(options);
  state->runs.resize(state->options.versions.size());
  state->processes.resize(state->options.versions.size());
  state->load();
  return FastRunner(std::move(state));
}

Expected<std::span<const VersionRun>> FastRunner::run(const concolic::ProgramInput& input,
                                                      bool wants_compares, size_t versions) {
  State& state = *state_;
  versions = std::min(versions, state.runs.size());
  state.counts.executions += versions;
  for (VersionRun& one : state.runs) one = VersionRun();
  if (state.loaded.empty() || !state.run_here(input, wants_compares, versions)) {
    if (const Expected<void> run = state.run_in_processes(input, versions); !run)
      return tl::unexpected(run.error());
  }
  return std::span<const VersionRun>(state.runs).first(versions);
}

Expected<void> FastRunner::prepare_processes() {
  for (size_t i = 0; i < state_->processes.size(); ++i) {
    if (const Expected<void> prepared = state_->prepare_process(i); !prepared) return prepared;
  }
  return {};
}

const LoadedProgram* FastRunner::loaded(size_t version) const {
  return version < state_->loaded.size() ? &state_->loaded[version] : nullptr;
}

const std::string& FastRunner::needs_processes() const {
  return state_->needs_processes;
}

const FastRunner::Counts& FastRunner::counts() const {
  return state_->counts;
}

std::vector<std::string> usual_environment() {
  return {"PATH=/usr/bin:/bin",
          "LANG=C",
          "LC_ALL=C",
          "TZ=UTC",
          "UBSAN_OPTIONS=print_stacktrace=1:symbolize=0",
          "HOME=FOLDER",
          "TMPDIR=FOLDER"};
}

}  // namespace heddle::fast
