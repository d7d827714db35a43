// The crawl itself: workers that take addresses from the frontier, fetch them, and put their links back.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "checkpoint.h"
#include "clock.h"
#include "fetcher.h"
#include "frontier.h"
#include "html.h"
#include "page_store.h"
#include "progress.h"
#include "robots.h"
#include "seen_set.h"
#include "stats.h"
#include "text_index.h"

namespace crawl {

struct CrawlConfig {
  std::size_t workers = 4;
  int max_depth = 100;
  std::size_t max_pages = 10'000;
  int max_attempts = 3;
  int max_redirects = 5;
  bool stay_on_hosts = true;  // visits only the hosts of the seeds
  bool obey_robots = true;
  bool keep_text_index = false;
  std::string agent = "heron";
  Millis retry_delay = 1000;
  FrontierConfig frontier;
};

class Crawler {
 public:
  struct Summary {
    std::size_t pages = 0;
    std::uint64_t fetches = 0;
    Millis duration = 0;  // on the virtual clock
    bool stopped = false;
  };

  /// `progress` has a slot for each worker, or is null.
  Crawler(Fetcher& fetcher, CrawlConfig config, ProgressBoard* progress = nullptr);

  /// Crawls from these addresses until nothing is left, `max_pages` are stored, or `stop` is called. Once
  /// only.
  Summary run(const std::vector<std::string>& seeds);
  /// May be called by any thread, also before `run`.
  void stop();

  /// The state at a moment when no page is being fetched. May be called during `run` by any thread.
  Checkpoint checkpoint();
  /// Goes on from there: call it before `run`, to which no seeds need be given.
  void restore(const Checkpoint& checkpoint);

  const PageStore& pages() const { return pages_; }
  const TextIndex& index() const { return index_; }
  const CrawlStats& stats() const { return stats_; }
  const SeenSet& seen() const { return seen_; }
  RobotsCache::Stats robots_stats() const { return robots_.stats(); }
  VirtualClock& clock() { return clock_; }

 private:
  void work(std::size_t worker);
  /// Returns how many bytes were fetched.
  std::size_t visit(const Task& task, std::size_t worker);
  bool allowed(const Task& task, std::size_t worker);
  void keep(const Task& task, const FetchResult& result, std::size_t worker);
  void follow(const Task& task, const std::vector<Url>& links);
  void redirect(const Task& task, const std::string& location);
  void retry(const Task& task);
  void report(std::size_t worker, WorkerState state, const Task& task);
  bool wanted(const Url& url) const;
  RobotsRules load_robots(const Url& url);

  Fetcher& fetcher_;
  const CrawlConfig config_;
  ProgressBoard* const progress_;

  VirtualClock clock_;
  Frontier frontier_;
  SeenSet seen_;
  RobotsCache robots_;
  PageStore pages_;
  TextIndex index_;
  CrawlStats stats_;

  std::vector<std::string> hosts_;  // of the seeds; does not change during the crawl
  std::atomic<std::size_t> reserved_pages_{0};
  bool stop_requested_ = false;  // closing the frontier is what ends the workers
};

}  // namespace crawl
