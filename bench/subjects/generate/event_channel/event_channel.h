// EventChannel: tells everybody who wants to know.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <optional>

namespace events {

// Thread-safe. Subscribers are called without a lock: they may subscribe, unsubscribe and publish.
class EventChannel {
 public:
  using Subscriber = std::function<void(int event)>;

  EventChannel() = default;
  EventChannel(const EventChannel&) = delete;
  EventChannel& operator=(const EventChannel&) = delete;

  // By this number it can be unsubscribed.
  int subscribe(Subscriber subscriber);
  bool unsubscribe(int number);
  // How many there were.
  size_t unsubscribe_all();

  // Tells it to all subscribers; how many. To none while the channel is paused.
  size_t publish(int event);
  void pause();
  void resume();
  bool is_paused() const;

  size_t subscriber_count() const;
  bool is_subscribed(int number) const;
  std::optional<int> latest() const;
  uint64_t published() const;

 private:
  struct Subscription {
    int number;
    Subscriber subscriber;
  };

  mutable std::mutex mutex_;
  std::list<Subscription> subscriptions_;
  int last_number_ = 0;
  bool is_paused_ = false;
  std::optional<int> latest_;
  uint64_t published_ = 0;
};

}  // namespace events
