// A growable array that threads share: positions, bulk operations, sorting, parts of a list, listeners.
//
// Every operation is atomic. One mutex guards the elements; functions that callers pass in run under it and
// must not call back into the list. Listeners run after it is free again, so that they may.
//
// The list knows whether it is in order: after `sort` until the next change that could end it. A search in a
// list that is in order takes logarithmic time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "listeners.h"

namespace lists {

// Thrown by a part of a list, or an iteration, when elements were added or removed behind its back.
class ConcurrentModification : public std::runtime_error {
 public:
  ConcurrentModification() : std::runtime_error("elements of the list were added or removed meanwhile") {}
};

template <typename T>
class SubList;

template <typename T>
class ArrayList {
 public:
  static constexpr std::size_t kDefaultCapacity = 8;

  explicit ArrayList(std::size_t capacity = kDefaultCapacity)
      : data_(std::make_unique<T[]>(std::max<std::size_t>(1, capacity))),
        capacity_(std::max<std::size_t>(1, capacity)) {}

  ArrayList(std::initializer_list<T> elements) : ArrayList(elements.size()) {
    std::copy(elements.begin(), elements.end(), data_.get());
    size_ = elements.size();
  }

  ArrayList(const ArrayList&) = delete;
  ArrayList& operator=(const ArrayList&) = delete;

  std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return size_;
  }

  bool empty() const { return size() == 0; }

  std::size_t capacity() const {
    const std::lock_guard lock(mutex_);
    return capacity_;
  }

  // The element at this position. Throws std::out_of_range if there is none.
  T get(std::size_t position) const {
    const std::lock_guard lock(mutex_);
    check_position(position, size_);
    return data_[position];
  }

  T get_or(std::size_t position, T fallback) const {
    const std::lock_guard lock(mutex_);
    return position < size_ ? data_[position] : fallback;
  }

  // Replaces the element at this position and returns the old one.
  T set(std::size_t position, T element) {
    T old;
    {
      const std::lock_guard lock(mutex_);
      check_position(position, size_);
      old = std::exchange(data_[position], std::move(element));
      in_order_ = false;
    }
    listeners_.notify({ChangeKind::kReplaced, position, 1});
    return old;
  }

  // Adds at the end and returns the position.
  std::size_t add(T element) {
    std::size_t position = 0;
    {
      const std::lock_guard lock(mutex_);
      position = size_;
      open_gap(position, 1);
      data_[position] = std::move(element);
    }
    listeners_.notify({ChangeKind::kAdded, position, 1});
    return position;
  }

  // Adds in front of the element at this position.
  void insert(std::size_t position, T element) { insert_all(position, {std::move(element)}); }

  void add_all(const std::vector<T>& elements) {
    std::size_t position = 0;
    {
      const std::lock_guard lock(mutex_);
      position = size_;
      open_gap(position, elements.size());
      std::copy(elements.begin(), elements.end(), data_.get() + position);
    }
    listeners_.notify({ChangeKind::kAdded, position, elements.size()});
  }

  void insert_all(std::size_t position, const std::vector<T>& elements) {
    {
      const std::lock_guard lock(mutex_);
      check_position(position, size_ + 1);
      open_gap(position, elements.size());
      std::copy(elements.begin(), elements.end(), data_.get() + position);
    }
    listeners_.notify({ChangeKind::kAdded, position, elements.size()});
  }

  // Removes the element at this position and returns it.
  T remove_at(std::size_t position) {
    T old;
    {
      const std::lock_guard lock(mutex_);
      check_position(position, size_);
      old = std::move(data_[position]);
      close_gap(position, 1);
    }
    listeners_.notify({ChangeKind::kRemoved, position, 1});
    return old;
  }

  // Removes and returns the last element.
  std::optional<T> pop() {
    std::optional<T> last;
    std::size_t position = 0;
    {
      const std::lock_guard lock(mutex_);
      if (size_ == 0) return std::nullopt;
      position = size_ - 1;
      last = std::move(data_[position]);
      close_gap(position, 1);
    }
    listeners_.notify({ChangeKind::kRemoved, position, 1});
    return last;
  }

  // Removes the first element that is equal. Returns whether there was one.
  bool remove(const T& element) {
    std::optional<std::size_t> position;
    {
      const std::lock_guard lock(mutex_);
      position = find(element);
      if (!position) return false;
      close_gap(*position, 1);
    }
    listeners_.notify({ChangeKind::kRemoved, *position, 1});
    return true;
  }

