#include "trace/trace_file_events.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "trace/trace_file_checks.h"

namespace heddle::trace {
namespace {

constexpr size_t kPart = 4096;  // 128 KB
constexpr auto kEvents = static_cast<size_t>(TableId::kEvents);

// What a trace without events stands on.
struct Storage {
  std::shared_ptr<const TraceHeader> header;
  std::array<std::vector<std::byte>, kTableCount> tables;
};

Expected<std::shared_ptr<const TraceHeader>> read_header(const InputFile& file) {
  auto header = std::make_shared<TraceHeader>();
  std::span<std::byte> bytes = std::as_writable_bytes(std::span(header.get(), 1));
  bytes = bytes.first(std::min<uint64_t>(bytes.size(), file.size()));
  if (auto ok = file.read_at(0, bytes); !ok) return tl::unexpected(ok.error());
  if (auto ok = check_header(bytes, file.size(), file.title()); !ok) return tl::unexpected(ok.error());
  if (auto ok = check_tables(*header, file.title()); !ok) return tl::unexpected(ok.error());
  return header;
}

Expected<Trace> read_tables(const InputFile& file, const std::shared_ptr<const TraceHeader>& header) {
  const auto storage = std::make_shared<Storage>();
  storage->header = header;
  Trace::Tables tables;
  for (size_t i = 0; i < kTableCount; ++i) {
    if (i == kEvents) continue;
    const TableRecord& table = header->tables[i];
    std::vector<std::byte>& bytes = storage->tables[i];
    bytes.resize(table.count * record_size(static_cast<TableId>(i)));
    if (auto ok = file.read_at(table.offset, bytes); !ok) return tl::unexpected(ok.error());
    tables[i] = {bytes.data(), table.count};
  }
  Trace trace = Trace::over(storage, tables, &header->outcome, header->events_dropped, header->events_lost);
  if (auto ok = finish_trace(trace, *header, file.title()); !ok) return tl::unexpected(ok.error());
  return trace;
}

}  // namespace

TraceFileEvents::TraceFileEvents(InputFile file, std::shared_ptr<const TraceHeader> header, Trace tables)
    : file_(std::move(file)),
      header_(std::move(header)),
      tables_(std::move(tables)),
      order_(tables_, file_.title()) {}

Expected<std::unique_ptr<EventStream>> TraceFileEvents::open(InputFile file) {
  auto header = read_header(file);
  if (!header) return tl::unexpected(header.error());
  auto tables = read_tables(file, *header);
  if (!tables) return tl::unexpected(tables.error());
  return std::unique_ptr<EventStream>(
      new TraceFileEvents(std::move(file), std::move(*header), std::move(*tables)));
}

Expected<std::span<const EventRecord>> TraceFileEvents::next() {
  part_.resize(std::min<uint64_t>(kPart, header_->tables[kEvents].count - given_));
  if (auto ok = file_.read_at(position_of(given_), std::as_writable_bytes(std::span(part_))); !ok)
    return tl::unexpected(ok.error());
  if (auto ok = check_events(tables_, part_, given_, *header_, file_.title()); !ok)
    return tl::unexpected(ok.error());
  if (auto ok = order_.add(part_); !ok) return tl::unexpected(ok.error());
  given_ += part_.size();
  return part_;
}

Expected<Trace> TraceFileEvents::names() const {
  const auto storage = std::make_shared<std::pair<Trace, std::vector<EventRecord>>>();
  auto& [tables, events] = *storage;
  tables = tables_;
  events.resize(header_->tables[kEvents].count);
  if (auto ok = file_.read_at(position_of(0), std::as_writable_bytes(std::span(events))); !ok)
    return tl::unexpected(ok.error());
  if (auto ok = check_events(tables, events, 0, *header_, file_.title()); !ok)
    return tl::unexpected(ok.error());
  return tables.with_events(storage, events);
}

uint64_t TraceFileEvents::position_of(uint64_t event) const {
  return header_->tables[kEvents].offset + event * sizeof(EventRecord);
}

}  // namespace heddle::trace
