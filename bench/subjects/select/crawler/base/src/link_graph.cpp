#include "link_graph.h"

#include <deque>
#include <set>

namespace crawl {

LinkGraph::LinkGraph(const std::vector<PageStore::RecordPtr>& pages) {
  for (const auto& page : pages) {
    if (numbers_.emplace(page->url, names_.size()).second) names_.push_back(page->url);
  }
  targets_.resize(names_.size());
  std::set<std::string> missing;
  for (const auto& page : pages) {
    std::set<std::size_t> unique;
    for (const std::string& link : page->links) {
      const auto found = numbers_.find(link);
      if (found == numbers_.end()) {
        missing.insert(link);
      } else if (link != page->url) {
        unique.insert(found->second);
      }
    }
    targets_[numbers_.at(page->url)].assign(unique.begin(), unique.end());
  }
  dangling_.assign(missing.begin(), missing.end());
}

std::size_t LinkGraph::links() const {
  std::size_t count = 0;
  for (const auto& targets : targets_) count += targets.size();
  return count;
}

std::vector<std::string> LinkGraph::linking_to(const std::string& url) const {
  std::set<std::string> sources;
  const auto wanted = numbers_.find(url);
  if (wanted == numbers_.end()) return {};
  for (std::size_t page = 0; page < targets_.size(); ++page) {
    for (const std::size_t target : targets_[page]) {
      if (target == wanted->second) sources.insert(names_[page]);
    }
  }
  return {sources.begin(), sources.end()};
}

std::map<std::string, double> LinkGraph::rank(int rounds, double damping) const {
  const auto count = static_cast<double>(names_.size());
  std::vector<double> ranks(names_.size(), names_.empty() ? 0 : 1 / count);
  for (int round = 0; round < rounds; ++round) {
    double lost = 0;  // the rank of pages without links goes to everybody
    std::vector<double> next(names_.size());
    for (std::size_t page = 0; page < names_.size(); ++page) {
      if (targets_[page].empty()) {
        lost += ranks[page];
        continue;
      }
      const double share = ranks[page] / static_cast<double>(targets_[page].size());
      for (const std::size_t target : targets_[page]) next[target] += share;
    }
    for (double& rank : next) rank = (1 - damping) / count + damping * (rank + lost / count);
    ranks.swap(next);
  }
  std::map<std::string, double> named;
  for (std::size_t page = 0; page < names_.size(); ++page) named[names_[page]] = ranks[page];
  return named;
}

std::map<std::string, int> LinkGraph::distances(const std::string& from) const {
  std::map<std::string, int> found;
  const auto start = numbers_.find(from);
  if (start == numbers_.end()) return found;
  std::deque<std::size_t> queue = {start->second};
  found[from] = 0;
  while (!queue.empty()) {
    const std::size_t page = queue.front();
    queue.pop_front();
    for (const std::size_t target : targets_[page]) {
      if (found.emplace(names_[target], found[names_[page]] + 1).second) queue.push_back(target);
    }
  }
  return found;
}

}  // namespace crawl
