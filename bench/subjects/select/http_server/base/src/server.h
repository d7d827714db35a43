// The server: accepts connections, serves requests with a pool of threads, and ends without cutting anybody
// off.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "access_log.h"
#include "clock.h"
#include "connection_registry.h"
#include "metrics.h"
#include "rate_limiter.h"
#include "request_parser.h"
#include "router.h"
#include "session_store.h"
#include "thread_pool.h"
#include "transport.h"

namespace web {

struct ServerConfig {
  std::size_t workers = 4;
  std::size_t queue_capacity = 64;  // connections that wait for a worker
  std::size_t max_connections = 256;
  std::size_t max_requests_per_connection = 1000;
  ParserLimits limits;
};

/// What a server works with. The optional parts may be null; all outlive the server.
struct ServerParts {
  const Clock* clock = nullptr;
  Router* router = nullptr;
  MetricsRegistry* metrics = nullptr;
  AccessLog* log = nullptr;        // optional
  RateLimiter* limiter = nullptr;  // optional
};

/// A connection occupies a worker from its first request until it ends, so there should be as many workers as
/// there are connections that stay open.
class Server {
 public:
  Server(ServerParts parts, ServerConfig config);
  /// Stops.
  ~Server();

  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Begins to accept. Once only.
  void start(std::shared_ptr<Listener> listener);
  /// Accepts no more, closes idle connections, lets running requests end, and returns when all is done. May
  /// be called several times and by several threads.
  void stop();

  ConnectionRegistry& connections() { return registry_; }
  ThreadPool::Stats pool_stats() const { return pool_.stats(); }

 private:
  void accept_loop();
  void serve(ConnectionRegistry::Id id, Connection& connection);
  /// Reads until a request is complete; false if the connection ended, or ends because of an error.
  bool read_request(ConnectionRegistry::Id id, Connection& connection, RequestParser& parser,
                    std::string& buffer);
  Response answer(Request& request, const Connection& connection);
  void record(ConnectionRegistry::Id id, const Connection& connection, const Request& request,
              const Response& response, Millis begun);

  const ServerParts parts_;
  const ServerConfig config_;
  ConnectionRegistry registry_;
  ThreadPool pool_;

  Counter& requests_;
  Counter& errors_;
  Counter& refused_;
  Gauge& active_;
  Histogram& latency_;
  Histogram& sizes_;

  std::atomic<bool> stopping_{false};
  std::shared_ptr<Listener> listener_;
  std::thread acceptor_;
  std::mutex stop_mutex_;
};

/// Wraps a handler that wants the visitor's session: finds it by the cookie "sid", or makes one and sets the
/// cookie.
Handler with_session(SessionStore& store, std::function<Response(Request&, Session&)> handler);

}  // namespace web
