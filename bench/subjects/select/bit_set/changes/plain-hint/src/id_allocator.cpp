#include "id_allocator.h"

#include <stdexcept>

namespace bits {

std::optional<std::size_t> IdAllocator::try_acquire() {
  auto id = used_.claim(hint_);
  if (!id) id = used_.claim();
  if (!id) return std::nullopt;
  // Only a hint: a value that is out of date costs a longer search, nothing else.
  hint_ = *id + 1;
  const std::lock_guard lock(mutex_);
  ++acquisitions_;
  return id;
}

std::size_t IdAllocator::acquire() {
  if (const auto id = try_acquire()) return *id;
  std::unique_lock lock(mutex_);
  ++waits_;
  std::optional<std::size_t> id;
  released_.wait(lock, [&] {
    id = used_.claim();
    return id.has_value();
  });
  ++acquisitions_;
  return *id;
}

void IdAllocator::release(std::size_t id) {
  // The lock makes sure that a thread that has just seen no free id waits already.
  const std::lock_guard lock(mutex_);
  if (!used_.reset(id)) throw std::logic_error("the id is not in use");
  if (id < hint_) hint_ = id;
  released_.notify_one();
}

std::size_t IdAllocator::acquisitions() const {
  const std::lock_guard lock(mutex_);
  return acquisitions_;
}

std::size_t IdAllocator::waits() const {
  const std::lock_guard lock(mutex_);
  return waits_;
}

}  // namespace bits
