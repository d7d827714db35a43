#include "access_log.h"

#include <algorithm>
#include <utility>

namespace web {

std::string format_entry(const LogEntry& entry) {
  std::string line = entry.client;
  line += " [" + std::to_string(entry.time) + "] \"" + entry.method + " ";
  // A target that was refused may hold anything; the log stays one line per request.
  for (const char c : entry.target) line += c == '"' || static_cast<unsigned char>(c) < 0x20 ? '?' : c;
  line += "\" " + std::to_string(entry.status) + " " + std::to_string(entry.bytes) + " " +
          std::to_string(entry.connection);
  return line;
}

void MemorySink::write(const std::vector<std::string>& lines) {
  std::lock_guard lock(mutex_);
  lines_.insert(lines_.end(), lines.begin(), lines.end());
  ++batches_;
}

std::vector<std::string> MemorySink::lines() const {
  std::lock_guard lock(mutex_);
  return lines_;
}

std::size_t MemorySink::batches() const {
  std::lock_guard lock(mutex_);
  return batches_;
}

AccessLog::AccessLog(LogSink& sink, std::size_t queue_capacity, std::size_t recent_capacity)
    : sink_(sink),
      queue_capacity_(std::max<std::size_t>(queue_capacity, 1)),
      recent_capacity_(recent_capacity),
      writer_([this] { write_loop(); }) {}

AccessLog::~AccessLog() {
  close();
}

bool AccessLog::append(LogEntry entry) {
  {
    std::lock_guard lock(mutex_);
    if (closing_ || queue_.size() >= queue_capacity_) {
      ++stats_.dropped;
      return false;
    }
    ++stats_.appended;
    if (recent_capacity_ > 0) {
      if (recent_.size() == recent_capacity_) recent_.pop_front();
      recent_.push_back(entry);
    }
    queue_.push_back(std::move(entry));
  }
  queued_.notify_one();
  return true;
}

void AccessLog::write_loop() {
  std::unique_lock lock(mutex_);
  for (;;) {
    queued_.wait(lock, [this] { return closing_ || !queue_.empty(); });
    if (queue_.empty()) return;
    std::vector<LogEntry> batch;
    batch.swap(queue_);
    lock.unlock();
    std::vector<std::string> lines;
    lines.reserve(batch.size());
    for (const LogEntry& entry : batch) lines.push_back(format_entry(entry));
    sink_.write(lines);
    lock.lock();
    stats_.written += batch.size();
    written_.notify_all();
  }
}

void AccessLog::flush() {
  std::unique_lock lock(mutex_);
  const std::uint64_t target = stats_.appended;
  written_.wait(lock, [&] { return stats_.written >= target; });
}

void AccessLog::close() {
  {
    std::lock_guard lock(mutex_);
    closing_ = true;
  }
  queued_.notify_all();
  std::lock_guard lock(join_mutex_);
  if (writer_.joinable()) writer_.join();
}

std::vector<LogEntry> AccessLog::recent(std::size_t limit) const {
  std::lock_guard lock(mutex_);
  std::vector<LogEntry> entries;
  const std::size_t count = std::min(limit, recent_.size());
  entries.reserve(count);
  for (std::size_t i = 0; i < count; ++i) entries.push_back(recent_[recent_.size() - 1 - i]);
  return entries;
}

AccessLog::Stats AccessLog::stats() const {
  std::lock_guard lock(mutex_);
  return stats_;
}

}  // namespace web
