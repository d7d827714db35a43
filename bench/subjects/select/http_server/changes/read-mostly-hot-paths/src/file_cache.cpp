#include "file_cache.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "text.h"

namespace web {

FileCache::FilePtr make_cached_file(std::string_view path, FileSource::File file) {
  auto cached = std::make_shared<CachedFile>();
  cached->content_type = content_type_of(path);
  cached->etag = '"' + fingerprint(file.content) + '"';
  cached->modified = file.modified;
  cached->content = std::make_shared<const std::string>(std::move(file.content));
  return cached;
}

/// Needs the lock.
FileCache::FilePtr FileCache::touch(Entry& entry) {
  ++entry.uses;
  entry.last_used = ++tick_;
  return entry.file;
}

FileCache::FilePtr FileCache::get(const std::string& path) {
  std::shared_lock lock(mutex_);
  const auto found = entries_.find(path);
  if (found == entries_.end()) {
    misses_.fetch_add(1, std::memory_order_relaxed);
    return nullptr;
  }
  hits_.fetch_add(1, std::memory_order_relaxed);
  return touch(found->second);
}

FileCache::FilePtr FileCache::get_or_load(const std::string& path) {
  std::unique_lock lock(mutex_);
  for (;;) {
    const auto found = entries_.find(path);
    if (found != entries_.end()) {
      hits_.fetch_add(1, std::memory_order_relaxed);
      return touch(found->second);
    }
    if (missing_.contains(path)) {
      misses_.fetch_add(1, std::memory_order_relaxed);
      return nullptr;
    }
    if (!loading_.contains(path)) break;
    loaded_.wait(lock);
  }
  misses_.fetch_add(1, std::memory_order_relaxed);
  ++counts_.loads;
  const std::uint64_t ticket = ++tick_;
  loading_[path] = ticket;
  lock.unlock();

  FilePtr file;
  if (auto content = source_.load(path)) file = make_cached_file(path, std::move(*content));

  lock.lock();
  // An `invalidate` in between has taken the ticket away: then the file may be stale, and is served but not
  // kept.
  const auto mark = loading_.find(path);
  if (mark != loading_.end() && mark->second == ticket) {
    loading_.erase(mark);
    if (file) {
      insert(path, file);
    } else {
      missing_.insert(path);
    }
  }
  lock.unlock();
  loaded_.notify_all();
  return file;
}

/// Needs the lock.
void FileCache::insert(const std::string& path, FilePtr file) {
  const auto old = entries_.find(path);
  if (old != entries_.end()) erase(old);
  const std::size_t bytes = file->content->size();
  if (bytes > capacity_) return;
  make_room(bytes);
  Entry& entry = entries_[path];
  entry.file = std::move(file);
  entry.bytes = bytes;
  entry.last_used = ++tick_;
  bytes_ += bytes;
  missing_.erase(path);
}

/// Evicts the files that were not used for the longest time. Needs the lock.
void FileCache::make_room(std::size_t bytes) {
  while (bytes_ + bytes > capacity_) {
    const auto oldest = std::min_element(entries_.begin(), entries_.end(), [](const auto& a, const auto& b) {
      return a.second.last_used < b.second.last_used;
    });
    erase(oldest);
    ++counts_.evictions;
  }
}

/// Needs the lock.
void FileCache::erase(Entries::iterator entry) {
  bytes_ -= entry->second.bytes;
  entries_.erase(entry);
}

bool FileCache::put(const std::string& path, FileSource::File file) {
  FilePtr cached = make_cached_file(path, std::move(file));
  std::unique_lock lock(mutex_);
  insert(path, std::move(cached));
  return entries_.contains(path);
}

bool FileCache::contains(const std::string& path) const {
  std::shared_lock lock(mutex_);
  return entries_.contains(path);
}

bool FileCache::invalidate(const std::string& path) {
  std::unique_lock lock(mutex_);
  bool known = missing_.erase(path) > 0;
  if (loading_.erase(path) > 0) {
    known = true;
    loaded_.notify_all();
  }
  const auto found = entries_.find(path);
  if (found != entries_.end()) {
    erase(found);
    known = true;
  }
  return known;
}

std::size_t FileCache::invalidate_below(std::string_view prefix) {
  std::unique_lock lock(mutex_);
  std::size_t count = 0;
  for (auto entry = entries_.lower_bound(prefix);
       entry != entries_.end() && std::string_view(entry->first).substr(0, prefix.size()) == prefix;) {
    erase(entry++);
    ++count;
  }
  return count;
}

void FileCache::clear() {
  std::unique_lock lock(mutex_);
  entries_.clear();
  missing_.clear();
  bytes_ = 0;
}

FileCache::Stats FileCache::stats() const {
  std::shared_lock lock(mutex_);
  Stats stats = counts_;
  stats.hits = hits_.load(std::memory_order_relaxed);
  stats.misses = misses_.load(std::memory_order_relaxed);
  stats.files = entries_.size();
  stats.bytes = bytes_;
  return stats;
}

std::vector<FileCache::EntryInfo> FileCache::hottest(std::size_t limit) const {
  std::vector<EntryInfo> infos;
  {
    std::shared_lock lock(mutex_);
    infos.reserve(entries_.size());
    for (const auto& [path, entry] : entries_) infos.push_back({path, entry.bytes, entry.uses});
  }
  std::stable_sort(infos.begin(), infos.end(),
                   [](const EntryInfo& a, const EntryInfo& b) { return a.uses > b.uses; });
  if (infos.size() > limit) infos.resize(limit);
  return infos;
}

std::string_view content_type_of(std::string_view path) {
  static constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
      {".html", "text/html; charset=utf-8"},
      {".css", "text/css; charset=utf-8"},
      {".js", "text/javascript"},
      {".json", "application/json"},
      {".txt", "text/plain; charset=utf-8"},
      {".svg", "image/svg+xml"},
      {".png", "image/png"},
      {".jpg", "image/jpeg"},
      {".ico", "image/x-icon"},
      {".wasm", "application/wasm"},
  };
  for (const auto& [ending, type] : kTypes) {
    if (path.size() >= ending.size() && path.substr(path.size() - ending.size()) == ending) return type;
  }
  return "application/octet-stream";
}

}  // namespace web
