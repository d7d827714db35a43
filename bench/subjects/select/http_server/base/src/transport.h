// What the server needs of a network: connections that carry bytes both ways, and a place where they arrive.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace web {

class Connection {
 public:
  virtual ~Connection() = default;

  /// Waits for bytes; 0 at the end of the stream.
  virtual std::size_t read(char* buffer, std::size_t size) = 0;
  /// Writes everything; false if the other end is gone.
  virtual bool write(std::string_view data) = 0;
  /// Ends reading: a waiting `read`, and each later one that finds no bytes, returns 0. May be called by any
  /// thread.
  virtual void shutdown_read() = 0;
  /// Ends both directions. May be called by any thread.
  virtual void close() = 0;
  /// Who is at the other end, for logs and limits.
  virtual std::string peer() const = 0;
};

class Listener {
 public:
  virtual ~Listener() = default;

  /// Waits for a connection; null once the listener is closed.
  virtual std::shared_ptr<Connection> accept() = 0;
  /// Ends a waiting `accept`. May be called by any thread.
  virtual void close() = 0;
};

}  // namespace web
