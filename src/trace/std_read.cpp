#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "trace/printable.h"
#include "trace/std_text.h"

namespace heddle::trace {
namespace {

constexpr size_t kChunk = 1 << 20;
// Events and what they touch should stay in the cache until they have been looked at.
constexpr size_t kBatch = 2048;
constexpr uint64_t kMaxStrings = (uint64_t{1} << 32) - kMaxStdLine - 2;

// The module that stands for the text; its sites and objects have names instead of offsets.
constexpr std::string_view kStdBuildId = "std";

bool is_digit(char c) {
  return static_cast<unsigned char>(c - '0') < 10;
}
bool is_letter(char c) {
  return static_cast<unsigned char>((c | 0x20) - 'a') < 26;
}

// Terminals obey such characters, and a carriage return alone is what some take for the end of a line.
const char* find_control_character(const char* begin, const char* end) {
  return std::find_if(begin, end,
                      [](char c) { return (static_cast<unsigned char>(c) < ' ' && c != '\t') || c == 0x7f; });
}

// What RAPID's files have besides the six operations; nothing that is analysed here.
bool is_ignored(std::string_view operation) {
  for (const char* known : {"begin", "end", "enter", "exit", "req", "dummy", "branch"})
    if (operation == known) return true;
  return false;
}

EventKind kind_of(std::string_view operation) {
  if (operation == "r") return EventKind::kRead;
  if (operation == "w") return EventKind::kWrite;
  if (operation == "acq") return EventKind::kLock;
  if (operation == "rel") return EventKind::kUnlock;
  if (operation == "fork") return EventKind::kFork;
  if (operation == "join") return EventKind::kJoin;
  return EventKind::kNone;
}

}  // namespace

struct StdReader::Name {
  std::string_view text;
  NameIndex::Numbered numbered{};
  bool is_numbered = false;

