#include "runtime/schedule_text.h"

#include <fcntl.h>

#include "runtime/address_space.h"
#include "runtime/modules.h"
#include "runtime/sys.h"
#include "trace/hash.h"

namespace heddle::rt {
namespace {

using trace::ArenaTableId;
using trace::PointKind;
using trace::PointRecord;
using trace::ScheduleThreadRecord;
using trace::StepKind;
using trace::StepRecord;
using trace::TableId;

inline constexpr size_t kMaxCommand = 64 * 1024;
inline constexpr size_t kMaxDirectory = 4096;
inline constexpr size_t kMaxLine = 1024;  // of one choice or point; deeper nests of threads are cut off

bool is_bare(char c) {
  return c > ' ' && c <= '~' && c != '"' && c != '\\' && c != '#';
}
bool is_bare(const char* word) {
  for (const char* c = word; *c != 0; ++c) {
    if (!is_bare(*c)) return false;
  }
  return *word != 0;
}

void add_quoted(const char* word, Text* text) {
  text->add("\"");
  for (; *word != 0; ++word) {
    const auto byte = static_cast<unsigned char>(*word);
    const char plain[] = {*word, 0};
    if (*word == '\n')
      text->add("\\n");
    else if (*word == '\t')
      text->add("\\t");
    else if (*word == '"' || *word == '\\')
      text->add("\\").add(plain);
    else if (byte >= ' ' && byte <= '~')
      text->add(plain);
    else
      text->add(byte < 16 ? "\\x0" : "\\x").add(byte, 16);
  }
  text->add("\"");
}

void add_word(const char* word, Text* text) {
  if (is_bare(word))
    text->add(word);
  else
    add_quoted(word, text);
}

void add_command(bool moves_along, Text* text) {
  static char* words = static_cast<char*>(own_memory(kMaxCommand));
  const long fd = sys_call(SYS_open, reinterpret_cast<long>("/proc/self/cmdline"), O_RDONLY | O_CLOEXEC);
  const long size = fd < 0 ? 0 : sys_call(SYS_read, fd, reinterpret_cast<long>(words), kMaxCommand - 1);
  if (fd >= 0) sys_call(SYS_close, fd);
  words[size > 0 ? size : 0] = 0;
  for (long at = 0; at < size; at += static_cast<long>(text_length(words + at)) + 1) {
    text->add(at == 0 ? "command " : "argument ");
    add_word(words + at, text);
    text->add("\n");
  }
  char directory[kMaxDirectory] = ".";
  if (moves_along || sys_call(SYS_getcwd, reinterpret_cast<long>(directory), sizeof directory) > 0) {
    text->add("directory ");
    add_word(directory, text);
    text->add("\n");
  }
}

void add_key(uint64_t key, Text* text) {
  for (int shift = 60; shift >= 0; shift -= 4) text->add(key >> shift & 15, 16);
}

const char* file_name(const char* path) {
  const char* name = path;
  for (; *path != 0; ++path) {
    if (*path == '/') name = path + 1;
  }
  return name;
}

bool add_module_name(uint64_t key, Text* text) {
  for (uint32_t i = 0; i < module_count(); ++i) {
    const char* name = file_name(module_path(i));
    if (module_at(i).name_hash != key || !is_bare(name) || text_length(name) == 16) continue;
    text->add(name);
    return true;
  }
  return false;
}

bool add_thread_name(uint64_t key, Text* text) {
  for (uint32_t i = 0; i < rt.fiber_count; ++i) {
    if (rt.fibers[i]->path_hash != key) continue;
    add_thread_path(i, text);
    return true;
  }
  return false;
}

void add_point(const PointRecord& point, Text* text) {
  static const char* const kKinds[] = {"  global ", "  heap ", "  stack ", "  unknown "};
  text->add(kKinds[static_cast<size_t>(point.kind)]);
  const bool named = (point.kind == PointKind::kGlobal && add_module_name(point.key, text)) ||
                     (point.kind == PointKind::kStack && add_thread_name(point.key, text));
  if (!named && point.kind != PointKind::kUnknown) add_key(point.key, text);
  const bool hexadecimal = point.kind == PointKind::kGlobal || point.kind == PointKind::kUnknown;
  text->add(point.kind == PointKind::kUnknown ? "+" : " +").add(hexadecimal ? "0x" : "");
  text->add(point.offset, hexadecimal ? 16 : 10).add(" ");
  if (point.length == 0)
    text->add("whole");
  else
    text->add(point.length);
  if (point.grade == trace::PointGrade::kHandedOver) text->add(" handed-over");
  text->add("\n");
}

// As the tool prints them (trace/names.cpp). An entry for every StepKind.
constexpr const char* kStepWords[] = {"run", "timeout", "wake", "spurious", "fail-allocation"};
static_assert(sizeof kStepWords / sizeof *kStepWords == static_cast<size_t>(StepKind::kCount));

bool has_count(StepKind kind) {
  return kind == StepKind::kRun || kind == StepKind::kFail;
}

void add_step(const StepRecord& step, Text* text) {
  text->add("  ");
  if (step.kind != StepKind::kRun) text->add(kStepWords[static_cast<size_t>(step.kind)]).add(" ");
  add_thread_path(step.thread, text);
  if (has_count(step.kind)) text->add(" ").add(step.count);
  text->add("\n");
}

uint64_t choices(const StepRecord* steps, uint64_t count) {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < count; ++i) sum += steps[i].kind == StepKind::kRun ? steps[i].count : 1;
  return sum;
}

}  // namespace

