#include "event_channel.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace events {

int EventChannel::subscribe(Subscriber subscriber) {
  if (!subscriber) throw std::invalid_argument("a subscriber is needed");
  const std::lock_guard lock(mutex_);
  subscriptions_.push_back({++last_number_, std::move(subscriber)});
  return last_number_;
}

bool EventChannel::unsubscribe(int number) {
  const std::lock_guard lock(mutex_);
  return subscriptions_.remove_if(
             [&](const Subscription& subscription) { return subscription.number == number; }) > 0;
}

size_t EventChannel::unsubscribe_all() {
  const std::lock_guard lock(mutex_);
  const size_t count = subscriptions_.size();
  subscriptions_.clear();
  return count;
}

size_t EventChannel::publish(int event) {
  std::unique_lock lock(mutex_);
  if (is_paused_) return 0;
  latest_ = event;
  ++published_;
  size_t told = 0;
  for (auto at = subscriptions_.begin(); at != subscriptions_.end(); ++at) {
    const Subscriber subscriber = at->subscriber;
    lock.unlock();
    subscriber(event);
    lock.lock();
    ++told;
  }
  return told;
}

void EventChannel::pause() {
  const std::lock_guard lock(mutex_);
  is_paused_ = true;
}

void EventChannel::resume() {
  const std::lock_guard lock(mutex_);
  is_paused_ = false;
}

bool EventChannel::is_paused() const {
  const std::lock_guard lock(mutex_);
  return is_paused_;
}

size_t EventChannel::subscriber_count() const {
  const std::lock_guard lock(mutex_);
  return subscriptions_.size();
}

bool EventChannel::is_subscribed(int number) const {
  const std::lock_guard lock(mutex_);
  return std::any_of(subscriptions_.begin(), subscriptions_.end(),
                     [&](const Subscription& subscription) { return subscription.number == number; });
}

std::optional<int> EventChannel::latest() const {
  const std::lock_guard lock(mutex_);
  return latest_;
}

uint64_t EventChannel::published() const {
  const std::lock_guard lock(mutex_);
  return published_;
}

}  // namespace events
