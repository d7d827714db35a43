// Inbox: what others have left for somebody, who looks through it now and then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <utility>

namespace delivery {

// Thread-safe. Elements need not be copyable. Functions that are given elements by reference are called with
// the lock held, and must not use the inbox; those that get them for themselves may.
template <typename Element>
class Inbox {
 public:
  Inbox() = default;
  Inbox(const Inbox&) = delete;
  Inbox& operator=(const Inbox&) = delete;

  // How many there are then.
  size_t put(Element element) {
    std::list<Element> one;
    one.push_back(std::move(element));
    const std::lock_guard lock(mutex_);
    elements_.splice(elements_.end(), one);
    ++received_;
    return elements_.size();
  }

  // The oldest one.
  std::optional<Element> take() {
    const std::lock_guard lock(mutex_);
    if (elements_.empty()) return std::nullopt;
    std::optional<Element> element = std::move(elements_.front());
    elements_.pop_front();
    return element;
  }

  // The oldest one that is wanted.
  std::optional<Element> take_if(const std::function<bool(const Element&)>& is_wanted) {
    const std::lock_guard lock(mutex_);
    for (auto at = elements_.begin(); at != elements_.end(); ++at) {
      if (!is_wanted(*at)) continue;
      std::optional<Element> element = std::move(*at);
      elements_.erase(at);
      return element;
    }
    return std::nullopt;
  }

  // How many went.
  size_t remove_if(const std::function<bool(const Element&)>& is_unwanted) {
    const std::lock_guard lock(mutex_);
    return elements_.remove_if(is_unwanted);
  }

  size_t for_each(const std::function<void(const Element&)>& look_at) const {
    const std::lock_guard lock(mutex_);
    for (const Element& element : elements_) look_at(element);
    return elements_.size();
  }

  // Takes all that are there now, and gives them away one after the other.
  size_t drain(const std::function<void(Element)>& give) {
    std::list<Element> all;
    {
      const std::lock_guard lock(mutex_);
      all.swap(elements_);
    }
    const size_t count = all.size();
    for (Element& element : all) give(std::move(element));
    return count;
  }

  // All that the other one has, behind what is here.
  size_t take_over(Inbox& other) {
    if (&other == this) return 0;
    const std::scoped_lock lock(mutex_, other.mutex_);
    const size_t count = other.elements_.size();
    elements_.splice(elements_.end(), other.elements_);
    return count;
  }

  size_t clear() {
    const std::lock_guard lock(mutex_);
    const size_t count = elements_.size();
    elements_.clear();
    return count;
  }

  size_t size() const {
    const std::lock_guard lock(mutex_);
    return elements_.size();
  }

  bool empty() const { return size() == 0; }

  // Since the beginning, by put().
  uint64_t received() const {
    const std::lock_guard lock(mutex_);
    return received_;
  }

 private:
  mutable std::mutex mutex_;
  std::list<Element> elements_;  // the oldest one first
  uint64_t received_ = 0;
};

}  // namespace delivery
