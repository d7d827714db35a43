// One line per request. Requests only queue their entry; a thread of the log formats and writes.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "clock.h"

namespace web {

struct LogEntry {
  Millis time = 0;
  std::string client;
  std::string method;
  std::string target;
  int status = 0;
  std::size_t bytes = 0;
  std::uint64_t connection = 0;
};

/// `client [time] "METHOD target" status bytes connection`
std::string format_entry(const LogEntry& entry);

/// Where lines go. Only the log's own thread writes.
class LogSink {
 public:
  virtual ~LogSink() = default;
  virtual void write(const std::vector<std::string>& lines) = 0;
};

/// Keeps the lines: for tests, and to look at the log through the server itself.
class MemorySink : public LogSink {
 public:
  void write(const std::vector<std::string>& lines) override;
  std::vector<std::string> lines() const;
  std::size_t batches() const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
  std::size_t batches_ = 0;
};

class AccessLog {
 public:
  struct Stats {
    std::uint64_t appended = 0;
    std::uint64_t written = 0;
    std::uint64_t dropped = 0;  // the queue was full
  };

  /// Keeps the latest `recent_capacity` entries for `recent`.
  AccessLog(LogSink& sink, std::size_t queue_capacity, std::size_t recent_capacity);
  /// Writes what is queued.
  ~AccessLog();

  /// Never waits for the sink; false if the entry was dropped.
  bool append(LogEntry entry);
  /// Returns when everything that was appended before is written.
  void flush();
  /// Writes what is queued and ends the thread; entries that come later are dropped.
  void close();

  /// The latest entries, the newest first.
  std::vector<LogEntry> recent(std::size_t limit) const;
  Stats stats() const;

 private:
  void write_loop();

  LogSink& sink_;
  const std::size_t queue_capacity_;
  const std::size_t recent_capacity_;

  mutable std::mutex mutex_;
  std::condition_variable queued_;
  std::condition_variable written_;
  std::vector<LogEntry> queue_;
  std::deque<LogEntry> recent_;
  Stats stats_;
  bool closing_ = false;

  std::mutex join_mutex_;
  std::thread writer_;
};

}  // namespace web
