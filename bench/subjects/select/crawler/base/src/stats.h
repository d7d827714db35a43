// What happened during a crawl, in numbers: in total and per host.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "clock.h"

namespace crawl {

struct HostStats {
  std::uint64_t fetches = 0;
  std::uint64_t failures = 0;
  std::uint64_t bytes = 0;
  Millis first_fetch = 0;
  Millis last_fetch = 0;
};

class CrawlStats {
 public:
  struct Totals {
    std::uint64_t fetches = 0;
    std::uint64_t failures = 0;
    std::uint64_t retries = 0;
    std::uint64_t redirects = 0;
    std::uint64_t forbidden = 0;  // by robots.txt
    std::uint64_t bytes = 0;
  };

  void record_fetch(const std::string& host, int status, std::size_t bytes, Millis now);
  void record_retry() { retries_.fetch_add(1, std::memory_order_relaxed); }
  void record_redirect() { redirects_.fetch_add(1, std::memory_order_relaxed); }
  void record_forbidden() { forbidden_.fetch_add(1, std::memory_order_relaxed); }

  Totals totals() const;
  HostStats host(const std::string& name) const;
  std::map<std::string, HostStats> hosts() const;
  /// How many responses had each status.
  std::map<int, std::uint64_t> statuses() const;
  void reset();

  /// A table for people, hosts by name.
  std::string report() const;

 private:
  std::atomic<std::uint64_t> retries_{0};
  std::atomic<std::uint64_t> redirects_{0};
  std::atomic<std::uint64_t> forbidden_{0};

  mutable std::mutex mutex_;
  std::map<std::string, HostStats> hosts_;
  std::map<int, std::uint64_t> statuses_;
};

}  // namespace crawl
