#include <sys/mman.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "trace/command_text.h"
#include "trace/dependence.h"
#include "trace/input_file.h"
#include "trace/names.h"
#include "trace/trace_file.h"
#include "trace/validate.h"

namespace heddle::trace {
namespace {

// What comes from a pipe or device is held in memory, and may never end.
constexpr uint64_t kMaxPipedTrace = uint64_t{256} << 20;

// The bytes of a file, and what keeps them alive.
struct Content {
  std::shared_ptr<const void> storage;
  std::span<const std::byte> bytes;
};

Content content_of(std::string bytes) {
  auto storage = std::make_shared<const std::string>(std::move(bytes));
  const std::span<const char> span = *storage;
  return {std::move(storage), std::as_bytes(span)};
}

Content content_of_mapping(void* begin, size_t size) {
  std::shared_ptr<const void> storage(begin, [size](const void* p) { munmap(const_cast<void*>(p), size); });
  return {std::move(storage), {static_cast<const std::byte*>(begin), size}};
}

// Pages appear as they are filled, so a false size costs nothing.
void* reserve(uint64_t size) {
  return mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

Expected<Content> load(InputFile& file) {
  if (!file.is_regular()) {
    return file.read_all(kMaxPipedTrace).map([](std::string text) { return content_of(std::move(text)); });
  }
  if (file.size() == 0) {
    return Content{};
  }
  void* begin = reserve(file.size());
  if (begin == MAP_FAILED) {
    return file.failure(errno);
  }
  Content content = content_of_mapping(begin, file.size());
  std::span<char> rest(static_cast<char*>(begin), file.size());
  while (!rest.empty()) {
    const auto count = file.read(rest);
    if (!count) {
      return tl::unexpected(count.error());
    }
    if (*count == 0) {
      return usage_error(fmt::format("{} changed while it was read: it ends at byte {} instead of {}",
                                     file.title(), file.size() - rest.size(), file.size()));
    }
    rest = rest.subspan(*count);
  }
  return content;
}

bool is_compressed(std::span<const std::byte> bytes) {
  constexpr uint32_t kMagic = ZSTD_MAGICNUMBER;
  return bytes.size() >= sizeof(kMagic) && std::memcmp(bytes.data(), &kMagic, sizeof(kMagic)) == 0;
}

Expected<Content> expand(std::span<const std::byte> bytes, const std::string& name) {
  const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (size == ZSTD_CONTENTSIZE_ERROR) {
    return usage_error(fmt::format("{} is truncated or damaged: its zstd header is not complete", name));
  }
  if (size == ZSTD_CONTENTSIZE_UNKNOWN) {
    return usage_error(
        fmt::format("{} does not say how large it gets, so heddle did not write it: expand it "
                    "with 'zstd -d' first",
                    name));
  }
  if (size > kMaxExpandedTrace) {
    return usage_error(
        fmt::format("{} would expand to {} bytes, over the limit of {}: if it is really a trace, "
                    "expand it with 'zstd -d' first",
                    name, size, kMaxExpandedTrace));
  }
  if (size == 0) {
    return Content{};
  }
  void* begin = reserve(size);
  if (begin == MAP_FAILED) {
    return internal_error(fmt::format("cannot expand {} to {} bytes: {}", name, size, std::strerror(errno)));
  }
  Content content = content_of_mapping(begin, size);
  const size_t expanded = ZSTD_decompress(begin, size, bytes.data(), bytes.size());
  if (ZSTD_isError(expanded) || expanded != size) {
    return usage_error(fmt::format(
        "{} is truncated or damaged: {}", name,
        ZSTD_isError(expanded) ? ZSTD_getErrorName(expanded) : "it expands to less than it says"));
  }
  return content;
}

// Nobody waits for more events than this, and event numbers never overflow.
constexpr uint64_t kMaxMissingEvents = uint64_t{1} << 62;

tl::unexpected<Error> damaged_at(const std::string& name, uint64_t position, const std::string& what) {
  return usage_error(fmt::format("{} is damaged at byte {}: {}", name, position, what));
}

// Is the header one this version understands, and is the file all there?
Expected<void> check_header(std::span<const std::byte> bytes, const std::string& name) {
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
    return usage_error(
        fmt::format("{} is truncated: it ends at byte {}, within its header", name, bytes.size()));
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
  if (header.file_size > bytes.size()) {
    return usage_error(fmt::format("{} is truncated: it ends at byte {} instead of {}", name, bytes.size(),
                                   header.file_size));
  }
  if (header.file_size < bytes.size()) {
    return damaged_at(name, header.file_size, "there are bytes after the end of the trace");
  }
  return {};
}

// Tables lie within the file, after the header, aligned, and apart from each other.
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

uint64_t position_of(const TraceHeader& header, const Damage& damage) {
  if (damage.table == TableId::kCount) {
    return offsetof(TraceHeader, outcome);
  }
  return header.tables[static_cast<size_t>(damage.table)].offset + damage.record * record_size(damage.table);
}

// A program may write beyond the end of a block and go on, but nobody survives much of that.
constexpr uint64_t kMaxOverrun = uint64_t{1} << 20;

// Engines keep something for every byte that an access covers, so a size that cannot be is not harmless.
// Nothing if all accesses are within what they access, where its size is known.
std::optional<Damage> check_extents(const Trace& trace) {
  const std::span<const ObjectRecord> objects = trace.objects();
  uint64_t index = 0;
  for (const EventRecord& event : trace.events()) {
    const bool is_access = has_extent(event.kind) && event.kind != EventKind::kFree;
    if (is_access && event.object < objects.size() && objects[event.object].kind == ObjectKind::kHeap) {
      const uint64_t size = objects[event.object].size;
      const uint64_t end = std::min(size, UINT64_MAX - kMaxOverrun) + kMaxOverrun;
      if (size != 0 && (event.offset > end || event.size > end - event.offset)) {
        return Damage{TableId::kEvents, index,
                      fmt::format("an access to {} bytes at offset {} of object {}, which has {}", event.size,
                                  event.offset, event.object, size)};
      }
    }
    ++index;
  }
  return std::nullopt;
}

Expected<Trace> parse(const Content& content, const std::string& name) {
  if (auto ok = check_header(content.bytes, name); !ok) {
    return tl::unexpected(ok.error());
  }
  const auto& header = *reinterpret_cast<const TraceHeader*>(content.bytes.data());
  if (auto ok = check_tables(header, name); !ok) {
    return tl::unexpected(ok.error());
  }
  Trace::Tables tables;
  for (size_t i = 0; i < kTableCount; ++i) {
    tables[i] = {content.bytes.data() + header.tables[i].offset, header.tables[i].count};
  }
  if (std::max(header.events_dropped, header.events_lost) > kMaxMissingEvents) {
    return damaged_at(name, offsetof(TraceHeader, events_dropped), "an impossible number of missing events");
  }
  Trace trace =
      Trace::over(content.storage, tables, &header.outcome, header.events_dropped, header.events_lost);
  if (const auto damage = validate(trace)) {
    return damaged_at(name, position_of(header, *damage), damage->text());
  }
  if (const auto damage = check_extents(trace)) {
    return damaged_at(name, position_of(header, *damage), damage->text());
  }
  for (const uint32_t label : {header.command, header.policy}) {
    if (label != 0 && label >= trace.strings().size()) {
      return damaged_at(name, offsetof(TraceHeader, command), fmt::format("string {} does not exist", label));
    }
  }
  trace.describe(split_command(trace.string(header.command)), std::string(trace.string(header.policy)));
  return trace;
}

Expected<Trace> parse_or_expand(const Content& content, const std::string& name) {
  if (content.bytes.empty()) {
    return usage_error(fmt::format("{} is empty, not a heddle trace", name));
  }
  if (!is_compressed(content.bytes)) {
    return parse(content, name);
  }
  const auto expanded = expand(content.bytes, name);
  if (!expanded) {
    return tl::unexpected(expanded.error());
  }
  return parse(*expanded, name);
}

}  // namespace

Expected<Trace> read_trace(const std::string& path) {
  auto file = InputFile::open_or_stdin(path);
  if (!file) {
    return tl::unexpected(file.error());
  }
  return read_trace(std::move(*file));
}

Expected<Trace> read_trace(InputFile file) {
  const auto content = load(file);
  if (!content) {
    return tl::unexpected(content.error());
  }
  return parse_or_expand(*content, file.title());
}

Expected<Trace> read_trace_bytes(std::string bytes, const std::string& name) {
  return parse_or_expand(content_of(std::move(bytes)), name);
}

}  // namespace heddle::trace
