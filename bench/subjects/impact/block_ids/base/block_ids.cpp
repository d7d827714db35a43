#include "block_ids.h"

namespace ids {

namespace {

Id round_up(Id id, Id multiple) {
  return (id + multiple - 1) / multiple * multiple;
}

}  // namespace

bool Block::overlaps(const Block& other) const {
  return contains(other.first) || other.contains(first);
}

Id BlockIds::allocate() {
  const std::lock_guard lock(mutex_);
  if (reusable_.empty()) {
    ++usage_.singles;
    return next_++;
  }
  ++usage_.reused;
  const Id id = reusable_.back();
  reusable_.pop_back();
  return id;
}

Block BlockIds::allocate_block(Id size) {
  const std::lock_guard lock(mutex_);
  const Id begin = next_;
  const Id first = round_up(begin, size);
  next_ = first + size;
  ++usage_.blocks;
  for (Id skipped = begin; skipped < first; ++skipped) reusable_.push_back(skipped);
  return {first, size};
}

void BlockIds::release(Id id) {
  const std::lock_guard lock(mutex_);
  reusable_.push_back(id);
  ++usage_.released;
}

Id BlockIds::limit() const {
  const std::lock_guard lock(mutex_);
  return next_;
}

std::size_t BlockIds::reusable() const {
  const std::lock_guard lock(mutex_);
  return reusable_.size();
}

Usage BlockIds::usage() const {
  const std::lock_guard lock(mutex_);
  return usage_;
}

}  // namespace ids
