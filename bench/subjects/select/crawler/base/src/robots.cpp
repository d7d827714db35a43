#include "robots.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <utility>

namespace crawl {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::string_view strip(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

struct Line {
  std::string field;
  std::string value;
};

/// "field: value # comment" lines; others are left out.
std::vector<Line> parse_lines(std::string_view text) {
  std::vector<Line> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    line = line.substr(0, line.find('#'));
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    lines.push_back({lower(strip(line.substr(0, colon))), std::string(strip(line.substr(colon + 1)))});
  }
  return lines;
}

}  // namespace

RobotsRules RobotsRules::parse(std::string_view text, std::string_view agent) {
  const std::string name = lower(agent);
  RobotsRules own;
  RobotsRules common;
  bool has_own = false;
  bool in_agents = false;  // several agents may share a group
  bool for_own = false;
  bool for_common = false;
  std::vector<std::string> sitemaps;
  for (const Line& line : parse_lines(text)) {
    if (line.field == "sitemap") {
      sitemaps.push_back(line.value);
      continue;
    }
    if (line.field == "user-agent") {
      if (!in_agents) for_own = for_common = false;
      in_agents = true;
      const std::string value = lower(line.value);
      if (value == "*") for_common = true;
      if (value == name) for_own = has_own = true;
      continue;
    }
    in_agents = false;
    for (RobotsRules* rules : {for_own ? &own : nullptr, for_common ? &common : nullptr}) {
      if (!rules) continue;
      if (line.field == "allow" || line.field == "disallow") {
        // An empty pattern forbids nothing.
        if (!line.value.empty()) rules->rules_.push_back({line.value, line.field == "allow"});
      } else if (line.field == "crawl-delay") {
        const double seconds = std::strtod(line.value.c_str(), nullptr);
        if (seconds >= 0) rules->crawl_delay_ = static_cast<Millis>(seconds * 1000);
      }
    }
  }
  RobotsRules& chosen = has_own ? own : common;
  chosen.sitemaps_ = std::move(sitemaps);
  return std::move(chosen);
}

RobotsRules RobotsRules::disallow_all() {
  RobotsRules rules;
  rules.rules_.push_back({"/", false});
  return rules;
}

bool RobotsRules::matches(std::string_view pattern, std::string_view target) {
  const bool anchored = !pattern.empty() && pattern.back() == '$';
  if (anchored) pattern.remove_suffix(1);
  // Where the pattern may stand after each of its characters, as a set of positions in the target.
  std::vector<bool> reachable(target.size() + 1);
  reachable[0] = true;
  for (const char c : pattern) {
    std::vector<bool> next(target.size() + 1);
    bool any = false;
    for (std::size_t at = 0; at <= target.size(); ++at) {
      any = any || reachable[at];
      if (c == '*') {
        next[at] = any;
      } else if (reachable[at] && at < target.size() && target[at] == c) {
        next[at + 1] = true;
      }
    }
    reachable = std::move(next);
  }
  return anchored ? reachable.back() : std::find(reachable.begin(), reachable.end(), true) != reachable.end();
}

bool RobotsRules::allows(std::string_view target) const {
  if (target == "/robots.txt") return true;
  const Rule* best = nullptr;
  for (const Rule& rule : rules_) {
    if (!matches(rule.pattern, target)) continue;
    if (!best || rule.pattern.size() > best->pattern.size() ||
        (rule.pattern.size() == best->pattern.size() && rule.allow)) {
      best = &rule;
    }
  }
  return !best || best->allow;
}

RobotsCache::RulesPtr RobotsCache::rules_for(const Url& url) {
  const std::string authority = url.authority();
  std::unique_lock lock(mutex_);
  ++stats_.lookups;
  const auto [found, fresh] = entries_.try_emplace(authority);
  if (fresh) found->second = std::make_shared<Entry>();
  const std::shared_ptr<Entry> entry = found->second;
  if (!fresh) {
    loaded_.wait(lock, [&entry] { return entry->ready; });
    return entry->rules;
  }
  ++stats_.loads;
  lock.unlock();
  RulesPtr rules = load(url);
  lock.lock();
  if (!rules) {
    ++stats_.failures;
    rules = std::make_shared<const RobotsRules>(RobotsRules::disallow_all());
  }
  entry->rules = rules;
  entry->ready = true;
  loaded_.notify_all();
  return rules;
}

/// Null if the loader fails.
RobotsCache::RulesPtr RobotsCache::load(const Url& url) {
  Url address = url;
  address.path = "/robots.txt";
  address.query.clear();
  address.has_query = false;
  try {
    return std::make_shared<const RobotsRules>(loader_(address));
  } catch (const std::exception&) {
    return nullptr;
  }
}

bool RobotsCache::forget(const std::string& authority) {
  std::lock_guard lock(mutex_);
  return entries_.erase(authority) > 0;
}

RobotsCache::Stats RobotsCache::stats() const {
  std::lock_guard lock(mutex_);
  Stats stats = stats_;
  stats.hosts = entries_.size();
  return stats;
}

}  // namespace crawl
