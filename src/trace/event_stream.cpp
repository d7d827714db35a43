#include "trace/event_stream.h"

#include <zstd.h>

#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include "trace/input_file.h"
#include "trace/recorded_order.h"
#include "trace/std_text.h"
#include "trace/trace_file.h"
#include "trace/trace_file_events.h"

namespace heddle::trace {
namespace {

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
  Expected<Trace> names() const override { return stream_->names(); }
  std::span<const ObjectRecord> objects() const override { return stream_->objects(); }
  bool begins_late() const override { return stream_->begins_late(); }
  const std::string& title() const override { return stream_->title(); }

 private:
  std::unique_ptr<EventStream> stream_;
  bool had_events_ = false;
};

enum class Encoding { kTrace, kCompressedTrace, kText };

Expected<Encoding> encoding_of(InputFile& file) {
  const auto begin = file.begin(sizeof(kTraceMagic));
  if (!begin) return tl::unexpected(begin.error());
  if (*begin == std::string_view(kTraceMagic, sizeof(kTraceMagic))) return Encoding::kTrace;
  constexpr uint32_t kZstd = ZSTD_MAGICNUMBER;
  const bool is_compressed =
      begin->size() >= sizeof(kZstd) && std::memcmp(begin->data(), &kZstd, sizeof(kZstd)) == 0;
  return is_compressed ? Encoding::kCompressedTrace : Encoding::kText;
}

Expected<std::unique_ptr<EventStream>> open_encoded(InputFile file) {
  const auto encoding = encoding_of(file);
  if (!encoding) return tl::unexpected(encoding.error());
  if (*encoding == Encoding::kText) return StdReader::over(std::move(file));
  if (*encoding == Encoding::kTrace && file.is_regular()) return TraceFileEvents::open(std::move(file));
  const std::string title = file.title();
  auto trace = read_trace(std::move(file));
  if (!trace) return tl::unexpected(trace.error());
  return std::make_unique<TraceEvents>(std::move(*trace), title);
}

}  // namespace

Expected<std::span<const EventRecord>> TraceEvents::next() {
  if (std::exchange(done_, true)) return std::span<const EventRecord>{};
  if (const auto ok = RecordedOrder(trace_, title_).add(trace_.events()); !ok)
    return tl::unexpected(ok.error());
  return trace_.events();
}

Expected<EventFormat> format_of(const std::string& path) {
  auto file = InputFile::open(path);
  if (!file) return tl::unexpected(file.error());
  return encoding_of(*file).map([](Encoding encoding) {
    return encoding == Encoding::kText ? EventFormat::kText : EventFormat::kTrace;
  });
}

Expected<std::unique_ptr<EventStream>> open_events(const std::string& path) {
  auto file = InputFile::open_or_stdin(path);
  if (!file) return tl::unexpected(file.error());
  auto stream = open_encoded(std::move(*file));
  if (!stream) return stream;
  return std::make_unique<SomeEvents>(std::move(*stream));
}

Expected<Trace> read_execution(const std::string& path) {
  auto file = InputFile::open_or_stdin(path);
  if (!file) return tl::unexpected(file.error());
  const auto encoding = encoding_of(*file);
  if (!encoding) return tl::unexpected(encoding.error());
  const std::string title = file->title();
  const bool is_text = *encoding == Encoding::kText;
  auto trace = is_text ? read_std(std::move(*file)) : read_trace(std::move(*file));
  if (!trace) return trace;
  if (trace->events().empty()) return no_events(title);
  if (is_text) return trace;  // its reader knows the rules, and lines instead of events
  if (const auto ok = RecordedOrder(*trace, title).add(trace->events()); !ok)
    return tl::unexpected(ok.error());
  return trace;
}

}  // namespace heddle::trace