  // Removes the elements with from <= position < to, as far as there are so many.
  std::size_t remove_range(std::size_t from, std::size_t to) {
    std::size_t removed = 0;
    {
      const std::lock_guard lock(mutex_);
      to = std::min(to, size_);
      if (from >= to) return 0;
      removed = to - from;
      close_gap(from, removed);
    }
    listeners_.notify({ChangeKind::kRemoved, from, removed});
    return removed;
  }

  std::size_t remove_if(const std::function<bool(const T&)>& predicate) {
    std::size_t removed = 0;
    {
      const std::lock_guard lock(mutex_);
      T* const begin = data_.get();
      T* const end = begin + size_;
      T* const kept = std::remove_if(begin, end, predicate);
      removed = static_cast<std::size_t>(end - kept);
      if (removed == 0) return 0;
      close_gap(size_ - removed, removed);
    }
    listeners_.notify({ChangeKind::kRemoved, 0, removed});
    return removed;
  }

  void replace_all(const std::function<T(const T&)>& function) {
    std::size_t count = 0;
    {
      const std::lock_guard lock(mutex_);
      for (std::size_t i = 0; i < size_; ++i) data_[i] = function(data_[i]);
      in_order_ = false;
      count = size_;
    }
    listeners_.notify({ChangeKind::kReplaced, 0, count});
  }

  void clear() { remove_range(0, static_cast<std::size_t>(-1)); }

  // Where the first equal element is.
  std::optional<std::size_t> index_of(const T& element) const {
    const std::lock_guard lock(mutex_);
    return find(element);
  }

  std::optional<std::size_t> last_index_of(const T& element) const {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = size_; i > 0; --i) {
      if (data_[i - 1] == element) return i - 1;
    }
    return std::nullopt;
  }

  bool contains(const T& element) const { return index_of(element).has_value(); }

  // Whether the list is known to be in order.
  bool in_order() const {
    const std::lock_guard lock(mutex_);
    return in_order_;
  }

  // Whether there is an equal element: by halving if the list is in order, else by looking at each.
  bool search(const T& element) const {
    const std::lock_guard lock(mutex_);
    if (in_order_) return std::binary_search(data_.get(), data_.get() + size_, element);
    return find(element).has_value();
  }

  void sort() {
    std::size_t count = 0;
    {
      const std::lock_guard lock(mutex_);
      if (in_order_) return;
      std::sort(data_.get(), data_.get() + size_);
      in_order_ = true;
      count = size_;
    }
    listeners_.notify({ChangeKind::kReordered, 0, count});
  }

  void reverse() {
    std::size_t count = 0;
    {
      const std::lock_guard lock(mutex_);
      std::reverse(data_.get(), data_.get() + size_);
      in_order_ = false;
      count = size_;
    }
    listeners_.notify({ChangeKind::kReordered, 0, count});
  }

  // Moves every element so many positions towards the end; those at the end come to the beginning.
  void rotate(std::size_t distance) {
    std::size_t count = 0;
    {
      const std::lock_guard lock(mutex_);
      if (size_ == 0) return;
      std::rotate(data_.get(), data_.get() + (size_ - distance % size_), data_.get() + size_);
      in_order_ = false;
      count = size_;
    }
    listeners_.notify({ChangeKind::kReordered, 0, count});
  }

  // Makes room for so many elements. Costs next to nothing when there is enough already.
  void reserve(std::size_t capacity) {
    if (capacity <= capacity_) return;
    const std::lock_guard lock(mutex_);
    if (capacity > capacity_) reallocate(capacity);
  }

  // Gives back the room that the present elements do not need.
  void trim() {
    const std::lock_guard lock(mutex_);
    if (size_ < capacity_) reallocate(std::max<std::size_t>(1, size_));
  }

  void for_each(const std::function<void(const T&)>& visit) const {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < size_; ++i) visit(data_[i]);
  }

  std::vector<T> to_vector() const {
    const std::lock_guard lock(mutex_);
    return std::vector<T>(data_.get(), data_.get() + size_);
  }

  bool equals(const ArrayList& other) const {
    if (this == &other) return true;
    const std::scoped_lock lock(mutex_, other.mutex_);
    return std::equal(data_.get(), data_.get() + size_, other.data_.get(), other.data_.get() + other.size_);
  }

  // Exchanges the elements of two lists; each keeps its listeners.
  void swap(ArrayList& other) {
    if (this == &other) return;
    const std::scoped_lock lock(mutex_, other.mutex_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    std::swap(in_order_, other.in_order_);
    ++mod_count_;
    ++other.mod_count_;
  }

  // The elements with from <= position < to as a list of their own.
  SubList<T> sub_list(std::size_t from, std::size_t to);

  Listeners& listeners() { return listeners_; }

  // Throws std::logic_error unless the list is as the operations promise to leave it.
  void check_invariants() const {
    const std::lock_guard lock(mutex_);
    if (size_ > capacity_) throw std::logic_error("there are more elements than room");
    if (in_order_ && !std::is_sorted(data_.get(), data_.get() + size_)) {
      throw std::logic_error("the list is not in order");
    }
  }

 private:
  friend class SubList<T>;

  static void check_position(std::size_t position, std::size_t end) {
    if (position >= end) throw std::out_of_range("the list has no such position");
  }

  // The functions below expect the caller to hold mutex_.

  std::optional<std::size_t> find(const T& element) const {
    for (std::size_t i = 0; i < size_; ++i) {
      if (data_[i] == element) return i;
    }
    return std::nullopt;
  }

  void open_gap(std::size_t position, std::size_t count) {
    if (size_ + count > capacity_) reallocate(std::max(size_ + count, 2 * capacity_));
    std::move_backward(data_.get() + position, data_.get() + size_, data_.get() + size_ + count);
    size_ += count;
    in_order_ = false;
    ++mod_count_;
  }

  void close_gap(std::size_t position, std::size_t count) {
    std::move(data_.get() + position + count, data_.get() + size_, data_.get() + position);
    size_ -= count;
    ++mod_count_;
  }

  void reallocate(std::size_t capacity) {
    auto data = std::make_unique<T[]>(capacity);
    std::move(data_.get(), data_.get() + size_, data.get());
    data_ = std::move(data);
    capacity_ = capacity;
  }

  mutable std::mutex mutex_;
  std::unique_ptr<T[]> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  bool in_order_ = false;
  std::uint64_t mod_count_ = 0;
  Listeners listeners_;
};

