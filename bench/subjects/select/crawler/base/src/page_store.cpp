#include "page_store.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace crawl {

PageStore::RecordPtr PageStore::put(PageRecord record) {
  std::unique_lock lock(mutex_);
  const auto old = pages_.find(record.url);
  if (old != pages_.end()) {
    forget_content(*old->second);
    pages_.erase(old);
    ++replaced_;
  }
  const auto [first, fresh] = first_with_content_.try_emplace(record.content_hash, record.url);
  record.duplicate_of = fresh ? "" : first->second;
  bytes_ += record.bytes;
  duplicates_ += fresh ? 0 : 1;
  ++pages_per_host_[record.host];
  auto stored = std::make_shared<const PageRecord>(std::move(record));
  pages_.emplace(stored->url, stored);
  return stored;
}

/// Takes a page out of the counts. Needs the lock.
void PageStore::forget_content(const PageRecord& record) {
  bytes_ -= record.bytes;
  if (!record.duplicate_of.empty()) {
    --duplicates_;
  } else {
    // Its duplicates keep naming it: they were found to be copies of what was there.
    const auto first = first_with_content_.find(record.content_hash);
    if (first != first_with_content_.end() && first->second == record.url) first_with_content_.erase(first);
  }
  const auto count = pages_per_host_.find(record.host);
  if (--count->second == 0) pages_per_host_.erase(count);
}

PageStore::RecordPtr PageStore::find(const std::string& url) const {
  std::shared_lock lock(mutex_);
  const auto found = pages_.find(url);
  return found == pages_.end() ? nullptr : found->second;
}

bool PageStore::remove(const std::string& url) {
  std::unique_lock lock(mutex_);
  const auto found = pages_.find(url);
  if (found == pages_.end()) return false;
  forget_content(*found->second);
  pages_.erase(found);
  return true;
}

void PageStore::clear() {
  std::unique_lock lock(mutex_);
  pages_.clear();
  first_with_content_.clear();
  pages_per_host_.clear();
  bytes_ = 0;
  duplicates_ = 0;
}

std::vector<PageStore::RecordPtr> PageStore::by_host(std::string_view host) const {
  std::vector<RecordPtr> found;
  std::shared_lock lock(mutex_);
  for (const auto& [url, record] : pages_) {
    if (record->host == host) found.push_back(record);
  }
  return found;
}

std::vector<PageStore::RecordPtr> PageStore::largest(std::size_t limit) const {
  std::vector<RecordPtr> records = all();
  std::stable_sort(records.begin(), records.end(),
                   [](const RecordPtr& a, const RecordPtr& b) { return a->bytes > b->bytes; });
  if (records.size() > limit) records.resize(limit);
  return records;
}

std::vector<PageStore::RecordPtr> PageStore::all() const {
  std::vector<RecordPtr> records;
  std::shared_lock lock(mutex_);
  records.reserve(pages_.size());
  for (const auto& [url, record] : pages_) records.push_back(record);
  return records;
}

PageStore::Stats PageStore::stats() const {
  std::shared_lock lock(mutex_);
  return {pages_.size(), bytes_, duplicates_, replaced_, pages_per_host_.size()};
}

}  // namespace crawl
