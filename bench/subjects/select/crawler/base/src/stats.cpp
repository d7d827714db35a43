#include "stats.h"

#include <algorithm>

namespace crawl {

void CrawlStats::record_fetch(const std::string& host, int status, std::size_t bytes, Millis now) {
  std::lock_guard lock(mutex_);
  HostStats& own = hosts_[host];
  if (own.fetches == 0) own.first_fetch = now;
  own.last_fetch = std::max(own.last_fetch, now);
  ++own.fetches;
  own.bytes += bytes;
  if (status >= 400 || status == 0) ++own.failures;
  ++statuses_[status];
}

CrawlStats::Totals CrawlStats::totals() const {
  Totals totals;
  totals.retries = retries_.load(std::memory_order_relaxed);
  totals.redirects = redirects_.load(std::memory_order_relaxed);
  totals.forbidden = forbidden_.load(std::memory_order_relaxed);
  std::lock_guard lock(mutex_);
  for (const auto& [name, host] : hosts_) {
    totals.fetches += host.fetches;
    totals.failures += host.failures;
    totals.bytes += host.bytes;
  }
  return totals;
}

HostStats CrawlStats::host(const std::string& name) const {
  std::lock_guard lock(mutex_);
  const auto found = hosts_.find(name);
  return found == hosts_.end() ? HostStats() : found->second;
}

std::map<std::string, HostStats> CrawlStats::hosts() const {
  std::lock_guard lock(mutex_);
  return hosts_;
}

std::map<int, std::uint64_t> CrawlStats::statuses() const {
  std::lock_guard lock(mutex_);
  return statuses_;
}

void CrawlStats::reset() {
  retries_ = 0;
  redirects_ = 0;
  forbidden_ = 0;
  std::lock_guard lock(mutex_);
  hosts_.clear();
  statuses_.clear();
}

std::string CrawlStats::report() const {
  std::string text = "host fetches failures bytes\n";
  for (const auto& [name, host] : hosts()) {
    text += name + " " + std::to_string(host.fetches) + " " + std::to_string(host.failures) + " " +
            std::to_string(host.bytes) + "\n";
  }
  return text;
}

}  // namespace crawl
