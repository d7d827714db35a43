// Caches that forget what has changed elsewhere: a bus tells them.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <optional>

namespace cache {

class Bus {
 public:
  using Listener = std::function<void(int key)>;

  int subscribe(Listener listener);
  void unsubscribe(int id);

  // Calls the listeners. They may be called once more after they have been unsubscribed.
  void publish(int key);

  std::size_t listeners() const;
  int published() const;

 private:
  mutable std::mutex mutex_;
  std::map<int, Listener> listeners_;
  int next_id_ = 1;
  int published_ = 0;
};

// What has happened to a cache.
struct Usage {
  int puts = 0;
  int events = 0;
  int detached = 0;
};

class Cache {
 public:
  explicit Cache(Bus& bus) : bus_(bus) {}

  void put(int key, int value);
  std::optional<int> get(int key) const;

  // Begins or ends to listen; without that, nothing is forgotten.
  void attach();
  void detach();

  std::size_t forgotten() const;
  Usage usage() const;

 private:
  void forget(int key);

  Bus& bus_;
  mutable std::mutex mutex_;
  std::map<int, int> values_;
  int subscription_ = 0;
  std::size_t forgotten_ = 0;
  Usage usage_;
};

}  // namespace cache
