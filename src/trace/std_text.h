// The std format: traces as text, one event a line, as RAPID and other trace analysers speak it.
//
//   T0|fork(T1)|12
//   T1|acq(L3)|40
//   T1|w(V7)|queue.cpp:41
//
// docs/formats.md has the rules, and what becomes of heddle's events in a format that knows six operations.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"
#include "trace/event_rules.h"
#include "trace/event_stream.h"
#include "trace/input_file.h"
#include "trace/name_index.h"
#include "trace/trace.h"

namespace heddle::trace {

// Longer lines are not traces: they would be held in memory as a name.
inline constexpr size_t kMaxStdLine = 1 << 16;
// What analyses keep for each thread should not fill the memory of a small machine.
inline constexpr uint32_t kMaxStdThreads = 1 << 20;

// Reads std text as a stream of events that obey EventRules, in memory that grows with the number of names,
// not of lines. Names become numbers in the order in which they appear; thread 0 is the first that does
// something. Errors begin with path:line:column.
class StdReader final : public EventStream {
 public:
  static std::unique_ptr<StdReader> over(InputFile file);
  static std::unique_ptr<StdReader> over(std::string_view text, std::string title);

  Expected<std::span<const EventRecord>> next() override;
  Expected<Trace> names() const override;
  std::span<const ObjectRecord> objects() const override { return tables_.objects; }
  bool begins_late() const override { return false; }
  const std::string& title() const override { return title_; }

  // All that was read, as a trace: `events` are what next() has given so far.
  Trace trace_with(std::vector<EventRecord> events) const;

 private:
  struct Name;  // part of a line

  StdReader(std::string title, std::optional<InputFile> file);

  Expected<void> fill();
  bool parse_line();
  bool parse_target(const char*& at, Name* target);
  bool parse_site(const char*& at, uint32_t* site);
  bool parse_name(const char*& at, Name* name, char delimiter, const char* what);
  bool add_fork_or_join(EventRecord& event, const Name& target, const char* at);
  bool add_lock(EventRecord& event, const Name& target, const char* at);
  bool obeys_rules(const EventRecord& event, const char* at);
  // Looks at what may be wrong with any part of a line.
  void skip_byte_order_mark();
  bool is_short(const char* end);
  bool is_plain(const char* begin, const char* end);
  bool tell_missing_location(const char* target);
  bool fail(const char* at, const std::string& what);

  uint32_t find(const NameIndex& index, const Name& name) const;
  uint32_t remember(NameIndex& index, const Name& name, uint32_t value);
  bool thread_of(const Name& name, uint32_t parent, const char* at, uint32_t* thread);
  uint32_t object_of(NameIndex& index, const Name& name);
  std::string name_of_thread(uint32_t thread) const;

  std::string title_;
  std::optional<InputFile> file_;  // none: all is in the buffer
  bool at_end_ = false;            // of the input

  std::vector<char> buffer_;
  const char* cursor_ = nullptr;  // the next line
  const char* lines_end_ = nullptr;
  const char* data_end_ = nullptr;
  uint64_t line_ = 1;
  std::optional<Error> error_;

  NameIndex threads_, variables_, locks_, sites_;
  TraceTables tables_;
  std::vector<uint32_t> children_;       // of each thread
  std::vector<uint32_t> thread_object_;  // that fork and join name
  EventRules rules_{EventRules::Source::kText};
  std::vector<EventRecord> events_;
};

// A whole text as a trace. "-" is the standard input.
Expected<Trace> read_std(const std::string& path);
Expected<Trace> read_std(InputFile file);
Expected<Trace> read_std_text(std::string_view text, const std::string& title);

// Whether a trace was read from std text, which names no program.
bool is_from_std_text(const Trace& trace);

// What a trace that was read from std text calls things; nothing if it was not.
std::optional<std::string_view> std_site(const Trace& trace, uint32_t site);
std::optional<std::string_view> std_object(const Trace& trace, uint32_t object);

// The same events as text. `path` "-" is the standard output.
Expected<void> write_std(const Trace& trace, const std::string& path);
std::string to_std_text(const Trace& trace);

}  // namespace heddle::trace
