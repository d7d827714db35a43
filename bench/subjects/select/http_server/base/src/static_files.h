// Serves files from the cache: conditional requests, byte ranges, index pages.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "file_cache.h"
#include "request.h"
#include "response.h"
#include "router.h"

namespace web {

/// Serves what the route's `*path` names, from below `root` (which ends with a slash).
Handler static_file_handler(FileCache& cache, std::string root);

/// First and last byte of a "bytes=a-b" header for a file of `size` bytes; `kIgnored` if the header is no
/// single range, `kUnsatisfiable` if it lies outside of the file.
struct ByteRange {
  enum class Kind { kIgnored, kUnsatisfiable, kRange } kind = Kind::kIgnored;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};
ByteRange parse_range(std::string_view header, std::uint64_t size);

/// Whether the client has this version already, by If-None-Match or else If-Modified-Since.
bool not_modified(const Request& request, const CachedFile& file);

}  // namespace web
