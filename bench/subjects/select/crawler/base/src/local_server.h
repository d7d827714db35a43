// A tiny HTTP/1.0 server on the loopback interface that serves what a fetcher gives: the other side of
// LoopbackFetcher in tests and demonstrations.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "fetcher.h"

namespace crawl {

class LocalServer {
 public:
  /// Listens on a port that the kernel chooses, with that many threads. Throws std::system_error.
  LocalServer(Fetcher& pages, std::size_t threads);
  /// Ends after the requests that are being served.
  ~LocalServer();

  LocalServer(const LocalServer&) = delete;
  LocalServer& operator=(const LocalServer&) = delete;

  std::uint16_t port() const { return port_; }
  std::uint64_t requests() const { return requests_.load(); }

 private:
  void serve_loop();
  void serve(int descriptor);

  Fetcher& pages_;
  int listener_ = -1;
  int wake_ = -1;  // an eventfd that becomes readable when the server ends
  std::uint16_t port_ = 0;
  std::atomic<std::uint64_t> requests_{0};
  std::vector<std::thread> threads_;
};

}  // namespace crawl
