// A value that is made when it is first asked for, by one thread only.
#pragma once

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
    if (!value_) {
      const std::lock_guard lock(mutex_);
      if (!value_) value_ = std::make_unique<const T>(make_());
    }
    return *value_;
  }

  bool is_made() const { return value_ != nullptr; }

 private:
  const std::function<T()> make_;
  mutable std::mutex mutex_;
  mutable std::unique_ptr<const T> value_;
};

}  // namespace lang
