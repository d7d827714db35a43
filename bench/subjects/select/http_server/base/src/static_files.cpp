#include "static_files.h"

#include <algorithm>
#include <string>

#include "text.h"

namespace web {

ByteRange parse_range(std::string_view header, std::uint64_t size) {
  constexpr std::string_view kUnit = "bytes=";
  if (header.substr(0, kUnit.size()) != kUnit) return {};
  const std::string_view range = trim(header.substr(kUnit.size()));
  const std::size_t dash = range.find('-');
  if (dash == std::string_view::npos || range.find(',') != std::string_view::npos) return {};
  const auto first = parse_decimal(range.substr(0, dash));
  const auto last = parse_decimal(range.substr(dash + 1));
  if (dash == 0) {  // the last so many bytes
    if (!last) return {};
    if (*last == 0 || size == 0) return {ByteRange::Kind::kUnsatisfiable};
    return {ByteRange::Kind::kRange, size - std::min(*last, size), size - 1};
  }
  const bool open = dash + 1 == range.size();
  if (!first || (!last && !open) || (last && *last < *first)) return {};
  if (*first >= size) return {ByteRange::Kind::kUnsatisfiable};
  return {ByteRange::Kind::kRange, *first, open ? size - 1 : std::min(*last, size - 1)};
}

bool not_modified(const Request& request, const CachedFile& file) {
  const std::string tags = request.headers.joined("If-None-Match");
  if (!tags.empty()) {
    for (std::string_view tag : split(tags, ',')) {
      tag = trim(tag);
      if (tag.substr(0, 2) == "W/") tag.remove_prefix(2);
      if (tag == "*" || tag == file.etag) return true;
    }
    return false;
  }
  const auto since = request.headers.get("If-Modified-Since");
  if (!since) return false;
  const auto seconds = parse_http_date(*since);
  return seconds && file.modified <= *seconds;
}

namespace {

Response serve(const Request& request, const CachedFile& file) {
  Response response;
  response.headers.set("ETag", file.etag);
  response.headers.set("Last-Modified", format_http_date(file.modified));
  if (not_modified(request, file)) {
    response.status = 304;
    return response;
  }
  response.headers.set("Content-Type", file.content_type);
  response.headers.set("Accept-Ranges", "bytes");
  response.body = file.content;
  const auto range_header = request.headers.get("Range");
  if (!range_header || request.method != "GET") return response;
  const std::uint64_t size = file.content->size();
  const ByteRange range = parse_range(*range_header, size);
  if (range.kind == ByteRange::Kind::kUnsatisfiable) {
    Response refused = Response::error(416);
    refused.headers.set("Content-Range", "bytes */" + std::to_string(size));
    return refused;
  }
  if (range.kind == ByteRange::Kind::kRange) {
    response.status = 206;
    response.headers.set("Content-Range", "bytes " + std::to_string(range.first) + "-" +
                                              std::to_string(range.last) + "/" + std::to_string(size));
    response.body =
        std::make_shared<const std::string>(file.content->substr(range.first, range.last - range.first + 1));
  }
  return response;
}

}  // namespace

Handler static_file_handler(FileCache& cache, std::string root) {
  return [&cache, root = std::move(root)](Request& request) {
    const auto rest = request.params.find("path");
    std::string path = root + (rest == request.params.end() ? "" : rest->second);
    if (path.back() == '/') path += "index.html";
    FileCache::FilePtr file = cache.get(path);
    if (!file) file = cache.get_or_load(path);
    if (!file) return Response::error(404, request.path);
    return serve(request, *file);
  };
}

}  // namespace web
