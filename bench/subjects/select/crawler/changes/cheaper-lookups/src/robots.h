// What a site asks of crawlers in its robots.txt (RFC 9309), parsed once per host.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "clock.h"
#include "url.h"

namespace crawl {

class RobotsRules {
 public:
  /// The rules for this agent: of its own group if there is one, or else of the group for everybody.
  static RobotsRules parse(std::string_view text, std::string_view agent);
  static RobotsRules allow_all() { return {}; }
  static RobotsRules disallow_all();

  /// The longest pattern that matches decides; allowing wins if both are equally long.
  bool allows(std::string_view target) const;
  std::optional<Millis> crawl_delay() const { return crawl_delay_; }
  const std::vector<std::string>& sitemaps() const { return sitemaps_; }
  std::size_t size() const { return rules_.size(); }

  /// `*` stands for anything, `$` at the end for the end.
  static bool matches(std::string_view pattern, std::string_view target);

 private:
  struct Rule {
    std::string pattern;
    bool allow = false;
  };

  std::vector<Rule> rules_;
  std::optional<Millis> crawl_delay_;
  std::vector<std::string> sitemaps_;
};

/// The rules of all hosts met so far. Each robots.txt is loaded by the first thread that needs it, while the
/// others that need the same one wait.
class RobotsCache {
 public:
  using RulesPtr = std::shared_ptr<const RobotsRules>;
  /// Gets the address of a robots.txt; may throw, which means that the host may not be visited for now.
  using Loader = std::function<RobotsRules(const Url&)>;

  struct Stats {
    std::uint64_t lookups = 0;
    std::uint64_t loads = 0;
    std::uint64_t failures = 0;
    std::size_t hosts = 0;
  };

  explicit RobotsCache(Loader loader) : loader_(std::move(loader)) {}

  RulesPtr rules_for(const Url& url);
  /// Forgets a host, so that its rules are loaded again when they are needed.
  bool forget(const std::string& authority);
  Stats stats() const;

 private:
  struct Entry {
    bool ready = false;
    RulesPtr rules;
  };

  RulesPtr load(const Url& url);
  std::shared_ptr<Entry> find(const std::string& authority) const;

  const Loader loader_;
  std::atomic<std::uint64_t> lookups_{0};

  mutable std::shared_mutex entries_mutex_;
  std::map<std::string, std::shared_ptr<Entry>> entries_;

  mutable std::mutex mutex_;  // for what is in the entries, and the counts of loads
  std::condition_variable loaded_;
  Stats stats_;
};

}  // namespace crawl
