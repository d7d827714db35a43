// `heddle tell-races`: how the runtime tells a race when the program runs without the tool
// (src/runtime/drop_in.h).
#include <sys/mman.h>

#include <cstring>
#include <iostream>
#include <memory>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ostream.h>

#include "cli/command_line.h"
#include "execute/unique_fd.h"
#include "symbolize/trace_symbols.h"
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

// Prints in the layout of ThreadSanitizer's reports, which IDEs parse.
class Teller {
 public:
  Teller(const trace::Trace& trace, Symbolizer& symbolizer) : trace_(trace), symbolizer_(symbolizer) {}

  void tell(const trace::RaceRecord& race, uint64_t address, const std::string& pid) {
    using enum trace::EventKind;
    const bool on_vptr = (race.second.flags & trace::event_flag::kVptr) != 0;
    const std::string_view kind = race.first.kind == kFree ? "heap-use-after-free"
                                  : on_vptr                ? "data race on vptr (ctor/dtor vs virtual call)"
                                                           : "data race";
    out("==================\nWARNING: ThreadSanitizer: {} (pid={})\n", kind, pid);
    tell(race.second, false, address);
    tell(race.first, true, address + (race.first.offset - race.second.offset));
    tell_location(race, address);
    for (const uint32_t thread : {race.second.thread, race.first.thread}) tell_thread(thread);
    const auto& frames = frames_of(race.second.site);
    const Frame unknown;
    const Frame& top = frames.empty() ? unknown : frames.front();
    out("SUMMARY: ThreadSanitizer: {} {} in {}\n==================\n", kind, position_of(top), top.function);
    std::cerr.flush();
  }

 private:
  template <typename... Arguments>
  void out(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::print(std::cerr, format, std::forward<Arguments>(arguments)...);
  }

  static std::string thread_of(uint32_t thread) {
    return thread == 0 ? "main thread" : fmt::format("thread T{}", thread);
  }

  static std::string position_of(const Frame& frame) {
    if (frame.file.empty()) return "<null>";
    return frame.column == 0 ? fmt::format("{}:{}", frame.file, frame.line)
                             : fmt::format("{}:{}:{}", frame.file, frame.line, frame.column);
  }

  ModuleName module_of(const trace::SiteRecord& site) const {
    const trace::ModuleRecord& module = trace_.modules()[site.module];
    return {std::string(trace_.string(module.path)), std::string(trace_.string(module.build_id))};
  }

  const std::vector<Frame>& frames_of(uint32_t site) {
    const trace::SiteRecord& record = trace_.sites()[site];
    return symbolizer_.code(module_of(record), record.offset);
  }

  void tell_stack(uint32_t site, uint32_t context) {
    int number = 0;
    const auto tell_site = [&](uint32_t index) {
      if (index == 0) return;
      const trace::SiteRecord& record = trace_.sites()[index];
      const std::string place = module_offset_text(module_of(record).path, record.offset);
      for (const Frame& frame : frames_of(index))
        out("    #{} {} {} ({})\n", number++, frame.function, position_of(frame), place);
    };
    tell_site(site);
    for (; context != 0; context = trace_.contexts()[context].parent)
      tell_site(trace_.contexts()[context].call_site);
    out("\n");
  }

  void tell(const trace::RaceAccess& access, bool previous, uint64_t address) {
    using enum trace::EventKind;
    std::string verb = access.kind == kFree         ? "free"
                       : access.kind == kRead       ? "read"
                       : access.kind == kAtomicRead ? "atomic read"
                       : access.kind == kWrite      ? "write"
                                                    : "atomic write";
    if (previous)
      verb = "Previous " + verb;
    else
      verb[0] = static_cast<char>(verb[0] - 'a' + 'A');
    out("  {} of size {} at {:#x} by {}:\n", verb, access.size, address, thread_of(access.thread));
    tell_stack(access.site, access.context);
  }

  void tell_location(const trace::RaceRecord& race, uint64_t address) {
    const trace::ObjectRecord& object = trace_.objects()[race.object];
    switch (object.kind) {
      case trace::ObjectKind::kHeap:
        out("  Location is heap block of size {} at {:#x} allocated at:\n", object.size,
            address - race.second.offset);
        tell_stack(object.site, object.context);
        break;
      case trace::ObjectKind::kGlobal: {
        const trace::ModuleRecord& record = trace_.modules()[object.owner];
        const ModuleName module{std::string(trace_.string(record.path)),
                                std::string(trace_.string(record.build_id))};
        const std::optional<Variable> variable = symbolizer_.data(module, race.second.offset);
        if (variable) {
          out("  Location is global '{}' of size {} at {:#x} ({})\n\n", variable->name, variable->size,
              address - variable->offset, module_offset_text(module.path, race.second.offset));
        } else {
          out("  Location is global at {:#x} ({})\n\n", address,
              module_offset_text(module.path, race.second.offset));
        }
        break;
      }
      case trace::ObjectKind::kStack:
        out("  Location is stack of {}.\n\n", thread_of(object.owner));
        break;
      default:
        break;
    }
  }

  void tell_thread(uint32_t thread) {
    if (thread == 0) return;
    const trace::ThreadRecord& record = trace_.threads()[thread];
    out("  Thread T{} (tid={}, running) created by {} at:\n", thread, thread, thread_of(record.parent));
    tell_stack(record.create_site, record.create_context);
  }

  const trace::Trace& trace_;
  Symbolizer& symbolizer_;
};

Expected<int> tell(const TellOptions& options) {
  const Expected<trace::Trace> trace = open_arena(options.arena);
  if (!trace) return tl::unexpected(trace.error());
  if (options.race >= trace->races().size()) return usage_error("there is no such race");
  if (trace::validate(*trace)) return usage_error("the record of this execution is damaged");
  const std::unique_ptr<Symbolizer> symbolizer = make_symbolizer();
  Teller(*trace, *symbolizer)
      .tell(trace->races()[options.race], std::stoull(options.address, nullptr, 16), options.pid);
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
