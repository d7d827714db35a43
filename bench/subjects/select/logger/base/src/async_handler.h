// Passes records on to another handler in a thread of its own, so that those who log do not wait for slow
// handlers.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "handler.h"

namespace logging {

class AsyncHandler : public Handler {
 public:
  // What happens to a record when the queue is full: its thread waits, or the record is lost.
  enum class Overflow { kWait, kDrop };

  AsyncHandler(std::shared_ptr<Handler> target, std::size_t capacity, Overflow overflow);

  // Passes on what is in the queue, and ends the thread.
  ~AsyncHandler() override;

  // Returns when the queue has been empty and the target is flushed.
  void flush() override;

  // Passes on what is in the queue; everything that comes later is lost.
  void close();

  // How many records wait, and how many were lost.
  std::size_t pending() const;
  std::uint64_t dropped() const;

 protected:
  void publish(const Record& record) override;

 private:
  void run();

  const std::shared_ptr<Handler> target_;
  const Overflow overflow_;

  mutable std::mutex mutex_;
  std::condition_variable not_empty_;
  std::condition_variable not_full_;
  std::condition_variable idle_;

  // A ring: count_ records from first_ on.
  std::vector<Record> ring_;
  std::size_t first_ = 0;
  std::size_t count_ = 0;

  bool working_ = false;
  bool closed_ = false;
  std::uint64_t dropped_ = 0;

  std::mutex join_mutex_;
  std::thread thread_;
};

}  // namespace logging