void add_thread_path(uint32_t thread, Text* text) {
  const auto* threads = table<trace::ThreadRecord>(TableId::kThreads);
  if (thread == 0) {
    text->add("main");
    return;
  }
  add_thread_path(threads[thread].parent, text);
  text->add("/").add(threads[thread].ordinal);
}

const char* print_schedule(const ScheduleTitle& title, uint64_t point_count) {
  static char* buffer;
  static size_t room;
  const uint64_t step_count = descriptor(TableId::kSteps).count;
  const size_t needed = 2 * kMaxCommand * 4 + (point_count + step_count) * kMaxLine;
  if (needed > room) {
    if (buffer != nullptr) drop_own_memory(buffer, room);
    buffer = static_cast<char*>(own_memory(needed));
    room = needed;
  }
  Text text(buffer, room);
  text.add("heddle-schedule 1\n");
  if (module_build_id(0)[0] != 0) text.add("build-id ").add(module_build_id(0)).add("\n");
  add_command(title.moves_along, &text);
  text.add("exploration ").add(title.number).add(" ");
  add_word(title.name, &text);
  if (title.first) text.add(" first");
  text.add("\npolicy ").add(title.policy).add(" seed ").add(title.seed);
  text.add("\nthen nonpreemptive\nfailure ").add(title.failure).add("\nmessage ");
  add_quoted(title.message, &text);
  text.add("\nmax-steps ").add(rt.request.max_steps);
  if ((rt.arena->request.flags & trace::request_flag::kDetectRaces) != 0) text.add("\ndetect race");
  text.add("\npoints ").add(point_count).add("\n");
  const auto* points = table<PointRecord>(ArenaTableId::kInputPoints);
  for (uint64_t i = 0; i < point_count; ++i) add_point(points[i], &text);
  const auto* steps = table<StepRecord>(TableId::kSteps);
  text.add("choices ").add(choices(steps, step_count)).add("\n");
  for (uint64_t i = 0; i < step_count; ++i) add_step(steps[i], &text);
  text.add("end\n");
  return buffer;
}

namespace {

// The words of a text, line by line. Nothing that a replay needs is quoted.
class Reader {
 public:
  explicit Reader(const char* text) : at_(text) {}

  // Goes to the next line that has words; false at the end.
  bool next_line() {
    if (begun_) {
      while (*at_ != 0 && *at_ != '\n') ++at_;
    }
    begun_ = true;
    for (;;) {
      while (*at_ == ' ' || *at_ == '\t' || *at_ == '\r' || *at_ == '\n') ++at_;
      if (*at_ != '#') return *at_ != 0;
      while (*at_ != 0 && *at_ != '\n') ++at_;
    }
  }
  // The next word of the line; empty at its end.
  const char* word() {
    while (*at_ == ' ' || *at_ == '\t' || *at_ == '\r') ++at_;
    size_t size = 0;
    while (is_bare(*at_)) {
      if (size + 1 < sizeof word_) word_[size++] = *at_;
      ++at_;
    }
    word_[size] = 0;
    return word_;
  }

  // The next word, which may be quoted.
  void skip_word() {
    word();
    if (*at_ != '"') return;
    for (++at_; *at_ != 0 && *at_ != '\n' && *at_ != '"'; ++at_) {
      if (*at_ == '\\' && at_[1] != 0) ++at_;
    }
    if (*at_ == '"') ++at_;
  }

