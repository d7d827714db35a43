// ConnectionPool: connections to one server, opened when they are needed and used again and again.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace net {

// Thread-safe. Connections are known by their numbers, from 1.
class ConnectionPool {
 public:
  // There are never more connections than the limit, which is at least one.
  explicit ConnectionPool(size_t limit = 2, std::string server = "localhost");
  ConnectionPool(const ConnectionPool&) = delete;
  ConnectionPool& operator=(const ConnectionPool&) = delete;

  const std::string& server() const { return server_; }

  // A connection that nobody else has. Nothing if all of them are in use.
  std::optional<int> try_acquire();
  // False if it was not in use.
  bool release(int connection);
  // It is broken: not to be used again.
  bool discard(int connection);
  // Those that are not in use. How many there were.
  size_t close_idle();

  size_t limit() const;
  // What is in use stays open; idle connections beyond the limit are closed.
  void set_limit(size_t limit);

  size_t open_count() const;
  size_t idle_count() const;
  bool is_in_use(int connection) const;
  std::vector<int> in_use() const;

 private:
  // Takes a while: names are resolved, hands are shaken.
  int connect();
  void close_beyond_limit();

  const std::string server_;
  std::atomic<int> last_connection_{0};
  mutable std::mutex mutex_;
  size_t limit_;
  std::vector<int> idle_;  // the one used last at the end
  std::set<int> in_use_;
};

}  // namespace net
