// BoundedQueue: hands elements from threads that have them to threads that want them.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace handover {

// Thread-safe. First in, first out.
template <typename Element>
class BoundedQueue {
 public:
  // There is room for one at least.
  explicit BoundedQueue(size_t capacity) : capacity_(std::max<size_t>(1, capacity)) {}
  BoundedQueue(const BoundedQueue&) = delete;
  BoundedQueue& operator=(const BoundedQueue&) = delete;

  // Waits for room. False if the queue is closed.
  bool push(Element element) {
    {
      std::unique_lock lock(mutex_);
      has_room_.wait(lock, [&] { return is_closed_ || elements_.size() < capacity_; });
      if (is_closed_) return false;
      elements_.push_back(std::move(element));
    }
    has_elements_.notify_one();
    return true;
  }

  // False if there is no room, or the queue is closed.
  bool try_push(Element element) {
    {
      const std::lock_guard lock(mutex_);
      if (is_closed_ || elements_.size() >= capacity_) return false;
      elements_.push_back(std::move(element));
    }
    has_elements_.notify_one();
    return true;
  }

  // Waits for an element. Nothing if the queue is closed and there is none left.
  std::optional<Element> pop() {
    std::optional<Element> element;
    {
      std::unique_lock lock(mutex_);
      has_elements_.wait(lock, [&] { return is_closed_ || !elements_.empty(); });
      if (elements_.empty()) return std::nullopt;
      element = take_first();
    }
    has_room_.notify_one();
    return element;
  }

  std::optional<Element> try_pop() {
    std::optional<Element> element;
    {
      const std::lock_guard lock(mutex_);
      if (elements_.empty()) return std::nullopt;
      element = take_first();
    }
    has_room_.notify_one();
    return element;
  }

  // All at once.
  std::vector<Element> drain() {
    std::vector<Element> all;
    {
      const std::lock_guard lock(mutex_);
      while (!elements_.empty()) all.push_back(take_first());
    }
    has_room_.notify_all();
    return all;
  }

  // Nothing goes in any more; nobody waits. False if it was closed already.
  bool close() {
    {
      const std::lock_guard lock(mutex_);
      if (is_closed_) return false;
      is_closed_ = true;
    }
    has_room_.notify_all();
    has_elements_.notify_all();
    return true;
  }

  bool is_closed() const {
    const std::lock_guard lock(mutex_);
    return is_closed_;
  }

  size_t size() const {
    const std::lock_guard lock(mutex_);
    return elements_.size();
  }

  bool empty() const { return size() == 0; }
  size_t capacity() const { return capacity_; }

 private:
  Element take_first() {
    Element first = std::move(elements_.front());
    elements_.pop_front();
    return first;
  }

  const size_t capacity_;
  mutable std::mutex mutex_;
  std::condition_variable has_room_;
  std::condition_variable has_elements_;
  std::deque<Element> elements_;
  bool is_closed_ = false;
};

}  // namespace handover
