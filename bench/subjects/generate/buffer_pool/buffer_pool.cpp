#include "buffer_pool.h"

#include <algorithm>
#include <utility>

namespace buffers {

struct BufferPool::Store {
  std::mutex mutex;
  size_t capacity = 0;
  size_t lent = 0;
  std::vector<Lease::Buffer> unused;  // with lent ones no more than the capacity

  size_t available() const { return capacity > lent ? capacity - lent : 0; }
  // One must be available.
  Lease::Buffer take() {
    Lease::Buffer buffer;
    if (unused.empty()) {
      buffer = std::make_unique<std::vector<unsigned char>>(kBufferSize);
    } else {
      buffer = std::move(unused.back());
      unused.pop_back();
    }
    ++lent;
    return buffer;
  }
  void put_back(Lease::Buffer buffer) {
    --lent;
    if (lent + unused.size() < capacity) unused.push_back(std::move(buffer));
  }
};

BufferPool::Lease::Lease(std::shared_ptr<Store> store, Buffer buffer)
    : store_(std::move(store)), buffer_(std::move(buffer)) {}

BufferPool::Lease& BufferPool::Lease::operator=(Lease&& other) noexcept {
  if (&other == this) return *this;
  give_back();
  store_ = std::move(other.store_);
  buffer_ = std::move(other.buffer_);
  return *this;
}

void BufferPool::Lease::give_back() {
  if (store_ == nullptr) return;
  {
    const std::lock_guard lock(store_->mutex);
    store_->put_back(std::move(buffer_));
  }
  store_.reset();
}

BufferPool::BufferPool(size_t capacity) : store_(std::make_shared<Store>()) {
  store_->capacity = std::clamp<size_t>(capacity, 1, kMostBuffers);
}

std::optional<BufferPool::Lease> BufferPool::try_acquire() {
  const std::lock_guard lock(store_->mutex);
  if (store_->available() == 0) return std::nullopt;
  return Lease(store_, store_->take());
}

std::vector<BufferPool::Lease> BufferPool::acquire_up_to(size_t number) {
  std::vector<Lease> leases;
  const std::lock_guard lock(store_->mutex);
  const size_t count = std::min(number, store_->available());
  leases.reserve(count);
  for (size_t i = 0; i < count; ++i) leases.push_back(Lease(store_, store_->take()));
  return leases;
}

void BufferPool::set_capacity(size_t capacity) {
  const std::lock_guard lock(store_->mutex);
  store_->capacity = std::clamp<size_t>(capacity, 1, kMostBuffers);
  while (!store_->unused.empty() && store_->lent + store_->unused.size() > store_->capacity)
    store_->unused.pop_back();
}

size_t BufferPool::capacity() const {
  const std::lock_guard lock(store_->mutex);
  return store_->capacity;
}

size_t BufferPool::available() const {
  const std::lock_guard lock(store_->mutex);
  return store_->available();
}

size_t BufferPool::lent() const {
  const std::lock_guard lock(store_->mutex);
  return store_->lent;
}

size_t BufferPool::free_unused() {
  const std::lock_guard lock(store_->mutex);
  const size_t count = store_->unused.size();
  store_->unused.clear();
  return count;
}

}  // namespace buffers
