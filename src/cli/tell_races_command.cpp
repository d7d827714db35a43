// `heddle tell-races`: how the runtime tells a race when the program runs without the tool
// (src/runtime/drop_in.h).
#include <sys/mman.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>

#include <fcntl.h>
#include <fmt/format.h>

#include "cli/command_line.h"
#include "execute/unique_fd.h"
#include "report/suppressible_story.h"
#include "report/tellers.h"
#include "report/tsan_text.h"
#include "trace/arena.h"
#include "trace/trace.h"
#include "trace/validate.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

struct TellOptions {
  std::string arena;  // empty: print what matched
  uint64_t race = 0;
  std::string address = "0";
  std::string pid;
  std::string suppressions;          // as in TSAN_OPTIONS
  std::string default_suppressions;  // a file with the text that the program has for it
  std::string matched;               // a file of suppressions that matched, a line each time
};

// The runtime takes this for "could not": other exit codes are numbers of reports.
constexpr int kCannotTell = 125;

// The tables in the file; they stay mapped until the process ends.
Expected<trace::Trace> open_arena(const std::string& path) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return usage_error(fmt::format("cannot open the arena {}: {}", path, std::strerror(errno)));
  const off_t size = ::lseek(fd.get(), 0, SEEK_END);
  if (size < static_cast<off_t>(sizeof(trace::ArenaHeader)))
    return usage_error(fmt::format("{} is too short for an arena", path));
  void* mapped =
      ::mmap(nullptr, static_cast<size_t>(size), PROT_READ, MAP_PRIVATE | MAP_NORESERVE, fd.get(), 0);
  if (mapped == MAP_FAILED) return usage_error(fmt::format("cannot map the arena {}", path));
  const auto* header = static_cast<const trace::ArenaHeader*>(mapped);
  if (std::memcmp(header->magic, trace::kArenaMagic, sizeof trace::kArenaMagic) != 0 ||
      header->version != trace::kFormatVersion) {
    return usage_error(fmt::format("{} is no arena of this version of heddle", path));
  }
  return trace::Trace::view_of(header, static_cast<uint64_t>(size));
}

// As ThreadSanitizer finds it: from the current folder, else from that of the program.
std::string find_file(const std::string& name, const std::string& pid) {
  std::error_code none;
  if (name.empty() || name.starts_with('/') || fs::exists(name, none)) return name;
  const fs::path beside = fs::read_symlink("/proc/" + pid + "/exe", none).parent_path() / name;
  return fs::exists(beside, none) ? beside.string() : name;
}

Expected<Suppressions> read_suppressions(const TellOptions& options) {
  Suppressions suppressions = Suppressions::built_in();
  for (const std::string& file :
       {find_file(options.suppressions, options.pid), options.default_suppressions}) {
    if (file.empty()) continue;
    const Expected<Suppressions> read = Suppressions::read(file);
    if (!read) return tl::unexpected(read.error());
    suppressions.add(*read);
  }
  return suppressions;
}

void add_matched(const Suppressions& suppressions, const std::string& file) {
  std::ofstream out(file, std::ios::app);
  for (const Suppression& suppression : suppressions.all())
    if (suppression.hits > 0 && !suppression.is_built_in) out << suppression.text() << '\n';
}

// In the words of ThreadSanitizer's print_suppressions.
int print_matched(const TellOptions& options) {
  std::map<std::string, uint64_t> hits;
  std::ifstream in(options.matched);
  uint64_t all = 0;
  for (std::string line; std::getline(in, line); ++all) ++hits[line];
  if (all == 0) return 0;
  std::cerr << fmt::format("ThreadSanitizer: Matched {} suppressions (pid={}):\n", all, options.pid);
  for (const auto& [text, count] : hits) std::cerr << fmt::format("{} {}\n", count, text);
  return 0;
}

Expected<int> tell(const TellOptions& options) {
  if (options.arena.empty()) return print_matched(options);
  const Expected<trace::Trace> trace = open_arena(options.arena);
  if (!trace) return tl::unexpected(trace.error());
  if (options.race >= trace->races().size()) return usage_error("there is no such race");
  if (trace::validate(*trace)) return usage_error("the record of this execution is damaged");
  Expected<Suppressions> suppressions = read_suppressions(options);
  if (!suppressions) return tl::unexpected(suppressions.error());
  const std::unique_ptr<Symbolizer> symbolizer = make_symbolizer();
  ReportContext context(*trace, *symbolizer);
  const trace::RaceRecord& race = trace->races()[options.race];
  if (suppressions->suppress(suppressible(context, tell_race(context, race), trace::OutcomeKind::kRace))) {
    if (!options.matched.empty()) add_matched(*suppressions, options.matched);
    return 0;
  }
  const TsanProcess process{.pid = options.pid, .address = std::stoull(options.address, nullptr, 16)};
  for (const std::string& line : tsan_report(context, race, process)) std::cerr << line << '\n';
  return 1;
}

}  // namespace

void add_tell_races_command(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand("tell-races", "")->group("");
  auto options = std::make_shared<TellOptions>();
  command->add_option("--arena", options->arena);
  command->add_option("--race", options->race);
  command->add_option("--address", options->address);
  command->add_option("--pid", options->pid)->required();
  command->add_option("--suppressions", options->suppressions);
  command->add_option("--default-suppressions", options->default_suppressions);
  command->add_option("--matched", options->matched);
  command->callback([&invocation, options] {
    invocation.action = [options]() -> Expected<int> {
      const Expected<int> reports = tell(*options);
      if (reports) return reports;
      say(reports.error().message);
      return kCannotTell;
    };
  });
}

}  // namespace heddle
