#include "interact/trial/program_runner.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "execute/runtime_location.h"
#include "interact/sandbox/sandbox.h"
#include "interact/trial/executable_kind.h"
#include "interact/trial/report.h"
#include "support/replace_text.h"
#include "symbolize/symbolizer.h"

namespace heddle::interact {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVariationLibrary = "libheddle_variation.so";
constexpr uint64_t kStack = uint64_t{8} << 20;
// Frames of a sanitizer's programs are several times as large.
constexpr uint64_t kSanitizerStack = uint64_t{64} << 20;

bool is_in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
}

// Programs name themselves at the beginning of a line ("cut: no such file") and as "usage: cut …".
std::string without_name(std::string text, const std::string& name) {
  constexpr std::string_view kSelf = "PROGRAM";
  for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at)) {
    const size_t end = at + name.size();
    const bool begins = at == 0 || text[at - 1] == '\n';
    const bool is_usage = at >= 6 && text.compare(at - 6, 6, "sage: ") == 0;
    const bool is_named = (begins && end < text.size() && text[end] == ':') ||
                          (is_usage && (end == text.size() || !is_in_word(text[end])));
    if (is_named) text.replace(at, name.size(), kSelf);
    at += is_named ? kSelf.size() : 1;
  }
  return text;
}

}  // namespace

struct ProgramRunner::State {
  fs::path program;
  RunLimits limits;
  std::string name;
  ExecutableKind kind;
  std::string library;  // to be preloaded; empty if it cannot be
  std::string confinement;
  std::optional<sandbox::Sandbox> sandbox;
  std::unique_ptr<Symbolizer> symbolizer;  // made when it is first needed

  Expected<void> prepare(const fs::path& folder);
  std::vector<std::string> environment(unsigned variation) const;
  Behaviour behaviour(sandbox::End end, const concolic::ProgramInput& input, const std::string& folder);
  void take_files(std::map<std::string, std::string> files, const concolic::ProgramInput& input,
                  const std::string& folder, Behaviour* result) const;
  std::string normal(std::string text, const std::string& folder) const;
  const std::vector<Frame>& name_position(const std::string& module, uint64_t offset);
};

Expected<void> ProgramRunner::State::prepare(const fs::path& folder) {
  std::error_code error;
  program = fs::canonical(program, error);
  if (error || fs::is_directory(program) || ::access(program.c_str(), X_OK) != 0)
    return usage_error(fmt::format("{} is not a program that can be run", program.string()));
  if (limits.file_name.find('/') != std::string::npos)
    return usage_error(
        fmt::format("the input file is to be called {}, but must be in the folder itself: a name "
                    "without a slash is needed",
                    limits.file_name));
  name = limits.program_name.empty() ? program.filename().string() : limits.program_name;
  kind = kind_of_executable(program);
  const Expected<std::string> runtime = find_runtime();
  if (!runtime) return tl::unexpected(runtime.error());
  // Blanks and colons separate the entries of LD_PRELOAD.
  if (kind.takes_preload && runtime->find_first_of(" :") == std::string::npos)
    library = *runtime + "/" + kVariationLibrary;
  sandbox::Options options;
  options.program = program;
  options.folder = folder;
  options.visible = {*runtime};
  options.without_namespaces = limits.no_namespaces;
  Expected<sandbox::Sandbox> made = sandbox::Sandbox::create(std::move(options));
  if (!made) return tl::unexpected(made.error());
  sandbox = std::move(*made);
  confinement = sandbox->lacks();
  return {};
}

std::vector<std::string> ProgramRunner::State::environment(unsigned variation) const {
  std::vector<std::string> result = {"PATH=/usr/bin:/bin", "LANG=C", "LC_ALL=C", "TZ=UTC"};
  const unsigned fill = 1 + (variation * 83 + 6) % 255;
  if (kind.has_sanitizer) {
    const uint64_t megabytes = std::max<uint64_t>(limits.memory >> 20, 1);
    // What heddle names itself needs no program that does it; leaks would need to stop the program by force.
    result.push_back(
        fmt::format("ASAN_OPTIONS=symbolize=0:detect_leaks=0:allocator_may_return_null=1:"
                    "detect_odr_violation=0:verify_asan_link_order=0:handle_abort=0:"
                    "hard_rss_limit_mb={0}:max_allocation_size_mb={0}{1}",
                    megabytes, variation == 0 ? "" : fmt::format(":malloc_fill_byte={}", fill)));
  }
  // Programs that the user builds with it say more, and the others have one variable more.
  result.push_back("UBSAN_OPTIONS=print_stacktrace=1:symbolize=0");
  if (variation == 0) return result;
  result.push_back(fmt::format("HEDDLE_VARIATION={}", variation));
  result.push_back("HEDDLE_PADDING=" + std::string(40 + variation * 37 % 400, 'x'));
  result.push_back(fmt::format("GLIBC_TUNABLES=glibc.malloc.perturb={}", fill));
  if (!library.empty()) result.push_back("LD_PRELOAD=" + library);
  return result;
}