  // Takes what can be a numbered name from the beginning of the text and returns where it ends. Whether it is
  // one depends on what follows.
  const char* scan(const char* begin) {
    const char* at = begin;
    numbered = {'0', 0};
    if (is_letter(*at)) numbered.letter = static_cast<unsigned char>(*at++);
    const char* digits = at;
    while (is_digit(*at) && at - digits < 9)
      numbered.number = numbered.number * 10 + static_cast<uint32_t>(*at++ - '0');
    text = {begin, static_cast<size_t>(at - begin)};
    is_numbered = at != digits && (*digits != '0' || at - digits == 1);
    return at;
  }
};

StdReader::StdReader(std::string title, std::optional<InputFile> file)
    : title_(std::move(title)), file_(std::move(file)) {
  tables_.modules.push_back(
      {.path = tables_.add_string(title_), .build_id = tables_.add_string(kStdBuildId), .size = 0});
  tables_.sites.push_back({});
  tables_.contexts.push_back({});
  tables_.objects.push_back({});
}

std::unique_ptr<StdReader> StdReader::over(InputFile file) {
  std::string title = file.title();
  return std::unique_ptr<StdReader>(new StdReader(std::move(title), std::move(file)));
}

std::unique_ptr<StdReader> StdReader::over(std::string_view text, std::string title) {
  std::unique_ptr<StdReader> reader(new StdReader(std::move(title), std::nullopt));
  reader->buffer_.assign(text.begin(), text.end());
  reader->buffer_.push_back('\n');
  reader->at_end_ = true;
  reader->cursor_ = reader->buffer_.data();
  reader->data_end_ = reader->cursor_ + text.size();
  reader->lines_end_ = !text.empty() && text.back() != '\n' ? reader->data_end_ + 1 : reader->data_end_;
  return reader;
}

// The main loop: lines in, events out.
Expected<std::span<const EventRecord>> StdReader::next() {
  events_.clear();
  events_.reserve(kBatch);
  while (!error_ && events_.size() < kBatch) {
    if (cursor_ == lines_end_) {
      if (at_end_) break;
      if (const auto filled = fill(); !filled) error_ = filled.error();
      continue;
    }
    if (parse_line()) line_++;
  }
  // What came before the error is still to be looked at.
  if (error_ && events_.empty()) return tl::unexpected(*error_);
  return std::span<const EventRecord>(events_);
}

// Keeps the line that has only begun, and reads more. The last line may lack its end.
Expected<void> StdReader::fill() {
  if (buffer_.empty()) buffer_.resize(kChunk + kMaxStdLine + 1);
  const size_t kept = static_cast<size_t>(data_end_ - cursor_);
  if (kept > kMaxStdLine) {
    fail(cursor_ + kMaxStdLine, fmt::format("the line is longer than {} bytes", kMaxStdLine));
    return {};
  }
  if (kept > 0) std::memmove(buffer_.data(), cursor_, kept);
  const auto count = file_->read({buffer_.data() + kept, buffer_.size() - 1 - kept});
  if (!count) return tl::unexpected(count.error());
  cursor_ = buffer_.data();
  char* end = buffer_.data() + kept + *count;
  *end = '\n';
  data_end_ = end;
  at_end_ = *count == 0;
  if (at_end_) {
    lines_end_ = kept > 0 ? end + 1 : end;
    return {};
  }
  const void* last = memrchr(cursor_, '\n', static_cast<size_t>(data_end_ - cursor_));
  lines_end_ = last != nullptr ? static_cast<const char*>(last) + 1 : cursor_;
  return {};
}

bool StdReader::fail(const char* at, const std::string& what) {
  error_ = Error{fmt::format("{}:{}:{}: {}", title_, line_, at - cursor_ + 1, what)};
  return false;
}

// One line from `cursor_`, which moves behind it.
bool StdReader::parse_line() {
  if (line_ == 1) skip_byte_order_mark();
  const char* at = cursor_;
  if (*at == '\n' || (*at == '\r' && at[1] == '\n')) {
    cursor_ += *at == '\n' ? 1 : 2;
    return true;
  }
  Name thread_name;
  if (!parse_name(at, &thread_name, '|', "thread")) return false;
  const char* operation = at;
  while (is_letter(*at)) at++;
  const std::string_view operation_text(operation, static_cast<size_t>(at - operation));
  const EventKind kind = kind_of(operation_text);
  if (kind == EventKind::kNone) {
    if (!is_ignored(operation_text)) {
      return fail(operation,
                  fmt::format("'{}' is not one of r, w, acq, rel, fork, join",
                              printable(operation_text.empty() ? std::string_view(at, 1) : operation_text)));
    }
    const char* end = static_cast<const char*>(memchr(at, '\n', static_cast<size_t>(lines_end_ - at)));
    if (!is_plain(at, end - (end[-1] == '\r' ? 1 : 0)) || !is_short(end)) return false;
    cursor_ = end + 1;
    return true;
  }
  if (*at != '(') return fail(at, "'(' is missing after the operation");
  const char* target_at = ++at;
  Name target;
  if (!parse_target(at, &target)) return false;

  EventRecord event{};
  event.kind = kind;
  if (!parse_site(at, &event.site) || !is_short(at - 1)) return false;
  if (!thread_of(thread_name, 0, cursor_, &event.thread)) return false;
  if (kind == EventKind::kRead || kind == EventKind::kWrite) {
    event.object = object_of(variables_, target);
    event.size = 1;
    if (!rules_.may_run(event.thread) && !obeys_rules(event, cursor_)) return false;
  } else if (kind == EventKind::kLock || kind == EventKind::kUnlock) {
    if (!add_lock(event, target, target_at)) return false;
  } else if (!add_fork_or_join(event, target, target_at)) {
    return false;
  }
  if (tables_.strings.size() > kMaxStrings) return fail(cursor_, "the names need more than 4 GiB");
  events_.push_back(event);
  cursor_ = at;
  return true;
}

// What some editors put before the first line.
void StdReader::skip_byte_order_mark() {
  if (cursor_[0] == '\xef' && cursor_[1] == '\xbb' && cursor_[2] == '\xbf') cursor_ += 3;
}

bool StdReader::is_short(const char* end) {
  if (end - cursor_ <= static_cast<ptrdiff_t>(kMaxStdLine)) return true;
  return fail(cursor_ + kMaxStdLine, fmt::format("the line is longer than {} bytes", kMaxStdLine));
}

bool StdReader::is_plain(const char* begin, const char* end) {
  const char* found = find_control_character(begin, end);
  if (found == end) return true;
  return fail(found, *found == '\0' ? "there is a NUL byte"
                                    : fmt::format("there is a control character: byte {}",
                                                  static_cast<unsigned>(static_cast<unsigned char>(*found))));
}

// Says more of a line that ends within the target if the target itself is complete.
bool StdReader::tell_missing_location(const char* target) {
  const char* end = static_cast<const char*>(memchr(target, '\n', static_cast<size_t>(lines_end_ - target)));
  const std::string_view rest(target, static_cast<size_t>(end - target));
  if (rest.find('|') == rest.npos && (rest.ends_with(')') || rest.ends_with(")\r")))
    fail(end, "the location is missing: it should be thread|operation(target)|location");
  return false;
}

bool StdReader::add_lock(EventRecord& event, const Name& target, const char* at) {
  event.object = object_of(locks_, target);
  const uint32_t depth = rules_.depth(event.thread, event.object, 0);
  if (!obeys_rules(event, at)) return false;
  if (depth > (event.kind == EventKind::kLock ? 0u : 1u)) event.flags = event_flag::kRecursive;
  return true;
}

bool StdReader::add_fork_or_join(EventRecord& event, const Name& target, const char* at) {
  if (event.kind == EventKind::kFork) {
    if (!thread_of(target, event.thread, at, &event.peer)) return false;
  } else {
    event.peer = find(threads_, target);
    if (event.peer == NameIndex::kNone) {
      return fail(
          at, fmt::format("{} is joined, but no such thread has run or been forked", printable(target.text)));
    }
  }
  event.object = thread_object_[event.peer];
  return obeys_rules(event, at);
}

bool StdReader::obeys_rules(const EventRecord& event, const char* at) {
  const EventRules::Violation violation = rules_.add(event, line_);
  if (!violation) return true;
  const ViolationNames names{.thread = [this](uint32_t thread) { return name_of_thread(thread); },
                             .target =
                                 [this](const EventRecord& about) {
                                   return printable(&tables_.strings[tables_.objects[about.object].identity]);
                                 },
                             .unit = "line"};
  return fail(at, describe(violation, event, names));
}

// A name up to the delimiter, which is left behind.
bool StdReader::parse_name(const char*& at, Name* name, char delimiter, const char* what) {
  const char* begin = at;
  const char* p = name->scan(begin);
  if (*p == delimiter && name->is_numbered) {
    at = p + 1;
    return true;
  }
  name->is_numbered = false;
  for (p = begin; *p != delimiter; ++p) {
    if (*p == '\n' || p - cursor_ > static_cast<ptrdiff_t>(kMaxStdLine)) {
      return *p == '\n' ? fail(p, fmt::format("the line ends within the {}: it should be "
                                              "thread|operation(target)|location",
                                              what))
                        : fail(p, fmt::format("the line is longer than {} bytes", kMaxStdLine));
    }
    if (static_cast<unsigned char>(*p) <= ' ')
      return fail(p, fmt::format("the {} has a character that no name has: byte {}", what,
                                 static_cast<unsigned>(*p)));
  }
  if (p == begin) return fail(p, fmt::format("the {} is missing", what));
  name->text = {begin, static_cast<size_t>(p - begin)};
  at = p + 1;
  return true;
}

// Parentheses may be part of it: it ends at the last one before the bar.
bool StdReader::parse_target(const char*& at, Name* target) {
  const char* p = target->scan(at);
  if (p[0] == ')' && p[1] == '|' && target->is_numbered) {
    at = p + 2;
    return true;
  }
  Name whole;
  const char* begin = at;
  if (!parse_name(at, &whole, '|', "target")) return tell_missing_location(begin);
  if (whole.text.back() != ')') return fail(at - 1, "')' is missing after the target");
  whole.text.remove_suffix(1);
  if (whole.text.empty()) return fail(begin, "the target is missing");
  *target = whole;
  target->is_numbered = false;
  return true;
}

// The rest of the line, whatever it is.
bool StdReader::parse_site(const char*& at, uint32_t* site) {
  Name name;
  const char* p = name.scan(at);
  if (*p != '\n' || !name.is_numbered) {
    p = static_cast<const char*>(memchr(at, '\n', static_cast<size_t>(lines_end_ - at)));
    if (!is_short(p)) return false;
    std::string_view text(at, static_cast<size_t>(p - at));
    if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
    if (text.empty()) return fail(p, "the location is missing");
    if (!is_plain(text.data(), text.data() + text.size())) return false;
    name = {.text = text};
  }
  at = p + 1;
  *site = find(sites_, name);
  if (*site == NameIndex::kNone) {
    *site = static_cast<uint32_t>(tables_.sites.size());
    tables_.sites.push_back({.offset = remember(sites_, name, *site), .module = 0, .reserved = 0});
  }
  return true;
}

uint32_t StdReader::find(const NameIndex& index, const Name& name) const {
  if (name.is_numbered) {
    const uint32_t value = index.find(name.numbered);
    if (value != NameIndex::kNone) return value;
  }
  return index.find(name.text, tables_.strings);
}

// Returns the offset of the name's text.
uint32_t StdReader::remember(NameIndex& index, const Name& name, uint32_t value) {
  const uint32_t string = tables_.add_string(name.text);
  if (name.is_numbered && index.is_dense(name.numbered))
    index.add(name.numbered, value);
  else
    index.add(name.text, value, string);
  return string;
}

bool StdReader::thread_of(const Name& name, uint32_t parent, const char* at, uint32_t* thread) {
  *thread = find(threads_, name);
  if (*thread != NameIndex::kNone) return true;
  *thread = static_cast<uint32_t>(tables_.threads.size());
  if (*thread == kMaxStdThreads) return fail(at, fmt::format("there are more than {} threads", *thread));
  ThreadRecord record{};
  record.parent = parent;
  if (*thread != 0) record.ordinal = ++children_[parent];
  record.name = remember(threads_, name, *thread);
  tables_.threads.push_back(record);
  children_.push_back(0);
  thread_object_.push_back(static_cast<uint32_t>(tables_.objects.size()));
  tables_.objects.push_back({.kind = ObjectKind::kThread, .owner = *thread, .identity = record.name});
  return true;
}

uint32_t StdReader::object_of(NameIndex& index, const Name& name) {
  uint32_t object = find(index, name);
  if (object != NameIndex::kNone) return object;
  object = static_cast<uint32_t>(tables_.objects.size());
  const uint32_t string = remember(index, name, object);
  tables_.objects.push_back({.kind = ObjectKind::kGlobal, .owner = 0, .size = 1, .identity = string});
  return object;
}

std::string StdReader::name_of_thread(uint32_t thread) const {
  return printable(&tables_.strings[tables_.threads[thread].name]);
}

Expected<Trace> StdReader::names() const {
  return Trace::from_tables(tables_);
}

namespace {

// Everything but the events comes from the reader at its end.
Expected<Trace> read_all(StdReader& reader) {
  std::vector<EventRecord> events;
  while (true) {
    const auto batch = reader.next();
    if (!batch) return tl::unexpected(batch.error());
    if (batch->empty()) break;
    events.insert(events.end(), batch->begin(), batch->end());
  }
  return reader.trace_with(std::move(events));
}

}  // namespace

Trace StdReader::trace_with(std::vector<EventRecord> events) const {
  TraceTables tables = tables_;
  for (EventRecord& event : events) {
    event.flags |= event_flag::kPoint;
    if (tables.steps.empty() || tables.steps.back().thread != event.thread)
      tables.steps.push_back({.thread = event.thread, .kind = StepKind::kRun, .count = 0, .reserved = 0});
    ++tables.steps.back().count;
  }
  tables.outcome.steps = events.size();
  tables.events = std::move(events);
  return Trace::from_tables(std::move(tables));
}

Expected<Trace> read_std(const std::string& path) {
  auto file = InputFile::open_or_stdin(path);
  if (!file) return tl::unexpected(file.error());
  return read_std(std::move(*file));
}

Expected<Trace> read_std(InputFile file) {
  return read_all(*StdReader::over(std::move(file)));
}

Expected<Trace> read_std_text(std::string_view text, const std::string& title) {
  return read_all(*StdReader::over(text, title));
}

namespace {

bool is_std(const Trace& trace, uint32_t module) {
  return module < trace.modules().size() && trace.string(trace.modules()[module].build_id) == kStdBuildId;
}

}  // namespace

bool is_from_std_text(const Trace& trace) {
  return is_std(trace, 0);
}

std::optional<std::string_view> std_site(const Trace& trace, uint32_t site) {
  if (site == 0 || site >= trace.sites().size() || !is_std(trace, trace.sites()[site].module))
    return std::nullopt;
  return trace.string(static_cast<uint32_t>(trace.sites()[site].offset));
}

std::optional<std::string_view> std_object(const Trace& trace, uint32_t object) {
  if (object == 0 || object >= trace.objects().size() || !is_from_std_text(trace)) return std::nullopt;
  return trace.string(static_cast<uint32_t>(trace.objects()[object].identity));
}

}  // namespace heddle::trace
