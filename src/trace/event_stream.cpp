#include "trace/event_stream.h"

#include <unistd.h>
#include <zstd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "trace/event_rules.h"
#include "trace/input_file.h"
#include "trace/std_text.h"
#include "trace/trace_file.h"

namespace heddle::trace {

Expected<std::span<const EventRecord>> TraceEvents::next() {
  if (std::exchange(done_, true)) return std::span<const EventRecord>{};
  EventRules rules(begins_late() ? EventRules::Source::kRecordedLate : EventRules::Source::kRecorded);
  uint64_t number = 0;
  for (const EventRecord& event : trace_.events()) {
    if (const EventRules::Violation violation = rules.add(event, number)) [[unlikely]] {
      const ViolationNames names{.thread = [&](uint32_t thread) { return trace_.thread_name(thread); },
                                 .target = [](const EventRecord&) { return std::string("a lock"); },
                                 .unit = "event"};
      return usage_error(fmt::format("{} cannot be what happened, at event {}: {}", title_, number,
                                     describe(violation, event, names)));
    }
    number++;
  }
  return trace_.events();
}

Expected<EventFormat> format_of(const std::string& path) {
  if (path == "-") return EventFormat::kText;
  const auto file = InputFile::open(path);
  if (!file) return tl::unexpected(file.error());
  // What is no file can be read only once.
  if (!file->is_regular()) return EventFormat::kText;
  char begin[sizeof(kTraceMagic)] = {};
  const ssize_t size = pread(file->fd(), begin, sizeof(begin), 0);
  if (size < 0) return file->failure(errno);
  constexpr uint32_t kZstd = ZSTD_MAGICNUMBER;
  if (std::memcmp(begin, kTraceMagic, sizeof(kTraceMagic)) == 0 ||
      std::memcmp(begin, &kZstd, sizeof(kZstd)) == 0)
    return EventFormat::kTrace;
  return EventFormat::kText;
}

Expected<std::unique_ptr<EventStream>> open_events(const std::string& path) {
  const auto format = format_of(path);
  if (!format) return tl::unexpected(format.error());
  if (*format == EventFormat::kText) {
    auto reader = StdReader::open(path);
    if (!reader) return tl::unexpected(reader.error());
    return std::unique_ptr<EventStream>(std::move(*reader));
  }
  auto trace = read_trace(path);
  if (!trace) return tl::unexpected(trace.error());
  return std::make_unique<TraceEvents>(std::move(*trace), path);
}

}  // namespace heddle::trace