const std::vector<Frame>& ProgramRunner::State::name_position(const std::string& module, uint64_t offset) {
  if (symbolizer == nullptr) symbolizer = make_symbolizer();
  return symbolizer->code({module, ""}, offset);
}

std::string ProgramRunner::State::normal(std::string text, const std::string& folder) const {
  return replaced(replaced(std::move(text), folder, "FOLDER"), program.string(), "PROGRAM");
}

void ProgramRunner::State::take_files(std::map<std::string, std::string> files,
                                      const concolic::ProgramInput& input, const std::string& folder,
                                      Behaviour* result) const {
  if (!limits.file_name.empty()) {
    const auto own = files.find(limits.file_name);
    result->removed_input = own == files.end();
    if (own != files.end() && own->second == input.file) files.erase(own);
  }
  for (auto& [path, content] : files)
    result->files[normal(path, folder)] = without_name(normal(std::move(content), folder), name);
}

Behaviour ProgramRunner::State::behaviour(sandbox::End end, const concolic::ProgramInput& input,
                                          const std::string& folder) {
  Behaviour result;
  const NamedPosition named = [this](const std::string& module,
                                     uint64_t offset) -> const std::vector<Frame>& {
    return name_position(module, offset);
  };
  SplitErrors errors = split_errors(end.err, program.string(), named);
  result.out = normal(std::move(end.out), folder);
  result.err = without_name(normal(std::move(errors.rest), folder), name);
  // Of heddle's limits, not of the program: it would have gone on.
  const bool used_all_time =
      end.signal == SIGXCPU || (end.signal == SIGKILL && end.cpu_time >= limits.timeout);
  result.wrote_too_much = end.wrote_too_much || end.signal == SIGXFSZ;
  result.timed_out = !result.wrote_too_much && (end.timed_out || used_all_time);
  if (result.was_ended()) return result;
  result.exit_code = end.exit_code;
  result.signal = end.ended_helper ? SIGKILL : end.signal;
  result.report = std::move(errors.report);
  take_files(std::move(end.files), input, folder, &result);
  return result;
}

ProgramRunner::ProgramRunner(std::unique_ptr<State> state) : state_(std::move(state)) {}
ProgramRunner::ProgramRunner(ProgramRunner&&) noexcept = default;
ProgramRunner& ProgramRunner::operator=(ProgramRunner&&) noexcept = default;
ProgramRunner::~ProgramRunner() = default;

Expected<ProgramRunner> ProgramRunner::create(const fs::path& program, const fs::path& folder,
                                              const RunLimits& limits) {
  auto state = std::make_unique<State>();
  state->program = program;
  state->limits = limits;
  if (const Expected<void> prepared = state->prepare(folder); !prepared)
    return tl::unexpected(prepared.error());
  return ProgramRunner(std::move(state));
}

Expected<Behaviour> ProgramRunner::run(const concolic::ProgramInput& input, unsigned variation) {
  State& state = *state_;
  sandbox::Run run;
  run.arguments = {state.name};
  run.arguments.insert(run.arguments.end(), input.arguments.begin(), input.arguments.end());
  run.environment = state.environment(variation);
  run.standard_input = input.standard_input;
  run.file_name = state.limits.file_name;
  run.file = input.file;
  run.folder = "heddle.run" + std::string(variation * 5 % 64, static_cast<char>('a' + variation % 26));
  run.process_number = 50 + variation % 200 * 4 + variation % 3;
  run.fixed_addresses = variation == 0;
  run.limits.timeout = state.limits.timeout;
  run.limits.memory = state.kind.has_sanitizer ? 0 : state.limits.memory;
  run.limits.most_output = state.limits.most_output;
  run.limits.stack = state.kind.has_sanitizer ? kSanitizerStack : kStack;
  Expected<sandbox::End> end = state.sandbox->run(run);
  if (!end) return tl::unexpected(end.error());
  return state.behaviour(std::move(*end), input, state.sandbox->path_of(run.folder));
}

const std::string& ProgramRunner::confinement() const {
  return state_->confinement;
}

}  // namespace heddle::interact
