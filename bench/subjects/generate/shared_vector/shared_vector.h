// SharedVector: a growing array that several threads use.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace collections {

// Every operation is atomic; positions may of course mean something else by the time they are used.
template <typename Element>
class SharedVector {
 public:
  SharedVector() = default;
  explicit SharedVector(std::vector<Element> elements) : elements_(std::move(elements)) {}
  SharedVector(const SharedVector&) = delete;
  SharedVector& operator=(const SharedVector&) = delete;

  void add(Element element) {
    const std::lock_guard lock(mutex_);
    elements_.push_back(std::move(element));
  }

  // In front of the one at this position, or at the end.
  void insert(size_t position, Element element) {
    const std::lock_guard lock(mutex_);
    if (position > elements_.size()) throw std::out_of_range("insert: no such position");
    elements_.insert(elements_.begin() + static_cast<std::ptrdiff_t>(position), std::move(element));
  }

  // All elements of the other vector, behind those of this one.
  void add_all(const SharedVector& other) {
    const size_t count = other.size();
    std::vector<Element> copied;
    copied.reserve(count);
    for (size_t i = 0; i < count; ++i) copied.push_back(other.at(i));
    const std::lock_guard lock(mutex_);
    elements_.insert(elements_.end(), copied.begin(), copied.end());
  }

  Element at(size_t position) const {
    const std::lock_guard lock(mutex_);
    return elements_.at(position);
  }

  // What was there.
  Element set(size_t position, Element element) {
    const std::lock_guard lock(mutex_);
    return std::exchange(elements_.at(position), std::move(element));
  }

  Element remove_at(size_t position) {
    const std::lock_guard lock(mutex_);
    Element removed = elements_.at(position);
    elements_.erase(elements_.begin() + static_cast<std::ptrdiff_t>(position));
    return removed;
  }

  // The first one that is equal.
  bool remove(const Element& element) {
    const std::lock_guard lock(mutex_);
    for (auto at = elements_.begin(); at != elements_.end(); ++at) {
      if (*at != element) continue;
      elements_.erase(at);
      return true;
    }
    return false;
  }

  void clear() {
    const std::lock_guard lock(mutex_);
    elements_.clear();
  }

  std::optional<size_t> index_of(const Element& element) const {
    const std::lock_guard lock(mutex_);
    for (size_t i = 0; i < elements_.size(); ++i) {
      if (elements_[i] == element) return i;
    }
    return std::nullopt;
  }

  std::optional<size_t> last_index_of(const Element& element) const { return last_index_of(element, size()); }

  // Of the first `count` elements.
  std::optional<size_t> last_index_of(const Element& element, size_t count) const {
    const std::lock_guard lock(mutex_);
    if (count > elements_.size())
      throw std::out_of_range("last_index_of: " + std::to_string(count) + " of " +
                              std::to_string(elements_.size()));
    for (size_t i = count; i > 0; --i) {
      if (elements_[i - 1] == element) return i - 1;
    }
    return std::nullopt;
  }

  bool contains(const Element& element) const { return index_of(element).has_value(); }

  size_t size() const {
    const std::lock_guard lock(mutex_);
    return elements_.size();
  }

  std::vector<Element> to_vector() const {
    const std::lock_guard lock(mutex_);
    return elements_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<Element> elements_;
};

}  // namespace collections
