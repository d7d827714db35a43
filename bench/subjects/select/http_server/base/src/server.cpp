#include "server.h"

#include <array>
#include <exception>
#include <utility>

#include "cookies.h"

namespace web {

Server::Server(ServerParts parts, ServerConfig config)
    : parts_(parts),
      config_(config),
      registry_(*parts.clock, config.max_connections),
      pool_(config.workers, config.queue_capacity),
      requests_(parts.metrics->counter("http_requests_total")),
      errors_(parts.metrics->counter("http_errors_total")),
      refused_(parts.metrics->counter("http_connections_refused_total")),
      active_(parts.metrics->gauge("http_requests_active")),
      latency_(parts.metrics->histogram("http_request_millis", {1, 5, 10, 50, 100, 500, 1000})),
      sizes_(parts.metrics->histogram("http_response_bytes", {128, 1024, 8192, 65536})) {}

Server::~Server() {
  stop();
}

void Server::start(std::shared_ptr<Listener> listener) {
  listener_ = std::move(listener);
  acceptor_ = std::thread([this] { accept_loop(); });
}

void Server::stop() {
  stopping_ = true;
  std::lock_guard lock(stop_mutex_);
  if (listener_) listener_->close();
  if (acceptor_.joinable()) acceptor_.join();
  registry_.begin_drain();
  registry_.wait_empty();
  pool_.shutdown(ThreadPool::Pending::kRun);
  if (parts_.log) parts_.log->flush();
}

void Server::accept_loop() {
  while (std::shared_ptr<Connection> connection = listener_->accept()) {
    const auto id = registry_.add(connection);
    const bool taken = id && pool_.try_submit([this, id = *id, connection] {
      serve(id, *connection);
      connection->close();
      registry_.remove(id);
    });
    if (taken) continue;
    refused_.add();
    Response busy = Response::error(503, "too many connections");
    busy.headers.set("Connection", "close");
    connection->write(busy.serialise());
    connection->close();
    if (id) registry_.remove(*id);
  }
}

bool Server::read_request(ConnectionRegistry::Id id, Connection& connection, RequestParser& parser,
                          std::string& buffer) {
  bool busy = false;
  std::array<char, 4096> chunk;
  while (!parser.done()) {
    if (buffer.empty()) {
      const std::size_t count = connection.read(chunk.data(), chunk.size());
      if (count == 0) return false;
      buffer.assign(chunk.data(), count);
    }
    if (!busy && !registry_.mark_busy(id)) return false;
    busy = true;
    buffer.erase(0, parser.feed(buffer));
    if (parser.take_expect_continue() && !connection.write("HTTP/1.1 100 Continue\r\n\r\n")) return false;
    if (parser.failed()) {
      Response refusal = Response::error(parser.error_status(), parser.error_reason());
      refusal.headers.set("Connection", "close");
      connection.write(refusal.serialise());
      errors_.add();
      record(id, connection, Request(), refusal, parts_.clock->now());
      return false;
    }
  }
  return true;
}

void Server::serve(ConnectionRegistry::Id id, Connection& connection) {
  RequestParser parser(config_.limits);
  std::string buffer;
  for (std::size_t served = 1; read_request(id, connection, parser, buffer); ++served) {
    Request request = parser.take();
    const Millis begun = parts_.clock->now();
    active_.add(1);
    Response response = answer(request, connection);
    active_.add(-1);
    const bool keep_alive =
        request.wants_keep_alive() && served < config_.max_requests_per_connection && !stopping_;
    response.headers.set("Connection", keep_alive ? "keep-alive" : "close");
    // Logged before it is sent: who has seen the response finds it in the log.
    record(id, connection, request, response, begun);
    const bool written = connection.write(response.serialise(request.method == "HEAD"));
    if (!registry_.mark_idle(id) || !keep_alive || !written) return;
  }
}

Response Server::answer(Request& request, const Connection& connection) {
  requests_.add();
  if (parts_.limiter) {
    const RateLimiter::Decision decision = parts_.limiter->take(connection.peer());
    if (!decision.allowed) {
      Response response = Response::error(429);
      response.headers.set("Retry-After", std::to_string((decision.retry_after + 999) / 1000));
      return response;
    }
  }
  try {
    return parts_.router->dispatch(request);
  } catch (const std::exception& failure) {
    errors_.add();
    return Response::error(500, failure.what());
  }
}

void Server::record(ConnectionRegistry::Id id, const Connection& connection, const Request& request,
                    const Response& response, Millis begun) {
  const Millis now = parts_.clock->now();
  latency_.observe(now - begun);
  sizes_.observe(static_cast<std::int64_t>(response.body_size()));
  if (!parts_.log) return;
  parts_.log->append(
      {begun, connection.peer(), request.method, request.target, response.status, response.body_size(), id});
}

Handler with_session(SessionStore& store, std::function<Response(Request&, Session&)> handler) {
  return [&store, handler = std::move(handler)](Request& request) {
    const auto cookies = parse_cookies(request.headers);
    const auto sid = cookies.find("sid");
    SessionStore::SessionPtr session;
    if (sid != cookies.end()) session = store.find(sid->second);
    if (session) return handler(request, *session);
    std::string id;
    std::tie(id, session) = store.create();
    Response response = handler(request, *session);
    SetCookie cookie;
    cookie.name = "sid";
    cookie.value = id;
    if (const auto text = cookie.format()) response.headers.add("Set-Cookie", *text);
    return response;
  };
}

}  // namespace web
