#include "runtime/drop_in.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include "runtime/address_space.h"
#include "runtime/modules.h"
#include "runtime/startup.h"
#include "runtime/sync.h"

// The program may have one, as for ThreadSanitizer.
extern "C" __attribute__((weak, visibility("default"))) const char* __tsan_default_suppressions();

namespace heddle::rt {
namespace {

using trace::EventKind;
using trace::TableId;

inline constexpr int kLastCount = 100;  // exit codes of `heddle tell-races` up to it are numbers of reports
inline constexpr size_t kMaxWords = 4096;  // of the environment

inline constexpr long kMatchedFd = 900;  // or above it: programs care for the small numbers

char** process_environment;
const char* own_suppressions;    // of the program
long matched;                    // a file of the suppressions that matched, a line each time; 0: none yet
HEDDLE_EXECUTION uint64_t told;  // unsuppressed races

bool is_ours(const char* variable) {
  return text_starts(variable, "LD_PRELOAD=") || text_starts(variable, "LD_LIBRARY_PATH=") ||
         text_starts(variable, "HEDDLE_OPTIONS=");
}

bool exists(const char* path) {
  return sys_call(SYS_access, address_of(path), 1 /* X_OK */) == 0;
}

// The tool beside this library: lib/heddle and bin, or lib/<architecture>/heddle and bin.
bool find_tool(char* path, size_t size) {
  if (const char* given = environment_value(process_environment, "HEDDLE_TOOL")) {
    Text(path, size).add(given);
    return exists(path);
  }
  const int own = module_of(reinterpret_cast<uintptr_t>(&drop_in_tell_race));
  if (own < 0) return false;
  Text(path, size).add(module_path(static_cast<uint32_t>(own)));
  for (int levels = 0; levels < 4; ++levels) {
    size_t end = text_length(path);
    while (end > 0 && path[end - 1] != '/') --end;
    if (end == 0) return false;
    path[end - 1] = 0;
    char candidate[4096];
    Text(candidate, sizeof candidate).add(path).add("/bin/heddle");
    if (!exists(candidate)) continue;
    Text(path, size).add(candidate);
    return true;
  }
  return false;
}

bool write_at(long fd, uint64_t offset, const void* data, uint64_t size) {
  const char* from = static_cast<const char*>(data);
  while (size > 0) {
    const long n =
        sys_call(SYS_pwrite64, fd, address_of(from), static_cast<long>(size), static_cast<long>(offset));
    if (n <= 0) return false;
    from += n;
    offset += static_cast<uint64_t>(n);
    size -= static_cast<uint64_t>(n);
  }
  return true;
}

// A file without a name that the tool inherits. -1 if there can be none.
long new_file() {
  return sys_call(SYS_memfd_create, address_of("heddle"), 0);
}

long text_as_file(const char* text) {
  const long fd = new_file();
  if (fd >= 0) write_at(fd, 0, text, text_length(text));
  return fd;
}

// The tables as a file, as the tool knows them. -1 if there can be none.
long copy_arena() {
  const long fd = new_file();
  if (fd < 0) return -1;
  rt.arena->version = trace::kFormatVersion;
  for (size_t i = 0; i < sizeof trace::kArenaMagic; ++i) rt.arena->magic[i] = trace::kArenaMagic[i];
  bool good = sys_call(SYS_ftruncate, fd, static_cast<long>(rt.arena->arena_size)) == 0 &&
              write_at(fd, 0, rt.arena, sizeof *rt.arena);
  const auto copy_table = [&](TableId id, size_t record_size) {
    const trace::TableRecord& table = descriptor(id);
    const uint64_t count = table.count < table.capacity ? table.count : table.capacity;
    good = good && write_at(fd, table.offset, in_arena(table.offset), count * record_size);
  };
  copy_table(TableId::kStrings, 1);
  copy_table(TableId::kModules, sizeof(trace::ModuleRecord));
  copy_table(TableId::kThreads, sizeof(trace::ThreadRecord));
  copy_table(TableId::kSites, sizeof(trace::SiteRecord));
  copy_table(TableId::kContexts, sizeof(trace::ContextRecord));
  copy_table(TableId::kObjects, sizeof(trace::ObjectRecord));
  copy_table(TableId::kRaces, sizeof(trace::RaceRecord));
  if (good) return fd;
  sys_call(SYS_close, fd);
  return -1;
}

// Where reports go: 2, or the file that log_path names, with the process id as ThreadSanitizer appends it.
long open_log() {
  if (text_equal(options.log_path, "stderr")) return 2;
  if (text_equal(options.log_path, "stdout")) return 1;
  char path[4096];
  Text(path, sizeof path).add(options.log_path).add(".").add(static_cast<uint64_t>(sys_call(SYS_getpid)));
  const long fd = sys_call(SYS_open, address_of(path), O_WRONLY | O_CREAT | O_APPEND, 0644);
  return fd < 0 ? 2 : fd;
}

// The child's part: becomes the tool.
[[noreturn]] void run_tool(const char* tool, const char* const* words, long log) {
  uint64_t no_signals = 0;
  sys_call(SYS_rt_sigprocmask, SIG_SETMASK, address_of(&no_signals), 0, sizeof no_signals);
  if (log != 2) sys_call(SYS_dup2, log, 2);
  static const char* environment[kMaxWords + 1];
  size_t count = 0;
  for (char** at = process_environment; at != nullptr && *at != nullptr && count < kMaxWords; ++at) {
    if (!is_ours(*at)) environment[count++] = *at;
  }
  environment[count] = nullptr;
  if (matched > 0) sys_call(SYS_fcntl, matched, F_SETFD, 0);
  sys_call(SYS_execve, address_of(tool), address_of(words), address_of(environment));
  sys_exit_group(127);
}

// The words of a command of the tool.
class ToolCommand {
 public:
  ToolCommand() {
    words_[count_++] = path_;
    add("tell-races");
    add_number("--pid", static_cast<uint64_t>(sys_call(SYS_getpid)));
  }
  void add(const char* word) { words_[count_++] = word; }
  void add(const char* option, const char* value) {
    add(option);
    add(value);
  }
  void add_number(const char* option, uint64_t value, unsigned base = 10) {
    char* text = texts_[text_count_++];
    Text(text, kTextRoom).add(base == 16 ? "0x" : "").add(value, base);
    add(option, text);
  }
  void add_file(const char* option, long fd) {
    char* text = texts_[text_count_++];
    Text(text, kTextRoom).add("/proc/self/fd/").add(static_cast<uint64_t>(fd));
    add(option, text);
  }

