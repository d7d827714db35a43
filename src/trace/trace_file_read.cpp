#include <sys/mman.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "trace/input_file.h"
#include "trace/trace_file.h"
#include "trace/trace_file_checks.h"

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
  void* begin =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (begin != MAP_FAILED) {
    madvise(begin, size, MADV_HUGEPAGE);  // a quarter of the time of reading is page faults
  }
  return begin;
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
  if (auto ok = file.read_at(0, {static_cast<std::byte*>(begin), file.size()}); !ok) {
    return tl::unexpected(ok.error());
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

Expected<Trace> parse(const Content& content, const std::string& name) {
  if (auto ok = check_header(content.bytes, content.bytes.size(), name); !ok) {
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
  Trace trace =
      Trace::over(content.storage, tables, &header.outcome, header.events_dropped, header.events_lost);
  if (auto ok = finish_trace(trace, header, name); !ok) {
    return tl::unexpected(ok.error());
  }
  if (auto ok = check_events(trace, trace.events(), 0, header, name); !ok) {
    return tl::unexpected(ok.error());
  }
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
