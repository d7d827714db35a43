// Which page links to which, and how important that makes each of them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "page_store.h"

namespace crawl {

/// Made from the pages of a store at one moment; does not change.
class LinkGraph {
 public:
  explicit LinkGraph(const std::vector<PageStore::RecordPtr>& pages);

  std::size_t size() const { return names_.size(); }
  std::size_t links() const;
  /// Pages that link to this one, by address.
  std::vector<std::string> linking_to(const std::string& url) const;
  /// Addresses that pages link to but that were not fetched, by address.
  const std::vector<std::string>& dangling() const { return dangling_; }
  /// PageRank after that many rounds; sums up to 1.
  std::map<std::string, double> rank(int rounds, double damping = 0.85) const;
  /// The fewest links from one page to each other that can be reached.
  std::map<std::string, int> distances(const std::string& from) const;

 private:
  std::vector<std::string> names_;
  std::map<std::string, std::size_t> numbers_;
  std::vector<std::vector<std::size_t>> targets_;
  std::vector<std::string> dangling_;
};

}  // namespace crawl
