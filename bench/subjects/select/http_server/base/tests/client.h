// The client's side of tests: sends requests and reads responses, and a whole server around them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "admin.h"
#include "memory_transport.h"
#include "server.h"
#include "static_files.h"

namespace web {

struct ClientResponse {
  int status = 0;
  Headers headers;
  std::string body;
};

class Client {
 public:
  explicit Client(std::shared_ptr<Connection> connection) : connection_(std::move(connection)) {}

  bool connected() const { return connection_ != nullptr; }
  bool send(const std::string& bytes) { return connection_->write(bytes); }
  /// The next response; nothing if the connection ends before it is complete.
  std::optional<ClientResponse> receive(bool head_only = false);
  /// Sends a request and waits for its response.
  std::optional<ClientResponse> request(const std::string& method, const std::string& target,
                                        const std::string& body = "", const std::string& headers = "");
  std::optional<ClientResponse> get(const std::string& target, const std::string& headers = "") {
    return request("GET", target, "", headers);
  }
  /// Whether the server has ended the connection.
  bool at_end();
  void close() { connection_->close(); }

 private:
  bool fill();

  std::shared_ptr<Connection> connection_;
  std::string buffer_;
};

/// Files by path, given at the beginning.
class MapSource : public FileSource {
 public:
  explicit MapSource(std::map<std::string, std::string> files) : files_(std::move(files)) {}
  std::optional<File> load(const std::string& path) override {
    const auto found = files_.find(path);
    if (found == files_.end()) return std::nullopt;
    return File{found->second, 784111777};
  }

 private:
  const std::map<std::string, std::string> files_;
};

/// A site with everything switched on: /hello, /echo, /fail, /visits (counts in the session), /files/,
/// /channels/, /-/.
class TestSite {
 public:
  explicit TestSite(ServerConfig config = {}, std::optional<RatePolicy> policy = std::nullopt);

  Client connect(const std::string& name = "client") { return Client(listener->connect(name)); }

  ManualClock clock;
  MetricsRegistry metrics;
  MemorySink sink;
  AccessLog log{sink, 10'000, 32};
  MapSource source;
  FileCache cache{source, 4096};
  SessionStore sessions{clock, 60'000, 42};
  ChannelHub channels{8, 32};
  Router router;
  std::optional<RateLimiter> limiter;
  std::shared_ptr<MemoryListener> listener = std::make_shared<MemoryListener>();
  std::optional<Server> server;
};

}  // namespace web