 private:
  const char* at_;
  bool begun_ = false;
  char word_[kMaxLine];
};

bool take_digits(const char** text, unsigned base, uint64_t* number) {
  const char* const begin = *text;
  for (*number = 0;; ++*text) {
    const char c = **text;
    unsigned digit = base;
    if (c >= '0' && c <= '9') digit = static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f') digit = static_cast<unsigned>(c - 'a') + 10;
    if (digit >= base) return *text != begin;
    *number = *number * base + digit;
  }
}

bool read_number(const char* text, uint64_t* number) {
  const bool hexadecimal = text_starts(text, "0x");
  if (hexadecimal) text += 2;
  return take_digits(&text, hexadecimal ? 16 : 10, number) && *text == 0;
}

bool read_key(const char* text, uint64_t* key) {
  return text_length(text) == 16 && take_digits(&text, 16, key) && *text == 0;
}

// "main/1/2" as an entry of kInputThreads, which is made if there is none.
bool read_thread(const char* path, uint32_t* entry) {
  if (!text_starts(path, "main")) return false;
  auto& count = descriptor(ArenaTableId::kInputThreads).count;
  auto* threads = table<ScheduleThreadRecord>(ArenaTableId::kInputThreads);
  if (count == 0) append(ArenaTableId::kInputThreads, ScheduleThreadRecord{});
  uint32_t at = 0;
  for (path += 4; *path == '/';) {
    uint64_t ordinal;
    if (!take_digits(&++path, 10, &ordinal)) return false;
    uint32_t child = 1;
    while (child < count && (threads[child].parent != at || threads[child].ordinal != ordinal)) ++child;
    if (child >= count &&
        !append(ArenaTableId::kInputThreads, ScheduleThreadRecord{at, static_cast<uint32_t>(ordinal)})) {
      return false;
    }
    at = child;
  }
  *entry = at;
  return *path == 0;
}

bool read_point(const char* kind, Reader* reader) {
  PointRecord point{};
  if (text_equal(kind, "global"))
    point.kind = PointKind::kGlobal;
  else if (text_equal(kind, "heap"))
    point.kind = PointKind::kHeap;
  else if (text_equal(kind, "stack"))
    point.kind = PointKind::kStack;
  else
    point.kind = PointKind::kUnknown;
  if (point.kind != PointKind::kUnknown) {
    const char* owner = reader->word();
    if (!read_key(owner, &point.key)) point.key = trace::fnv1a(owner, text_length(owner));
  }
  const char* offset = reader->word();
  if (*offset != '+' || !read_number(offset + 1, &point.offset)) return false;
  uint64_t length = 0;
  const char* length_text = reader->word();
  if (!text_equal(length_text, "whole") && !read_number(length_text, &length)) return false;
  point.length = static_cast<uint32_t>(length);
  if (text_equal(reader->word(), "handed-over")) point.grade = trace::PointGrade::kHandedOver;
  return append(ArenaTableId::kInputPoints, point);
}

bool read_step(const char* first, Reader* reader) {
  StepRecord step{0, StepKind::kRun, 1, 0};
  for (const StepKind kind : {StepKind::kTimeout, StepKind::kWake, StepKind::kSpurious, StepKind::kFail}) {
    if (text_equal(first, kStepWords[static_cast<size_t>(kind)])) step.kind = kind;
  }
  if (!read_thread(step.kind == StepKind::kRun ? first : reader->word(), &step.thread)) return false;
  uint64_t count = 1;
  if (has_count(step.kind) && (!read_number(reader->word(), &count) || count == 0)) return false;
  step.count = static_cast<uint32_t>(count);
  return append(ArenaTableId::kInputSteps, step);
}

}  // namespace

const char* parse_schedule(const char* text, bool* first_execution) {
  *first_execution = false;
  Reader reader(text);
  if (!reader.next_line() || !text_equal(reader.word(), "heddle-schedule") || !text_equal(reader.word(), "1"))
    return "it does not begin with 'heddle-schedule 1'";
  enum { kFields, kPoints, kChoices } section = kFields;
  while (reader.next_line()) {
    char first[kMaxLine];
    Text(first, sizeof first).add(reader.word());
    if (text_equal(first, "end")) return nullptr;
    if (text_equal(first, "exploration")) {
      reader.skip_word();  // its number
      reader.skip_word();  // its name
      *first_execution = text_equal(reader.word(), "first");
    } else if (text_equal(first, "points")) {
      section = kPoints;
    } else if (text_equal(first, "choices")) {
      section = kChoices;
    } else if (text_equal(first, "detect")) {  // "race": nothing else can be
      rt.arena->request.flags |= trace::request_flag::kDetectRaces;
    } else if (text_equal(first, "max-steps")) {
      if (!read_number(reader.word(), &rt.arena->request.max_steps)) return "max-steps has no number";
    } else if (section == kPoints) {
      if (!read_point(first, &reader)) return "a line of its points cannot be read";
    } else if (section == kChoices) {
      if (!read_step(first, &reader)) return "a line of its choices cannot be read";
    }
  }
  return "it is truncated: there is no 'end'";
}

}  // namespace heddle::rt
