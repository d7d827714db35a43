// Where pages come from: an HTTP server on this machine, or a site in memory.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "url.h"

namespace crawl {

struct FetchResult {
  int status = 0;  // 0 if there was no response at all
  std::string content_type = "text/html";
  std::string location;  // of a redirect
  std::string body;

  bool is_redirect() const { return status >= 301 && status <= 308 && !location.empty(); }
  /// Whether another attempt may help.
  bool is_temporary() const { return status == 0 || status == 429 || status >= 500; }
};

/// May be called by several threads at once.
class Fetcher {
 public:
  virtual ~Fetcher() = default;
  virtual FetchResult fetch(const Url& url) = 0;
};

/// Pages by address. Is filled before the crawl begins, and only read during it.
class MemorySite : public Fetcher {
 public:
  void add_page(const std::string& url, std::string body);
  void add_redirect(const std::string& url, const std::string& location, int status = 301);
  void add(const std::string& url, FetchResult result);
  std::size_t size() const { return pages_.size(); }

  FetchResult fetch(const Url& url) override;

 private:
  std::map<std::string, FetchResult> pages_;
};

/// Fails the first attempts at each address, as busy servers do, and counts all attempts.
class FlakyFetcher : public Fetcher {
 public:
  FlakyFetcher(Fetcher& behind, int failures, int status)
      : behind_(behind), failures_(failures), status_(status) {}

  FetchResult fetch(const Url& url) override;
  int attempts(const std::string& url) const;
  int total() const;

 private:
  Fetcher& behind_;
  const int failures_;
  const int status_;
  mutable std::mutex mutex_;
  std::map<std::string, int> attempts_;
};

/// HTTP/1.0 over TCP to 127.0.0.1, whatever the host's name is: for servers embedded in tests and tools.
class LoopbackFetcher : public Fetcher {
 public:
  explicit LoopbackFetcher(std::uint16_t port) : port_(port) {}
  FetchResult fetch(const Url& url) override;

 private:
  const std::uint16_t port_;
};

/// A response as it came over the wire; status 0 if it is none.
FetchResult parse_response(const std::string& bytes);

}  // namespace crawl
