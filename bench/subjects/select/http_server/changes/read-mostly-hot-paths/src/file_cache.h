// Files in memory: loaded once however many requests ask for them, and evicted by age when they take too much
// room.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "response.h"

namespace web {

/// A file as it is served. Never changes once it is in the cache.
struct CachedFile {
  Body content;
  std::string content_type;
  std::string etag;
  std::int64_t modified = 0;  // seconds since 1970
};

/// Where files come from. `load` may be called by several threads at once.
class FileSource {
 public:
  struct File {
    std::string content;
    std::int64_t modified = 0;
  };
  virtual ~FileSource() = default;
  virtual std::optional<File> load(const std::string& path) = 0;
};

class FileCache {
 public:
  using FilePtr = std::shared_ptr<const CachedFile>;

  struct Stats {
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
    std::uint64_t loads = 0;
    std::uint64_t evictions = 0;
    std::size_t files = 0;
    std::size_t bytes = 0;
  };
  struct EntryInfo {
    std::string path;
    std::size_t bytes = 0;
    std::uint64_t uses = 0;
  };

  FileCache(FileSource& source, std::size_t capacity_bytes) : source_(source), capacity_(capacity_bytes) {}

  /// The file if it is cached. Counts as a use. Requests for cached files do not wait for each other.
  FilePtr get(const std::string& path);
  /// The file, loaded if need be: threads that ask for the same file meanwhile wait for that one load. Null
  /// if there is no such file; that is remembered until `invalidate`.
  FilePtr get_or_load(const std::string& path);
  /// Puts a file there, in place of another. False if it alone is larger than the cache.
  bool put(const std::string& path, FileSource::File file);
  bool contains(const std::string& path) const;

  /// Forgets a file, or that there is none.
  bool invalidate(const std::string& path);
  /// Forgets all files below a folder; returns how many.
  std::size_t invalidate_below(std::string_view prefix);
  void clear();

  Stats stats() const;
  /// The most used files first; at most `limit`.
  std::vector<EntryInfo> hottest(std::size_t limit) const;

 private:
  struct Entry {
    FilePtr file;
    std::size_t bytes = 0;
    std::uint64_t uses = 0;
    std::uint64_t last_used = 0;
  };
  using Entries = std::map<std::string, Entry, std::less<>>;

  FilePtr touch(Entry& entry);
  void insert(const std::string& path, FilePtr file);
  void make_room(std::size_t bytes);
  void erase(Entries::iterator entry);

  FileSource& source_;
  const std::size_t capacity_;

  mutable std::shared_mutex mutex_;
  std::condition_variable_any loaded_;
  Entries entries_;
  std::set<std::string, std::less<>> missing_;
  std::map<std::string, std::uint64_t, std::less<>> loading_;  // who loads what, by ticket
  std::size_t bytes_ = 0;
  std::uint64_t tick_ = 0;
  std::atomic<std::uint64_t> hits_{0};
  std::atomic<std::uint64_t> misses_{0};
  Stats counts_;  // without hits and misses
};

/// "text/html; charset=utf-8" for "/index.html".
std::string_view content_type_of(std::string_view path);

FileCache::FilePtr make_cached_file(std::string_view path, FileSource::File file);

}  // namespace web
