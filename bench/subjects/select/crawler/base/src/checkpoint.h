// The state of a crawl as text, to go on with it later.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "clock.h"
#include "frontier.h"
#include "page_store.h"

namespace crawl {

struct Checkpoint {
  Millis time = 0;
  std::vector<Task> tasks;
  std::vector<std::uint64_t> seen;
  std::vector<PageRecord> pages;

  std::string write() const;
  /// Nothing if the text is damaged or of another version; `error` says where.
  static std::optional<Checkpoint> read(std::string_view text, std::string* error = nullptr);
};

/// The latest checkpoints of a crawl, of which old ones are dropped.
class CheckpointStore {
 public:
  explicit CheckpointStore(std::size_t keep) : keep_(keep) {}

  /// Returns the number of the checkpoint, 1 for the first.
  std::uint64_t save(std::string text);
  std::shared_ptr<const std::string> latest() const;
  std::shared_ptr<const std::string> get(std::uint64_t number) const;
  std::size_t size() const;

 private:
  struct Saved {
    std::uint64_t number = 0;
    std::shared_ptr<const std::string> text;
  };

  const std::size_t keep_;
  mutable std::mutex mutex_;
  std::deque<Saved> saved_;
  std::uint64_t last_number_ = 0;
};

}  // namespace crawl
