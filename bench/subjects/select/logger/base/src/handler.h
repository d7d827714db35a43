// What happens to a message. Handlers are shared by loggers and threads; every handler takes care of that
// itself.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "formatter.h"
#include "level.h"

namespace logging {

class Handler {
 public:
  virtual ~Handler() = default;

  // Takes the record if its level passes the threshold of this handler.
  void handle(const Record& record);

  // Returns when everything that was handled before has reached its end.
  virtual void flush() {}

  Level threshold() const { return threshold_.load(std::memory_order_relaxed); }
  void set_threshold(Level threshold) { threshold_.store(threshold, std::memory_order_relaxed); }

  // How many records came, and how many of them did not pass.
  std::uint64_t handled() const { return handled_.load(std::memory_order_relaxed); }
  std::uint64_t filtered() const { return filtered_.load(std::memory_order_relaxed); }

 protected:
  virtual void publish(const Record& record) = 0;

 private:
  std::atomic<Level> threshold_{Level::kAll};
  std::atomic<std::uint64_t> handled_{0};
  std::atomic<std::uint64_t> filtered_{0};
};

// Keeps the last lines, at most `limit`.
class MemoryHandler : public Handler {
 public:
  explicit MemoryHandler(std::size_t limit, Formatter formatter = Formatter())
      : limit_(limit), formatter_(std::move(formatter)) {}

  std::vector<std::string> lines() const;
  std::size_t size() const;
  void clear();

 protected:
  void publish(const Record& record) override;

 private:
  const std::size_t limit_;
  const Formatter formatter_;
  mutable std::mutex mutex_;
  std::deque<std::string> lines_;
};

// Counts the messages of each level.
class CountingHandler : public Handler {
 public:
  std::uint64_t count(Level level) const;
  std::uint64_t total() const;

 protected:
  void publish(const Record& record) override;

 private:
  mutable std::mutex mutex_;
  std::uint64_t counts_[static_cast<int>(Level::kOff) + 1] = {};
};

// Keeps records back until one is important enough, then passes all of them on: the history of an error.
class TriggeringHandler : public Handler {
 public:
  TriggeringHandler(std::shared_ptr<Handler> target, Level trigger, std::size_t limit)
      : target_(std::move(target)), trigger_(trigger), limit_(limit) {}

  std::size_t kept() const;
  void flush() override;

 protected:
  void publish(const Record& record) override;

 private:
  const std::shared_ptr<Handler> target_;
  const Level trigger_;
  const std::size_t limit_;
  mutable std::mutex mutex_;
  std::deque<Record> kept_;
};

}  // namespace logging
