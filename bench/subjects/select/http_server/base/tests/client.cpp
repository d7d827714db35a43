#include "client.h"

#include <array>
#include <stdexcept>
#include <utility>

#include "text.h"

namespace web {

bool Client::fill() {
  std::array<char, 1024> chunk;
  const std::size_t count = connection_->read(chunk.data(), chunk.size());
  buffer_.append(chunk.data(), count);
  return count > 0;
}

bool Client::at_end() {
  return buffer_.empty() && !fill();
}

std::optional<ClientResponse> Client::receive(bool head_only) {
  std::size_t head = 0;
  while ((head = buffer_.find("\r\n\r\n")) == std::string::npos) {
    if (!fill()) return std::nullopt;
  }
  ClientResponse response;
  std::vector<std::string_view> lines = split(std::string_view(buffer_).substr(0, head), '\n');
  response.status = static_cast<int>(parse_decimal(lines[0].substr(9, 3)).value_or(0));
  for (std::size_t i = 1; i < lines.size(); ++i) {
    std::string_view line = lines[i];
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    const std::size_t colon = line.find(':');
    response.headers.add(line.substr(0, colon), trim(line.substr(colon + 1)));
  }
  buffer_.erase(0, head + 4);
  const auto length = response.headers.get("Content-Length");
  const std::size_t size = head_only || !length ? 0 : parse_decimal(*length).value_or(0);
  while (buffer_.size() < size) {
    if (!fill()) return std::nullopt;
  }
  response.body = buffer_.substr(0, size);
  buffer_.erase(0, size);
  return response;
}

std::optional<ClientResponse> Client::request(const std::string& method, const std::string& target,
                                              const std::string& body, const std::string& headers) {
  std::string text = method + " " + target + " HTTP/1.1\r\nHost: test\r\n" + headers;
  if (!body.empty()) text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  if (!send(text + "\r\n" + body)) return std::nullopt;
  return receive(method == "HEAD");
}

TestSite::TestSite(ServerConfig config, std::optional<RatePolicy> policy)
    : source({{"/site/index.html", "<h1>index</h1>"},
              {"/site/a.txt", "0123456789"},
              {"/site/b.css", "body {}"},
              {"/site/deep/index.html", "deep"}}) {
  if (policy) limiter.emplace(clock, *policy);
  router.add("GET", "/hello", [](Request&) { return Response::text("hello"); });
  router.add("POST", "/echo", [](Request& request) { return Response::text(request.body); });
  router.add("GET", "/fail", [](Request&) -> Response { throw std::runtime_error("broken"); });
  router.add("GET", "/users/:id", [](Request& request) { return Response::text(request.params["id"]); });
  router.add("GET", "/visits", with_session(sessions, [](Request&, Session& session) {
               return Response::text(std::to_string(session.add("visits", 1)));
             }));
  router.add("GET", "/files/*path", static_file_handler(cache, "/site/"));
  server.emplace(ServerParts{&clock, &router, &metrics, &log, limiter ? &*limiter : nullptr}, config);
  add_channel_routes(router, channels);
  add_admin_routes(router, {&*server, &metrics, &cache, &sessions, &log, &channels});
  server->start(listener);
}

}  // namespace web
