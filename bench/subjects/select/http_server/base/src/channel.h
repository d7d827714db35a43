// Topics that clients follow by long polling: they ask for what came after the last message they know, and
// wait.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace web {

struct Message {
  std::uint64_t number = 0;  // 1 for the first message of a channel
  std::string text;
};

class Channel {
 public:
  /// Keeps the latest `history` messages for those who come late.
  explicit Channel(std::size_t history) : history_(history) {}

  /// Returns the number of the message; 0 once the channel is closed.
  std::uint64_t publish(std::string text);
  /// All kept messages after that number, without waiting.
  std::vector<Message> after(std::uint64_t number) const;
  /// The same, but waits for one. Empty only if the channel is closed.
  std::vector<Message> wait_after(std::uint64_t number);
  /// Wakes all who wait; nothing can be published any more.
  void close();

  bool closed() const;
  std::uint64_t last_number() const;
  std::size_t waiting() const;

 private:
  std::vector<Message> collect(std::uint64_t number) const;

  const std::size_t history_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Message> messages_;
  std::uint64_t last_number_ = 0;
  std::size_t waiting_ = 0;
  bool closed_ = false;
};

/// Channels by name, made when they are first asked for.
class ChannelHub {
 public:
  ChannelHub(std::size_t max_channels, std::size_t history)
      : max_channels_(max_channels), history_(history) {}

  /// Null if there are too many channels already, or the hub is closed.
  std::shared_ptr<Channel> open(const std::string& name);
  std::shared_ptr<Channel> find(std::string_view name) const;
  /// Closes a channel and forgets it.
  bool remove(const std::string& name);
  void close();
  std::vector<std::string> names() const;

 private:
  const std::size_t max_channels_;
  const std::size_t history_;
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Channel>, std::less<>> channels_;
  bool closed_ = false;
};

}  // namespace web
