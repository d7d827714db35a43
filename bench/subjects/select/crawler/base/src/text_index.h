// Full-text search over the pages that were fetched so far, also while the crawl goes on.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace crawl {

class TextIndex {
 public:
  struct Hit {
    std::string document;
    double score = 0;
  };
  struct Stats {
    std::size_t documents = 0;
    std::size_t terms = 0;
    std::size_t postings = 0;
    double average_length = 0;
  };

  /// Indexes a document in place of an earlier version.
  void add(const std::string& document, std::string_view text);
  bool remove(const std::string& document);

  /// Documents that have all words of the query, the best first (BM25); at most `limit`.
  std::vector<Hit> search(std::string_view query, std::size_t limit) const;
  /// Known words that begin so, in alphabetical order; at most `limit`.
  std::vector<std::string> suggest(std::string_view prefix, std::size_t limit) const;
  /// In how many documents the word is.
  std::size_t frequency(std::string_view word) const;
  Stats stats() const;

  /// The words of a text in lower case: letters and digits, at least two of them.
  static std::vector<std::string> words(std::string_view text);

 private:
  using Postings = std::map<std::string, std::uint32_t>;  // how often, by document

  void erase(const std::string& document);
  double average_length() const;

  mutable std::shared_mutex mutex_;
  std::map<std::string, Postings, std::less<>> terms_;
  std::unordered_map<std::string, std::set<std::string>> documents_;
  std::unordered_map<std::string, std::size_t> lengths_;
};

}  // namespace crawl
