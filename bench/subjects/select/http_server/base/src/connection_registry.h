// Which connections are open and what they do: the server closes idle ones, and waits for busy ones at
// shutdown.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "clock.h"
#include "transport.h"

namespace web {

class ConnectionRegistry {
 public:
  using Id = std::uint64_t;

  struct ConnectionInfo {
    Id id = 0;
    std::string peer;
    bool busy = false;
    std::uint64_t requests = 0;
    Millis idle_for = 0;
  };
  struct Stats {
    std::size_t open = 0;
    std::size_t busy = 0;
    std::size_t peak = 0;
    std::uint64_t accepted = 0;
    std::uint64_t refused = 0;
    std::uint64_t reaped = 0;
  };

  ConnectionRegistry(const Clock& clock, std::size_t max_connections)
      : clock_(clock), max_connections_(max_connections) {}

  /// Nothing if there are too many already, or the server is draining. A new connection counts as idle.
  std::optional<Id> add(std::shared_ptr<Connection> connection);
  void remove(Id id);

  /// A request has begun to arrive. False if the connection was closed for being idle meanwhile.
  bool mark_busy(Id id);
  /// The response is written. False if the connection should end because the server is draining.
  bool mark_idle(Id id);

  /// Closes connections that have been idle for that long; returns how many.
  std::size_t close_idle(Millis longer_than);

  /// From now on nothing is added, idle connections are closed, and busy ones end after their request.
  void begin_drain();
  /// Until no connection is open.
  void wait_empty();

  std::size_t size() const;
  Stats stats() const;
  std::vector<ConnectionInfo> list() const;

 private:
  struct Entry {
    Id id = 0;
    std::shared_ptr<Connection> connection;
    bool busy = false;
    bool closing = false;  // no request will be served any more
    Millis idle_since = 0;
    std::uint64_t requests = 0;
  };

  const Clock& clock_;
  const std::size_t max_connections_;

  mutable std::mutex mutex_;
  std::condition_variable empty_;
  std::map<Id, std::shared_ptr<Entry>> entries_;
  Id last_id_ = 0;
  bool draining_ = false;
  Stats counts_;
};

}  // namespace web
