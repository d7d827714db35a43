#include "cache_bus.h"

#include <utility>
#include <vector>

namespace cache {

int Bus::subscribe(Listener listener) {
  const std::lock_guard lock(mutex_);
  listeners_.emplace(next_id_, std::move(listener));
  return next_id_++;
}

void Bus::unsubscribe(int id) {
  const std::lock_guard lock(mutex_);
  listeners_.erase(id);
}

void Bus::publish(int key) {
  std::vector<Listener> listeners;
  {
    const std::lock_guard lock(mutex_);
    ++published_;
    for (const auto& [id, listener] : listeners_) listeners.push_back(listener);
  }
  for (const Listener& listener : listeners) listener(key);
}

std::size_t Bus::listeners() const {
  const std::lock_guard lock(mutex_);
  return listeners_.size();
}

int Bus::published() const {
  const std::lock_guard lock(mutex_);
  return published_;
}

void Cache::put(int key, int value) {
  const std::lock_guard lock(mutex_);
  ++usage_.puts;
  values_[key] = value;
}

std::optional<int> Cache::get(int key) const {
  const std::lock_guard lock(mutex_);
  const auto found = values_.find(key);
  if (found == values_.end()) return std::nullopt;
  return found->second;
}

void Cache::attach() {
  const std::lock_guard lock(mutex_);
  if (subscription_ != 0) return;
  subscription_ = bus_.subscribe([this](int key) { forget(key); });
}

void Cache::detach() {
  const std::lock_guard lock(mutex_);
  if (subscription_ == 0) return;
  bus_.unsubscribe(subscription_);
  subscription_ = 0;
  ++usage_.detached;
}

std::size_t Cache::forgotten() const {
  const std::lock_guard lock(mutex_);
  return forgotten_;
}

Usage Cache::usage() const {
  const std::lock_guard lock(mutex_);
  return usage_;
}

void Cache::forget(int key) {
  const std::lock_guard lock(mutex_);
  ++usage_.events;
  forgotten_ += values_.erase(key);
}

}  // namespace cache
