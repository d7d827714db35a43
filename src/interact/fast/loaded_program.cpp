#include "interact/fast/loaded_program.h"

#include <asm/prctl.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "interact/fast/call_names.h"
#include "interact/fast/elf_image.h"
#include "interact/fast/kernel/files.h"
#include "interact/fast/patch_calls.h"
#include "interact/fast/program_memory.h"
#include "interact/fast/start_stack.h"
#include "support/check.h"

namespace heddle::fast {
namespace {

namespace fs = std::filesystem;

constexpr size_t kKernelStack = size_t{64} << 10;
constexpr uint32_t kMillisecondsOfTick = 10;
constexpr uint32_t kTicksOfStart = 500;
constexpr uint64_t kThreadInstructions = 2;  // HWCAP2_FSGSBASE
constexpr size_t kJumpSize = 5;

bool zone_is_used[kMostZones];

// Once for this process, and for good.
Expected<void> prepare_process() {
  static const bool is_ready = install_handlers() && trap_system_calls();
  if (!is_ready) return usage_error("this machine has no seccomp, or allows no handlers of its signals");
  return {};
}

// Of what must never change once a program is loaded: where its memory is, and how it is entered and left.
uint64_t seal_of(const Machine& machine) {
  uint64_t sum = 0;
  uint64_t factor = 1;
  const auto add = [&](uint64_t value) { sum += value * (factor += 2); };
  for (size_t i = 0; i < machine.region_count; ++i) {
    const Region& region = machine.regions[i];
    add(region.begin);
    add(region.end);
    add(static_cast<uint64_t>(region.kind) * 2 + region.is_readable);
    add(reinterpret_cast<uint64_t>(region.used));
    add(reinterpret_cast<uint64_t>(region.origins));
  }
  for (const uint64_t value : machine.kept_registers) add(value);
  for (const uint64_t value :
       {machine.host_thread, machine.program_thread, machine.kernel_stack, machine.entry, machine.entry_stack,
        machine.zone, machine.heap_begin, machine.memory_limit, machine.output_limit,
        reinterpret_cast<uint64_t>(machine.out.bytes), reinterpret_cast<uint64_t>(machine.err.bytes),
        reinterpret_cast<uint64_t>(machine.feedback)})
    add(value);
  return sum;
}

}  // namespace

struct LoadedProgram::State {
  ProgramOptions options;
  unsigned zone_number = kMostZones;
  Machine* machine = nullptr;
  std::unique_ptr<ProgramMemory> memory;
  std::unique_ptr<CallState> first_calls;
  std::vector<uint64_t> variables;
  ElfImage image;
  HeddleFastLink link = {};  // a copy: what the program does to its own must not lead astray
  size_t patched_calls = 0;
  uint64_t seal = 0;
  uint64_t first_out = 0;
  uint64_t first_err = 0;