  // Its exit code, or -1 if it could not be run.
  int run(long log) {
    if (!find_tool(path_, sizeof path_)) return -1;
    // No signal at its end, and no child that the program could wait for.
    const long child = sys_call(SYS_clone, 0, 0, 0, 0, 0);
    if (child == 0) run_tool(path_, words_, log);
    if (child < 0) return -1;
    int status = -1;
    long waited;
    do waited = sys_call(SYS_wait4, child, address_of(&status), __WALL, 0);
    while (waited == -4 /* EINTR */);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  static constexpr size_t kTextRoom = 32;

  char path_[4096];
  const char* words_[24] = {};
  size_t count_ = 0;
  char texts_[8][kTextRoom];
  size_t text_count_ = 0;
};

// The file of `matched`; -1 if nobody wants it.
long matched_file() {
  if (options.print_suppressions == 0) return -1;
  if (matched == 0) {
    const long fd = new_file();
    matched = fd < 0 ? -1 : sys_call(SYS_fcntl, fd, F_DUPFD_CLOEXEC, kMatchedFd);
    if (fd >= 0) sys_call(SYS_close, fd);
  }
  return matched;
}

// The number of unsuppressed reports, or -1 if the tool could not be asked.
int ask_tool(uint64_t number, uintptr_t address, long log) {
  const long arena = copy_arena();
  if (arena < 0) return -1;
  ToolCommand command;
  command.add_file("--arena", arena);
  command.add_number("--race", number);
  command.add_number("--address", address, 16);
  if (options.suppressions[0] != 0) command.add("--suppressions", options.suppressions);
  const long own = own_suppressions != nullptr ? text_as_file(own_suppressions) : -1;
  if (own >= 0) command.add_file("--default-suppressions", own);
  if (matched_file() >= 0) command.add_file("--matched", matched);
  const int code = command.run(log);
  sys_call(SYS_close, arena);
  if (own >= 0) sys_call(SYS_close, own);
  return code <= kLastCount ? code : -1;
}

void print_matched() {
  if (matched <= 0) return;
  ToolCommand command;
  command.add_file("--matched", matched);
  command.run(2);
}

void add_frame(Text& text, unsigned number, uint32_t site) {
  const trace::SiteRecord& record = table<trace::SiteRecord>(TableId::kSites)[site];
  text.add("    #").add(number).add(" <null> <null> (");
  const char* path = module_path(record.module);
  for (const char* at = path; *at != 0; ++at) {
    if (*at == '/') path = at + 1;
  }
  text.add(path).add("+0x").add(record.offset, 16).add(")\n");
}

void add_stack(Text& text, uint32_t site, uint32_t context) {
  unsigned number = 0;
  if (site != 0) add_frame(text, number++, site);
  for (; context != 0 && number < 32;
       context = table<trace::ContextRecord>(TableId::kContexts)[context].parent) {
    const uint32_t call = table<trace::ContextRecord>(TableId::kContexts)[context].call_site;
    if (call != 0) add_frame(text, number++, call);
  }
  text.add("\n");
}

void add_access(Text& text, const trace::RaceAccess& access, const char* verb, uintptr_t address) {
  text.add("  ").add(verb).add(" of size ").add(access.size).add(" at 0x").add(address, 16).add(" by ");
  if (access.thread == 0)
    text.add("main thread:\n");
  else
    text.add("thread T").add(access.thread).add(":\n");
  add_stack(text, access.site, access.context);
}

const char* verb_of(EventKind kind, bool previous) {
  switch (kind) {
    case EventKind::kFree:
      return previous ? "Previous free" : "Free";
    case EventKind::kRead:
      return previous ? "Previous read" : "Read";
    case EventKind::kAtomicRead:
      return previous ? "Previous atomic read" : "Atomic read";
    case EventKind::kWrite:
      return previous ? "Previous write" : "Write";
    default:
      return previous ? "Previous atomic write" : "Atomic write";
  }
}

// The report without names.
void print_race(const trace::RaceRecord& race, uintptr_t address, long log) {
  static char buffer[16384];
  Text text(buffer, sizeof buffer);
  const char* kind = race.first.kind == EventKind::kFree ? "heap-use-after-free" : "data race";
  text.add("==================\nWARNING: ThreadSanitizer: ").add(kind).add(" (pid=");
  text.add(static_cast<uint64_t>(sys_call(SYS_getpid))).add(")\n");
  add_access(text, race.second, verb_of(race.second.kind, false), address);
  add_access(text, race.first, verb_of(race.first.kind, true),
             address + (race.first.offset - race.second.offset));
  text.add("SUMMARY: ThreadSanitizer: ").add(kind).add("\n==================\n");
  sys_write(static_cast<int>(log), buffer, text.size());
}

}  // namespace

void drop_in_init(char** environment) {
  process_environment = environment;
  if (__tsan_default_suppressions != nullptr) own_suppressions = __tsan_default_suppressions();
}

bool drop_in_tell_race(uint64_t number, uintptr_t address) {
  if (options.report_bugs == 0) return true;
  InsideScope inside;
  const long log = open_log();
  int reports = ask_tool(number, address, log);
  if (reports < 0) {
    print_race(table<trace::RaceRecord>(TableId::kRaces)[number], address, log);
    reports = 1;
  }
  if (log > 2) sys_call(SYS_close, log);
  told += static_cast<uint64_t>(reports);
  if (reports == 0 || options.halt_on_error == 0) return reports != 0;
  print_matched();
  sys_exit_group(static_cast<int>(options.exitcode));
}

int drop_in_exit_code(int code) {
  {
    InsideScope inside;
    print_matched();
  }
  if (told == 0 || options.exitcode == 0) return code;
  char buffer[128];
  Text text(buffer, sizeof buffer);
  text.add("ThreadSanitizer: reported ").add(told).add(" warnings\n");
  sys_write(2, buffer, text.size());
  return static_cast<int>(options.exitcode);
}

}  // namespace heddle::rt
