// Remembers the results of a function. Each result is computed once: threads that ask for one that another
// thread is computing wait for it.
#pragma once

#include <cstddef>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <utility>

namespace lang {

template <typename Argument, typename Result>
class Memoiser {
 public:
  // With `forget_errors`, an exception is not remembered: the next call computes again.
  explicit Memoiser(std::function<Result(const Argument&)> function, bool forget_errors = true)
      : function_(std::move(function)), forget_errors_(forget_errors) {}

  Result operator()(const Argument& argument) {
    std::promise<Result> promise;
    std::shared_future<Result> future;
    bool mine = false;
    {
      const std::lock_guard lock(mutex_);
      auto [place, inserted] = results_.try_emplace(argument);
      if (inserted) place->second = promise.get_future().share();
      future = place->second;
      mine = inserted;
      ++(inserted ? misses_ : hits_);
    }
    if (mine) compute(argument, promise);
    return future.get();
  }

  void forget(const Argument& argument) {
    const std::lock_guard lock(mutex_);
    results_.erase(argument);
  }

  std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return results_.size();
  }

  std::size_t hits() const {
    const std::lock_guard lock(mutex_);
    return hits_;
  }

  std::size_t misses() const {
    const std::lock_guard lock(mutex_);
    return misses_;
  }

 private:
  void compute(const Argument& argument, std::promise<Result>& promise) {
    try {
      promise.set_value(function_(argument));
    } catch (...) {
      if (forget_errors_) forget(argument);
      promise.set_exception(std::current_exception());
    }
  }

  const std::function<Result(const Argument&)> function_;
  const bool forget_errors_;
  mutable std::mutex mutex_;
  std::map<Argument, std::shared_future<Result>> results_;
  std::size_t hits_ = 0;
  std::size_t misses_ = 0;
};

}  // namespace lang
