// A network inside the process: what tests and embedders use in place of sockets.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

#include "transport.h"

namespace web {

/// Bytes from one end to the other, at most `capacity` of them on the way.
class MemoryPipe {
 public:
  explicit MemoryPipe(std::size_t capacity) : capacity_(capacity) {}

  std::size_t read(char* buffer, std::size_t size);
  bool write(std::string_view data);
  /// No more bytes will come; those on the way can still be read.
  void close_writing();
  /// Nobody will read any more: writing fails from now on.
  void close_reading();
  std::size_t pending() const;

 private:
  const std::size_t capacity_;
  mutable std::mutex mutex_;
  std::condition_variable readable_;
  std::condition_variable writable_;
  std::string bytes_;
  bool writing_closed_ = false;
  bool reading_closed_ = false;
};

class MemoryConnection : public Connection {
 public:
  MemoryConnection(std::shared_ptr<MemoryPipe> in, std::shared_ptr<MemoryPipe> out, std::string peer);
  ~MemoryConnection() override;

  std::size_t read(char* buffer, std::size_t size) override { return in_->read(buffer, size); }
  bool write(std::string_view data) override { return out_->write(data); }
  void shutdown_read() override { in_->close_writing(); }
  void close() override;
  std::string peer() const override { return peer_; }

 private:
  const std::shared_ptr<MemoryPipe> in_;
  const std::shared_ptr<MemoryPipe> out_;
  const std::string peer_;
};

class MemoryListener : public Listener {
 public:
  explicit MemoryListener(std::size_t backlog = 64, std::size_t pipe_capacity = 64 * 1024)
      : backlog_(backlog), pipe_capacity_(pipe_capacity) {}

  std::shared_ptr<Connection> accept() override;
  void close() override;

  /// The client's end of a new connection, or null if the listener is closed or too many wait to be accepted.
  std::shared_ptr<Connection> connect(std::string client_name);

 private:
  const std::size_t backlog_;
  const std::size_t pipe_capacity_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<std::shared_ptr<Connection>> waiting_;
  bool closed_ = false;
};

}  // namespace web
