#include "frontier.h"

#include <algorithm>
#include <utility>

namespace crawl {

bool Frontier::push(Task task) {
  {
    std::lock_guard lock(mutex_);
    if (closed_) return false;
    Host& host = hosts_[task.url.authority()];
    const int priority = task.priority;
    host.tasks[priority].push_back(std::move(task));
    ++queued_;
    ++pushed_;
  }
  changed_.notify_all();  // who waits may wait for something else, see pause
  return true;
}

/// The host that may be asked first, of those that have tasks and are not busy; null if there is none. Needs
/// the lock.
Frontier::Host* Frontier::next_host() {
  Host* best = nullptr;
  for (auto& [authority, host] : hosts_) {
    if (host.tasks.empty() || host.in_flight >= config_.max_per_host) continue;
    if (!best || host.next_time < best->next_time) best = &host;
  }
  return best;
}

/// Needs the lock.
Task Frontier::take(Host& host, Millis now) {
  const auto first = host.tasks.begin();
  Task task = std::move(first->second.front());
  first->second.pop_front();
  if (first->second.empty()) host.tasks.erase(first);
  host.next_time = now + std::max(config_.delay, host.delay);
  ++host.in_flight;
  ++in_flight_;
  --queued_;
  ++popped_;
  return task;
}

std::optional<Task> Frontier::pop() {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (closed_) return std::nullopt;
    if (pauses_ == 0) {
      Host* host = next_host();
      if (host && host->next_time <= clock_.now()) return take(*host, clock_.now());
      if (host && in_flight_ == 0) {
        // Everybody would wait for this moment, so it comes at once.
        clock_.advance_to(host->next_time);
        continue;
      }
      if (queued_ == 0 && in_flight_ == 0) {
        changed_.notify_all();
        return std::nullopt;
      }
    }
    changed_.wait(lock);
  }
}

void Frontier::done(const Task& task) {
  std::lock_guard lock(mutex_);
  --hosts_[task.url.authority()].in_flight;
  --in_flight_;
  changed_.notify_all();
}

void Frontier::set_delay(const std::string& authority, Millis delay) {
  std::lock_guard lock(mutex_);
  hosts_[authority].delay = delay;
}

void Frontier::hold_back(const std::string& authority, Millis time) {
  std::lock_guard lock(mutex_);
  Host& host = hosts_[authority];
  host.next_time = std::max(host.next_time, time);
}

void Frontier::pause() {
  std::unique_lock lock(mutex_);
  ++pauses_;
  changed_.wait(lock, [this] { return in_flight_ == 0; });
}

void Frontier::resume() {
  {
    std::lock_guard lock(mutex_);
    --pauses_;
  }
  changed_.notify_all();
}

void Frontier::close() {
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

bool Frontier::closed() const {
  std::lock_guard lock(mutex_);
  return closed_;
}

Frontier::Stats Frontier::stats() const {
  std::lock_guard lock(mutex_);
  return {queued_, in_flight_, hosts_.size(), pushed_, popped_};
}

std::vector<Task> Frontier::snapshot() const {
  std::vector<Task> tasks;
  std::lock_guard lock(mutex_);
  tasks.reserve(queued_);
  for (const auto& [authority, host] : hosts_) {
    for (const auto& [priority, queue] : host.tasks) tasks.insert(tasks.end(), queue.begin(), queue.end());
  }
  return tasks;
}

}  // namespace crawl
