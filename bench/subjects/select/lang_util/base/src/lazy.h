// A value that is made when it is first asked for, by one thread only.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

namespace lang {

template <typename T>
class Lazy {
 public:
  explicit Lazy(std::function<T()> make) : make_(std::move(make)) {}
  Lazy(const Lazy&) = delete;
  Lazy& operator=(const Lazy&) = delete;

  // The value. If making it throws, the exception reaches the caller, and the next call tries again.
  const T& get() const {
    const T* made = made_.load(std::memory_order_acquire);
    if (made == nullptr) {
      const std::lock_guard lock(mutex_);
      made = made_.load(std::memory_order_relaxed);
      if (made == nullptr) {
        value_ = std::make_unique<const T>(make_());
        made = value_.get();
        made_.store(made, std::memory_order_release);
      }
    }
    return *made;
  }

  bool is_made() const { return made_.load(std::memory_order_acquire) != nullptr; }

 private:
  const std::function<T()> make_;
  mutable std::mutex mutex_;
  mutable std::unique_ptr<const T> value_;
  mutable std::atomic<const T*> made_{nullptr};
};

}  // namespace lang
