#include "channel.h"

#include <utility>

namespace web {

std::uint64_t Channel::publish(std::string text) {
  std::lock_guard lock(mutex_);
  if (closed_) return 0;
  messages_.push_back({++last_number_, std::move(text)});
  if (messages_.size() > history_) messages_.pop_front();
  changed_.notify_all();
  return last_number_;
}

/// Needs the lock.
std::vector<Message> Channel::collect(std::uint64_t number) const {
  std::vector<Message> found;
  for (const Message& message : messages_) {
    if (message.number > number) found.push_back(message);
  }
  return found;
}

std::vector<Message> Channel::after(std::uint64_t number) const {
  std::lock_guard lock(mutex_);
  return collect(number);
}

std::vector<Message> Channel::wait_after(std::uint64_t number) {
  std::unique_lock lock(mutex_);
  ++waiting_;
  changed_.wait(lock, [&] { return closed_ || last_number_ > number; });
  --waiting_;
  return collect(number);
}

void Channel::close() {
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

bool Channel::closed() const {
  std::lock_guard lock(mutex_);
  return closed_;
}

std::uint64_t Channel::last_number() const {
  std::lock_guard lock(mutex_);
  return last_number_;
}

std::size_t Channel::waiting() const {
  std::lock_guard lock(mutex_);
  return waiting_;
}

std::shared_ptr<Channel> ChannelHub::open(const std::string& name) {
  std::lock_guard lock(mutex_);
  if (closed_) return nullptr;
  const auto found = channels_.find(name);
  if (found != channels_.end()) return found->second;
  if (channels_.size() >= max_channels_) return nullptr;
  return channels_.emplace(name, std::make_shared<Channel>(history_)).first->second;
}

std::shared_ptr<Channel> ChannelHub::find(std::string_view name) const {
  std::lock_guard lock(mutex_);
  const auto found = channels_.find(name);
  return found == channels_.end() ? nullptr : found->second;
}

bool ChannelHub::remove(const std::string& name) {
  std::shared_ptr<Channel> removed;
  {
    std::lock_guard lock(mutex_);
    const auto found = channels_.find(name);
    if (found == channels_.end()) return false;
    removed = std::move(found->second);
    channels_.erase(found);
  }
  removed->close();
  return true;
}

void ChannelHub::close() {
  std::lock_guard lock(mutex_);
  closed_ = true;
  for (const auto& [name, channel] : channels_) channel->close();
}

std::vector<std::string> ChannelHub::names() const {
  std::vector<std::string> names;
  std::lock_guard lock(mutex_);
  for (const auto& [name, channel] : channels_) names.push_back(name);
  return names;
}

}  // namespace web
