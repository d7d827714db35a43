#include "trace/event_stream.h"

#include <zstd.h>

#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include "trace/event_rules.h"
#include "trace/input_file.h"
#include "trace/std_text.h"
#include "trace/trace_file.h"

namespace heddle::trace {
namespace {

Expected<void> check_rules(const Trace& trace, const std::string& title) {
  EventRules rules(trace.events_dropped() > 0 ? EventRules::Source::kRecordedLate
                                              : EventRules::Source::kRecorded);
  uint64_t number = 0;
  for (const EventRecord& event : trace.events()) {
    if (const EventRules::Violation violation = rules.add(event, number)) [[unlikely]] {
      const ViolationNames names{.thread = [&](uint32_t thread) { return trace.thread_name(thread); },
                                 .target = [](const EventRecord&) { return std::string("a lock"); },
                                 .unit = "event"};
      return usage_error(fmt::format("{} cannot be what happened, at event {}: {}", title, number,
                                     describe(violation, event, names)));
    }
    number++;
  }
  return {};
}

tl::unexpected<Error> no_events(const std::string& title) {
  return usage_error(fmt::format("{} has no events", title));
}

// Refuses a stream in which nothing happens.
class SomeEvents final : public EventStream {
 public:
  explicit SomeEvents(std::unique_ptr<EventStream> stream) : stream_(std::move(stream)) {}

  Expected<std::span<const EventRecord>> next() override {
    auto events = stream_->next();
    if (events && events->empty() && !had_events_) return no_events(title());
    had_events_ = true;
    return events;
  }
  Trace names() const override { return stream_->names(); }
  std::span<const ObjectRecord> objects() const override { return stream_->objects(); }
  bool begins_late() const override { return stream_->begins_late(); }
  const std::string& title() const override { return stream_->title(); }

 private:
  std::unique_ptr<EventStream> stream_;
  bool had_events_ = false;
};

Expected<EventFormat> format_of(InputFile& file) {
  const auto begin = file.begin(sizeof(kTraceMagic));
  if (!begin) return tl::unexpected(begin.error());
  constexpr uint32_t kZstd = ZSTD_MAGICNUMBER;
  const bool is_compressed =
      begin->size() >= sizeof(kZstd) && std::memcmp(begin->data(), &kZstd, sizeof(kZstd)) == 0;
  return is_compressed || *begin == std::string_view(kTraceMagic, sizeof(kTraceMagic)) ? EventFormat::kTrace
                                                                                       : EventFormat::kText;
}

}  // namespace

Expected<std::span<const EventRecord>> TraceEvents::next() {
  if (std::exchange(done_, true)) return std::span<const EventRecord>{};
  if (const auto obeyed = check_rules(trace_, title_); !obeyed) return tl::unexpected(obeyed.error());
  return trace_.events();
}

Expected<EventFormat> format_of(const std::string& path) {
  auto file = InputFile::open(path);
  if (!file) return tl::unexpected(file.error());
  return format_of(*file);
}

Expected<std::unique_ptr<EventStream>> open_events(const std::string& path) {
  auto file = InputFile::open_or_stdin(path);
  if (!file) return tl::unexpected(file.error());
  const auto format = format_of(*file);
  if (!format) return tl::unexpected(format.error());
  if (*format == EventFormat::kText) return std::make_unique<SomeEvents>(StdReader::over(std::move(*file)));
  const std::string title = file->title();
  auto trace = read_trace(std::move(*file));
  if (!trace) return tl::unexpected(trace.error());
  return std::make_unique<SomeEvents>(std::make_unique<TraceEvents>(std::move(*trace), title));
}

Expected<Trace> read_execution(const std::string& path) {
  auto file = InputFile::open_or_stdin(path);
  if (!file) return tl::unexpected(file.error());
  const auto format = format_of(*file);
  if (!format) return tl::unexpected(format.error());
  const std::string title = file->title();
  const bool is_text = *format == EventFormat::kText;
  auto trace = is_text ? read_std(std::move(*file)) : read_trace(std::move(*file));
  if (!trace) return trace;
  if (trace->events().empty()) return no_events(title);
  if (is_text) return trace;  // its reader knows the rules, and lines instead of events
  if (const auto obeyed = check_rules(*trace, title); !obeyed) return tl::unexpected(obeyed.error());
  return trace;
}

}  // namespace heddle::trace
