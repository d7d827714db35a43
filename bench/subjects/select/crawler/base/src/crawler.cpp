#include "crawler.h"

#include <algorithm>
#include <stdexcept>
#include <thread>
#include <utility>

namespace crawl {

Crawler::Crawler(Fetcher& fetcher, CrawlConfig config, ProgressBoard* progress)
    : fetcher_(fetcher),
      config_(std::move(config)),
      progress_(progress),
      frontier_(clock_, config_.frontier),
      robots_([this](const Url& url) { return load_robots(url); }) {}

Crawler::Summary Crawler::run(const std::vector<std::string>& seeds) {
  const Millis begun = clock_.now();
  for (const std::string& seed : seeds) {
    const auto url = Url::parse(seed);
    if (!url) continue;
    if (std::find(hosts_.begin(), hosts_.end(), url->authority()) == hosts_.end())
      hosts_.push_back(url->authority());
    Task task;
    task.url = *url;
    if (seen_.insert(url->to_string())) frontier_.push(std::move(task));
  }
  std::vector<std::thread> workers;
  for (std::size_t i = 0; i < std::max<std::size_t>(config_.workers, 1); ++i) {
    workers.emplace_back([this, i] { work(i); });
  }
  for (std::thread& worker : workers) worker.join();
  Summary summary;
  summary.pages = pages_.stats().pages;
  summary.fetches = stats_.totals().fetches;
  summary.duration = clock_.now() - begun;
  summary.stopped = stop_requested_;
  return summary;
}

void Crawler::stop() {
  stop_requested_ = true;
  frontier_.close();
}

void Crawler::work(std::size_t worker) {
  while (const auto task = frontier_.pop()) {
    const std::size_t bytes = stop_requested_ ? 0 : visit(*task, worker);
    if (progress_) progress_->finish(worker, bytes, clock_.now());
    frontier_.done(*task);
  }
}

std::size_t Crawler::visit(const Task& task, std::size_t worker) {
  if (!allowed(task, worker)) {
    stats_.record_forbidden();
    return 0;
  }
  report(worker, WorkerState::kFetching, task);
  const FetchResult result = fetcher_.fetch(task.url);
  stats_.record_fetch(task.url.authority(), result.status, result.body.size(), clock_.now());
  if (result.is_temporary()) {
    retry(task);
  } else if (result.is_redirect()) {
    redirect(task, result.location);
  } else if (result.status == 200) {
    keep(task, result, worker);
  }
  return result.body.size();
}

bool Crawler::allowed(const Task& task, std::size_t worker) {
  if (!config_.obey_robots) return true;
  report(worker, WorkerState::kRobots, task);
  const RobotsCache::RulesPtr rules = robots_.rules_for(task.url);
  if (const auto delay = rules->crawl_delay()) frontier_.set_delay(task.url.authority(), *delay);
  return rules->allows(task.url.target());
}

RobotsRules Crawler::load_robots(const Url& url) {
  const FetchResult result = fetcher_.fetch(url);
  if (result.status == 200) return RobotsRules::parse(result.body, config_.agent);
  // A site without the file allows everything; one that cannot say must not be visited, RFC 9309
  // section 2.3.1.
  if (result.is_temporary()) throw std::runtime_error("robots.txt is not available");
  return RobotsRules::allow_all();
}

void Crawler::keep(const Task& task, const FetchResult& result, std::size_t worker) {
  if (reserved_pages_.fetch_add(1) >= config_.max_pages) {
    frontier_.close();
    return;
  }
  report(worker, WorkerState::kIndexing, task);
  PageRecord record;
  record.url = task.url.to_string();
  record.host = task.url.authority();
  record.status = result.status;
  record.depth = task.depth;
  record.fetched_at = clock_.now();
  record.bytes = result.body.size();
  record.content_hash = fingerprint(result.body);
  const bool is_html = result.content_type.compare(0, 9, "text/html") == 0;
  ExtractedPage page;
  if (is_html) page = extract(result.body, task.url);
  record.title = page.title;
  for (const Url& link : page.links) record.links.push_back(link.to_string());
  const PageStore::RecordPtr stored = pages_.put(std::move(record));
  if (config_.keep_text_index && !page.noindex && stored->duplicate_of.empty()) {
    index_.add(stored->url, page.title + " " + page.text);
  }
  if (task.depth < config_.max_depth) follow(task, page.links);
}

void Crawler::follow(const Task& task, const std::vector<Url>& links) {
  for (const Url& link : links) {
    const std::string address = link.to_string();
    if (!wanted(link) || seen_.contains(address) || !seen_.insert(address)) continue;
    Task next;
    next.url = link;
    next.depth = task.depth + 1;
    next.priority = -next.depth;  // what is near the seeds matters more
    frontier_.push(std::move(next));
  }
}

void Crawler::redirect(const Task& task, const std::string& location) {
  stats_.record_redirect();
  const auto url = task.url.resolve(location);
  if (!url || !wanted(*url) || task.redirects >= config_.max_redirects || !seen_.insert(url->to_string()))
    return;
  Task next = task;
  next.url = *url;
  ++next.redirects;
  frontier_.push(std::move(next));
}

void Crawler::retry(const Task& task) {
  if (task.attempts + 1 >= config_.max_attempts) return;
  stats_.record_retry();
  Task next = task;
  ++next.attempts;
  frontier_.hold_back(task.url.authority(), clock_.now() + config_.retry_delay);
  frontier_.push(std::move(next));
}

void Crawler::report(std::size_t worker, WorkerState state, const Task& task) {
  if (progress_) progress_->enter(worker, state, fingerprint(task.url.to_string()), clock_.now());
}

bool Crawler::wanted(const Url& url) const {
  return !config_.stay_on_hosts || std::find(hosts_.begin(), hosts_.end(), url.authority()) != hosts_.end();
}

Checkpoint Crawler::checkpoint() {
  frontier_.pause();
  Checkpoint state;
  state.time = clock_.now();
  state.tasks = frontier_.snapshot();
  state.seen = seen_.snapshot();
  for (const auto& page : pages_.all()) state.pages.push_back(*page);
  frontier_.resume();
  return state;
}

void Crawler::restore(const Checkpoint& checkpoint) {
  clock_.advance_to(checkpoint.time);
  seen_.restore(checkpoint.seen);
  for (const PageRecord& page : checkpoint.pages) {
    if (std::find(hosts_.begin(), hosts_.end(), page.host) == hosts_.end()) hosts_.push_back(page.host);
    pages_.put(page);
  }
  reserved_pages_ = checkpoint.pages.size();
  for (const Task& task : checkpoint.tasks) {
    const std::string host = task.url.authority();
    if (std::find(hosts_.begin(), hosts_.end(), host) == hosts_.end()) hosts_.push_back(host);
    frontier_.push(task);
  }
}

}  // namespace crawl
