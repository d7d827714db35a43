// `heddle tell-races`: how the runtime tells a race when the program runs without the tool
// (src/runtime/drop_in.h).
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iostream>
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

struct TellOptions {
  std::string arena;
  uint64_t race = 0;
  std::string address;
  std::string pid;
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

// The file that TSAN_OPTIONS names, as ThreadSanitizer reads it: options are separated by colons or blanks.
std::string suppressions_file() {
  const char* options = std::getenv("TSAN_OPTIONS");
  std::string_view text = options != nullptr ? options : "";
  constexpr std::string_view kName = "suppressions=";
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of(": "), text.size());
    if (text.substr(0, end).starts_with(kName)) {
      std::string_view value = text.substr(kName.size(), end - kName.size());
      const bool is_quoted =
          value.size() > 1 && value.front() == value.back() && (value[0] == '"' || value[0] == '\'');
      return std::string(is_quoted ? value.substr(1, value.size() - 2) : value);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return "";
}

Expected<Suppressions> read_suppressions() {
  Suppressions suppressions = Suppressions::built_in();
  const std::string file = suppressions_file();
  if (file.empty()) return suppressions;
  const Expected<Suppressions> read = Suppressions::read(file);
  if (!read) return tl::unexpected(read.error());
  suppressions.add(*read);
  return suppressions;
}

Expected<int> tell(const TellOptions& options) {
  const Expected<trace::Trace> trace = open_arena(options.arena);
  if (!trace) return tl::unexpected(trace.error());
  if (options.race >= trace->races().size()) return usage_error("there is no such race");
  if (trace::validate(*trace)) return usage_error("the record of this execution is damaged");
  Expected<Suppressions> suppressions = read_suppressions();
  if (!suppressions) return tl::unexpected(suppressions.error());
  const std::unique_ptr<Symbolizer> symbolizer = make_symbolizer();
  ReportContext context(*trace, *symbolizer);
  const trace::RaceRecord& race = trace->races()[options.race];
  if (suppressions->suppress(suppressible(context, tell_race(context, race), trace::OutcomeKind::kRace)))
    return 0;
  const TsanProcess process{.pid = options.pid, .address = std::stoull(options.address, nullptr, 16)};
  for (const std::string& line : tsan_report(context, race, process)) std::cerr << line << '\n';
  return 1;
}

}  // namespace

void add_tell_races_command(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand("tell-races", "")->group("");
  auto options = std::make_shared<TellOptions>();
  command->add_option("--arena", options->arena)->required();
  command->add_option("--race", options->race)->required();
  command->add_option("--address", options->address)->required();
  command->add_option("--pid", options->pid)->required();
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
