// The pages that were fetched, by address, with a record of which have the same content.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "clock.h"

namespace crawl {

struct PageRecord {
  std::string url;
  std::string host;
  std::string title;
  int status = 200;
  int depth = 0;
  Millis fetched_at = 0;
  std::size_t bytes = 0;
  std::uint64_t content_hash = 0;
  std::string duplicate_of;  // the address of the first page with this content, if that is another
  std::vector<std::string> links;
};

class PageStore {
 public:
  using RecordPtr = std::shared_ptr<const PageRecord>;

  struct Stats {
    std::size_t pages = 0;
    std::size_t bytes = 0;
    std::size_t duplicates = 0;
    std::uint64_t replaced = 0;
    std::size_t hosts = 0;
  };

  /// Stores a page in place of an earlier version; fills in `duplicate_of`. Returns what was stored.
  RecordPtr put(PageRecord record);
  RecordPtr find(const std::string& url) const;
  bool remove(const std::string& url);
  void clear();

  /// The pages of a host, by address.
  std::vector<RecordPtr> by_host(std::string_view host) const;
  /// The pages with the most bytes first; at most `limit`.
  std::vector<RecordPtr> largest(std::size_t limit) const;
  /// All pages, by address.
  std::vector<RecordPtr> all() const;
  Stats stats() const;

 private:
  void forget_content(const PageRecord& record);

  mutable std::shared_mutex mutex_;
  std::map<std::string, RecordPtr> pages_;
  std::unordered_map<std::uint64_t, std::string> first_with_content_;
  std::map<std::string, std::size_t, std::less<>> pages_per_host_;
  std::size_t bytes_ = 0;
  std::size_t duplicates_ = 0;
  std::uint64_t replaced_ = 0;
};

}  // namespace crawl
