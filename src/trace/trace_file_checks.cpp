#include "trace/trace_file_checks.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "trace/command_text.h"
#include "trace/names.h"
#include "trace/validate.h"

namespace heddle::trace {
namespace {

// Nobody waits for more events than this, and event numbers never overflow.
constexpr uint64_t kMaxMissingEvents = uint64_t{1} << 62;

tl::unexpected<Error> damaged_at(const std::string& name, uint64_t position, const std::string& what) {
  return usage_error(fmt::format("{} is damaged at byte {}: {}", name, position, what));
}

uint64_t position_of(const TraceHeader& header, const Damage& damage) {
  if (damage.table == TableId::kCount) {
    return offsetof(TraceHeader, outcome);
  }
  return header.tables[static_cast<size_t>(damage.table)].offset + damage.record * record_size(damage.table);
}

}  // namespace

Expected<void> check_header(std::span<const std::byte> bytes, uint64_t size, const std::string& name) {
  if (bytes.size() < sizeof(kTraceMagic) ||
      std::memcmp(bytes.data(), kTraceMagic, sizeof(kTraceMagic)) != 0) {
    return usage_error(fmt::format("{} is not a heddle trace: it does not begin with {}", name,
                                   std::string_view(kTraceMagic, sizeof(kTraceMagic))));
  }
  uint32_t version = 0;
  if (bytes.size() >= offsetof(TraceHeader, version) + sizeof(version)) {
    std::memcpy(&version, bytes.data() + offsetof(TraceHeader, version), sizeof(version));
    if (version > kFormatVersion) {
      return usage_error(
          fmt::format("{} was made by a newer heddle: it has trace format {}, and this one reads "
                      "formats up to {}",
                      name, version, kFormatVersion));
    }
  }
  if (bytes.size() < sizeof(TraceHeader)) {
    return usage_error(fmt::format("{} is truncated: it ends at byte {}, within its header", name, size));
  }
  const auto& header = *reinterpret_cast<const TraceHeader*>(bytes.data());
  if (version == 0) {
    return damaged_at(name, offsetof(TraceHeader, version), "there is no trace format 0");
  }
  if (version < kFormatVersion) {
    return usage_error(
        fmt::format("{} was made by an older heddle: it has trace format {}, and this one reads {}", name,
                    version, kFormatVersion));
  }
  if (header.header_size != sizeof(TraceHeader)) {
    return damaged_at(
        name, offsetof(TraceHeader, header_size),
        fmt::format("a header of {} bytes instead of {}", header.header_size, sizeof(TraceHeader)));
  }
  if (header.file_size > size) {
    return usage_error(
        fmt::format("{} is truncated: it ends at byte {} instead of {}", name, size, header.file_size));
  }
  if (header.file_size < size) {
    return damaged_at(name, header.file_size, "there are bytes after the end of the trace");
  }
  return {};
}

Expected<void> check_tables(const TraceHeader& header, const std::string& name) {
  struct Extent {
    uint64_t begin, end;
    TableId table;
  };
  std::vector<Extent> extents;
  for (size_t i = 0; i < kTableCount; ++i) {
    const auto id = static_cast<TableId>(i);
    const TableRecord& table = header.tables[i];
    const uint64_t position = offsetof(TraceHeader, tables) + i * sizeof(TableRecord);
    if (table.offset < sizeof(TraceHeader) || table.offset > header.file_size || table.offset % 8 != 0) {
      return damaged_at(name, position,
                        fmt::format("table {} cannot begin at byte {}", to_text(id), table.offset));
    }
    if (table.count != table.capacity) {
      return damaged_at(name, position,
                        fmt::format("table {} has room for {} records but holds {}", to_text(id),
                                    table.capacity, table.count));
    }
    if (table.count > (header.file_size - table.offset) / record_size(id)) {
      return damaged_at(name, position,
                        fmt::format("table {} with {} records reaches beyond the end of the file",
                                    to_text(id), table.count));
    }
    if (table.count > 0) {
      extents.push_back({table.offset, table.offset + table.count * record_size(id), id});
    }
  }
  std::sort(extents.begin(), extents.end(),
            [](const Extent& a, const Extent& b) { return a.begin < b.begin; });
  for (size_t i = 1; i < extents.size(); ++i) {
    if (extents[i].begin < extents[i - 1].end) {
      return damaged_at(name, extents[i].begin,
                        fmt::format("table {} overlaps table {}", to_text(extents[i].table),
                                    to_text(extents[i - 1].table)));
    }
  }
  return {};
}

Expected<void> finish_trace(Trace& trace, const TraceHeader& header, const std::string& name) {
  if (std::max(header.events_dropped, header.events_lost) > kMaxMissingEvents) {
    return damaged_at(name, offsetof(TraceHeader, events_dropped), "an impossible number of missing events");
  }
  const uint64_t events = header.tables[static_cast<size_t>(TableId::kEvents)].count;
  if (const auto damage = validate_tables(trace, events)) {
    return damaged_at(name, position_of(header, *damage), damage->text());
  }
  for (const uint32_t label : {header.command, header.policy}) {
    if (label != 0 && label >= trace.strings().size()) {
      return damaged_at(name, offsetof(TraceHeader, command), fmt::format("string {} does not exist", label));
    }
  }
  trace.describe(split_command(trace.string(header.command)), std::string(trace.string(header.policy)));
  return {};
}

Expected<void> check_events(const Trace& trace, std::span<const EventRecord> events, uint64_t first,
                            const TraceHeader& header, const std::string& name) {
  auto damage = validate_events(trace, events, first);
  if (!damage) {
    damage = validate_extents(trace, events, first);
  }
  if (damage) {
    return damaged_at(name, position_of(header, *damage), damage->text());
  }
  return {};
}

}  // namespace heddle::trace