  ~State();
  Expected<void> take_zone();
  Expected<void> make_machine();
  Expected<void> start();
  Expected<void> check_start() const;
  void clear_stack() const;
  void enter() const;
};

LoadedProgram::State::~State() {
  if (heddle_fast_current == machine) heddle_fast_current = nullptr;
  memory.reset();
  if (machine != nullptr) {
    ::munmap(machine->out.bytes, options.most_output);
    ::munmap(machine->err.bytes, options.most_output);
    ::munmap(reinterpret_cast<void*>(machine->kernel_stack - kKernelStack), kKernelStack);
    ::munmap(machine, sizeof(Machine));
  }
  if (zone_number < kMostZones) zone_is_used[zone_number] = false;
}

Expected<void> LoadedProgram::State::take_zone() {
  for (unsigned i = 0; i < kMostZones; ++i) {
    if (zone_is_used[i]) continue;
    zone_is_used[i] = true;
    zone_number = i;
    return {};
  }
  return usage_error(fmt::format("{} programs live in this process already", kMostZones));
}

Expected<void> LoadedProgram::State::make_machine() {
  const auto allocate = [](size_t size) {
    return ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  };
  void* const place = allocate(sizeof(Machine));
  void* const stack = allocate(kKernelStack);
  void* const out = allocate(options.most_output);
  void* const err = allocate(options.most_output);
  for (void* const part : {place, stack, out, err}) {
    if (part == MAP_FAILED) return internal_error("there is no memory for a program's outputs");
  }
  machine = static_cast<Machine*>(place);
  machine->kernel_stack = reinterpret_cast<uint64_t>(stack) + kKernelStack;
  machine->has_thread_instructions =
      (::getauxval(AT_HWCAP2) & kThreadInstructions) != 0 && !options.without_thread_instructions;
  ::syscall(SYS_arch_prctl, ARCH_GET_FS, &machine->host_thread);
  machine->thread = ::gettid();
  machine->zone = kFirstZone + zone_number * kZoneSize;
  machine->memory_limit = options.memory & ~(kPage - 1);
  machine->output_limit = options.most_output;
  machine->out.bytes = static_cast<uint8_t*>(out);
  machine->err.bytes = static_cast<uint8_t*>(err);
  machine->is_starting = 1;
  const std::string path = fs::absolute(options.program).string();
  if (path.size() >= sizeof(machine->program_path) || options.file_name.size() >= sizeof(machine->file_name))
    return usage_error("a path is too long");
  std::memcpy(machine->program_path, path.c_str(), path.size() + 1);
  std::memcpy(machine->file_name, options.file_name.c_str(), options.file_name.size() + 1);
  memory = std::make_unique<ProgramMemory>(machine);
  return memory->reserve();
}

void LoadedProgram::State::enter() const {
  machine->stop = 0;
  machine->ticks = 0;
  machine->reason = nullptr;
  machine->unknown_call = -1;
  heddle_fast_current = machine;
  heddle_fast_enter(machine);
}

Expected<void> LoadedProgram::State::start() {
  const uint64_t zone = machine->zone;
  Expected<ElfImage> program = map_elf({options.program, zone + kImagesAt, {"main", "heddle_fast_link"}});
  if (!program) return tl::unexpected(program.error());
  image = std::move(*program);
  ElfImage linker;
  if (!image.interpreter.empty()) {
    Expected<ElfImage> mapped = map_elf({image.interpreter, image.end + kPage, {}});
    if (!mapped) return tl::unexpected(mapped.error());
    linker = std::move(*mapped);
  }
  const auto main = image.symbols.find("main");
  if (main == image.symbols.end()) return usage_error("it has no function main() that can be found");
  machine->images_end = std::max(image.end, linker.end) + kPage;
  machine->calls.heap_end = machine->heap_begin;
  machine->calls.maps_end = zone + kMapsAt;
  machine->calls.umask = 022;
  open_standard_files(&machine->calls);

  prepare_patches(zone);
  const uint64_t code = main->second & ~(kPage - 1);
  const auto protect_main = [&](int protection) {
    return ::mprotect(reinterpret_cast<void*>(code), 2 * kPage, protection) == 0 ||
           ::mprotect(reinterpret_cast<void*>(code), kPage, protection) == 0;
  };
  uint8_t jump[kJumpSize] = {0xe9};
  const auto to = static_cast<int32_t>(static_cast<int64_t>(ready_patch(zone) - (main->second + kJumpSize)));
  std::memcpy(jump + 1, &to, sizeof(to));
  uint8_t original[kJumpSize];
  auto* const place = reinterpret_cast<uint8_t*>(main->second);
  if (!protect_main(PROT_READ | PROT_WRITE)) return internal_error("cannot change the program's code");
  std::memcpy(original, place, kJumpSize);
  std::memcpy(place, jump, kJumpSize);
  protect_main(PROT_READ | PROT_EXEC);

  const StartStack stack = put_start({zone + kStackTopAt, options.program_name, machine->program_path,
                                      options.environment, &image, linker.base == 0 ? nullptr : &linker});
  variables = stack.variables;
  machine->entry = linker.base == 0 ? image.entry : linker.entry;
  machine->entry_stack = stack.pointer;
  machine->most_ticks = kTicksOfStart;
  enter();
  if (const Expected<void> started = check_start(); !started) return started;

  protect_main(PROT_READ | PROT_WRITE);
  std::memcpy(place, original, kJumpSize);
  protect_main(PROT_READ | PROT_EXEC);
  machine->entry = main->second;
  std::memset(reinterpret_cast<void*>(stack.own_variable), 0, sizeof(uint64_t));
  clear_stack();
  const Expected<size_t> patched = patch_calls(zone);
  if (!patched) return tl::unexpected(patched.error());
  patched_calls = *patched;
  const auto known = image.symbols.find("heddle_fast_link");
  if (known != image.symbols.end()) {
    auto* const writable = reinterpret_cast<HeddleFastLink*>(known->second);
    writable->feedback = machine->feedback;
    link = *writable;
  }
  return {};
}

// What start-up has left below the frame of main() are addresses, which are others in each version: a program
// that reads its stack before it writes it is to find zeros.
void LoadedProgram::State::clear_stack() const {
  const uint64_t begin = machine->zone + kStackTopAt - kStackSize;
  const uint64_t end = machine->entry_stack;
  for (uint64_t page = begin; page < end; page += kPage) {
    auto* const bytes = reinterpret_cast<uint8_t*>(page);
    const size_t size = std::min(kPage, end - page);
    // Pages that nobody has used stay without memory.
    if (std::any_of(bytes, bytes + size, [](uint8_t byte) { return byte != 0; })) std::memset(bytes, 0, size);
  }
}

Expected<void> LoadedProgram::State::check_start() const {
  switch (static_cast<Stop>(machine->stop)) {
    case Stop::kReady:
      break;
    case Stop::kExit: {
      std::string words(reinterpret_cast<const char*>(machine->err.bytes), machine->err.size);
      while (!words.empty() && words.back() == '\n') words.pop_back();
      return usage_error(fmt::format("it ends before main(), with code {}{}{}", machine->exit_code,
                                     words.empty() ? "" : ": ", words));
    }
    case Stop::kSignal:
      return usage_error(fmt::format("it is ended before main(), by signal {}", machine->signal));
    case Stop::kTime:
      return usage_error("it does not come to main()");
    case Stop::kNeedsProcess:
      return usage_error(fmt::format("before main(), {}", stop_reason(*machine)));
    default:
      return usage_error("it writes more than it may before main()");
  }
  if (machine->has_read_input != 0) return usage_error("it looks at its input before main()");
  for (size_t i = 0; i < kMostFiles; ++i) {
    if (real_file(*machine, i) >= 0) return usage_error("it opens a file before main() and leaves it open");
  }
  return {};
}

LoadedProgram::LoadedProgram(std::unique_ptr<State> state) : state_(std::move(state)) {}
LoadedProgram::LoadedProgram(LoadedProgram&&) noexcept = default;
LoadedProgram& LoadedProgram::operator=(LoadedProgram&&) noexcept = default;
LoadedProgram::~LoadedProgram() = default;

Expected<LoadedProgram> LoadedProgram::load(ProgramOptions options) {
  if (const Expected<void> ready = prepare_process(); !ready) return tl::unexpected(ready.error());
  auto state = std::make_unique<State>();
  state->options = std::move(options);
  Expected<void> done = state->take_zone();
  if (done) done = state->make_machine();
  if (done) done = state->start();
  if (done) done = state->memory->take_snapshot();
  if (!done) return tl::unexpected(done.error());
  Machine* const machine = state->machine;
  machine->is_starting = 0;
  machine->most_ticks =
      std::max<uint32_t>(2, static_cast<uint32_t>(state->options.timeout.count()) / kMillisecondsOfTick);
  state->first_calls = std::make_unique<CallState>(machine->calls);
  state->seal = seal_of(*machine);
  state->first_out = machine->out.size;
  state->first_err = machine->err.size;
  return LoadedProgram(std::move(state));
}

ProgramRun LoadedProgram::run(const concolic::ProgramInput& input, bool wants_compares) {
  State& state = *state_;
  Machine* const machine = state.machine;
  // Else a program has damaged this process: it is better lost.
  HEDDLE_CHECK(seal_of(*machine) == state.seal);
  state.memory->restore();
  machine->calls = *state.first_calls;
  machine->out.size = state.first_out;
  machine->err.size = state.first_err;
  machine->faults = 0;
  machine->traps = 0;
  machine->feedback->wants_compares = wants_compares;
  machine->feedback->compare_count = 0;
  machine->feedback->text_count = 0;
  machine->feedback->mark_count = 0;
  machine->feedback->damages_heap = 0;
  machine->input = reinterpret_cast<const uint8_t*>(input.standard_input.data());
  machine->input_size = input.standard_input.size();
  machine->file = reinterpret_cast<const uint8_t*>(input.file.data());
  machine->file_size = input.file.size();
  ProgramRun result;
  if (!put_arguments(machine, state.options.program_name, input.arguments, state.variables)) {
    machine->reason = "its arguments are long";
    return result;
  }
  state.enter();
  result.out = {reinterpret_cast<const char*>(machine->out.bytes), machine->out.size};
  result.err = {reinterpret_cast<const char*>(machine->err.bytes), machine->err.size};
  result.damages_heap = machine->feedback->damages_heap != 0;
  switch (static_cast<Stop>(machine->stop)) {
    case Stop::kExit:
      result.end = RunEnd::kExit;
      result.exit_code = machine->exit_code;
      break;
    case Stop::kSignal:
      result.end = RunEnd::kSignal;
      result.signal = machine->signal;
      break;
    case Stop::kTime:
      result.end = RunEnd::kTime;
      break;
    case Stop::kOutput:
      result.end = RunEnd::kOutput;
      break;
    default:
      break;
  }
  return result;
}

std::span<const uint8_t> LoadedProgram::counters() const {
  return {state_->link.counters_begin, state_->link.counters_end};
}

std::span<const uint32_t> LoadedProgram::marks() const {
  const HeddleFastFeedback& feedback = *state_->machine->feedback;
  return {feedback.marks, std::min<size_t>(feedback.mark_count, HEDDLE_FAST_MOST_MARKS)};
}

std::span<const HeddleFastCompare> LoadedProgram::compares() const {
  const HeddleFastFeedback& feedback = *state_->machine->feedback;
  return {feedback.compares, std::min<size_t>(feedback.compare_count, HEDDLE_FAST_MOST_COMPARES)};
}

std::span<const HeddleFastTexts> LoadedProgram::texts() const {
  const HeddleFastFeedback& feedback = *state_->machine->feedback;
  return {feedback.texts, std::min<size_t>(feedback.text_count, HEDDLE_FAST_MOST_TEXTS)};
}

std::string LoadedProgram::reason() const {
  return stop_reason(*state_->machine);
}

std::vector<uint64_t> LoadedProgram::counter_places() const {
  std::vector<uint64_t> result;
  const HeddleFastLink& link = state_->link;
  for (const uintptr_t* place = link.places_begin; place < link.places_end; place += 2)
    result.push_back(offset_of(*place));
  return result;
}

uint64_t LoadedProgram::offset_of(uint64_t place) const {
  return place - state_->image.base;
}

LoadedProgram::Costs LoadedProgram::costs() const {
  const Machine& machine = *state_->machine;
  return {machine.faults, machine.traps, machine.traps == 0 ? 0 : machine.trap_place - state_->image.base,
          machine.used_count, state_->patched_calls};
}

}  // namespace heddle::fast