// A part of a list: what is done to it is done to the list. It is good until elements are added to or removed
// from the list by other means than through this part; then every operation throws ConcurrentModification.
template <typename T>
class SubList {
 public:
  SubList(ArrayList<T>& list, std::size_t from, std::size_t to)
      : list_(list), from_(from), count_(to - from) {
    if (to < from) throw std::invalid_argument("a part of a list must not end before it begins");
    const std::lock_guard lock(list_.mutex_);
    if (to > list_.size_) throw std::out_of_range("the list has no such position");
    expected_ = list_.mod_count_;
  }

  std::size_t size() const {
    const std::lock_guard lock(list_.mutex_);
    check_unmodified();
    return count_;
  }

  T get(std::size_t position) const {
    const std::lock_guard lock(list_.mutex_);
    check_unmodified();
    ArrayList<T>::check_position(position, count_);
    return list_.data_[from_ + position];
  }

  void set(std::size_t position, T element) {
    const std::lock_guard lock(list_.mutex_);
    check_unmodified();
    ArrayList<T>::check_position(position, count_);
    list_.data_[from_ + position] = std::move(element);
    list_.in_order_ = false;
  }

  void add(T element) {
    const std::lock_guard lock(list_.mutex_);
    check_unmodified();
    list_.open_gap(from_ + count_, 1);
    list_.data_[from_ + count_] = std::move(element);
    ++count_;
    expected_ = list_.mod_count_;
  }

  void clear() {
    const std::lock_guard lock(list_.mutex_);
    check_unmodified();
    list_.close_gap(from_, count_);
    count_ = 0;
    expected_ = list_.mod_count_;
  }

  std::vector<T> to_vector() const {
    const std::lock_guard lock(list_.mutex_);
    check_unmodified();
    return std::vector<T>(list_.data_.get() + from_, list_.data_.get() + from_ + count_);
  }

 private:
  // Expects the caller to hold the lock of the list.
  void check_unmodified() const {
    if (list_.mod_count_ != expected_) throw ConcurrentModification();
  }

  ArrayList<T>& list_;
  std::size_t from_;
  std::size_t count_;
  std::uint64_t expected_ = 0;
};

template <typename T>
SubList<T> ArrayList<T>::sub_list(std::size_t from, std::size_t to) {
  return SubList<T>(*this, from, to);
}

}  // namespace lists
