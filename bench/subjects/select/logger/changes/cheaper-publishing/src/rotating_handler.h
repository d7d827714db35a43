// Writes lines to a sink, and begins another one when it is full. The last few are kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

#include "handler.h"
#include "sink.h"

namespace logging {

class RotatingHandler : public Handler {
 public:
  // Makes the sink with this number; the first one is number 0.
  using MakeSink = std::function<std::unique_ptr<Sink>(std::uint64_t number)>;

  // A sink is full when another line would make it longer than `size` bytes. At most `kept` sinks are kept,
  // the one in use included.
  RotatingHandler(MakeSink make_sink, std::size_t size, std::size_t kept, Formatter formatter = Formatter());

  // Begins another sink now.
  void rotate();

  std::uint64_t rotations() const;
  std::size_t sink_count() const;

  // The bytes of the sink in use, and of all.
  std::size_t current_size() const;
  std::uint64_t total_size() const;

  // Calls `visit` for each sink that is kept, the oldest first.
  void for_each_sink(const std::function<void(const Sink&)>& visit) const;

 protected:
  void publish(const Record& record) override;

 private:
  // Whether so many more bytes would be too many for the sink in use.
  bool is_full(std::size_t more) const;

  // Expects the caller to hold mutex_.
  void begin_sink();

  const MakeSink make_sink_;
  const std::size_t size_;
  const std::size_t kept_;
  const Formatter formatter_;

  mutable std::mutex mutex_;
  std::deque<std::unique_ptr<Sink>> sinks_;
  std::uint64_t next_number_ = 0;
  std::size_t current_size_ = 0;
  std::uint64_t total_size_ = 0;
};

}  // namespace logging
