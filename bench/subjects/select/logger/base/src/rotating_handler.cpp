#include "rotating_handler.h"

#include <stdexcept>
#include <utility>

namespace logging {

RotatingHandler::RotatingHandler(MakeSink make_sink, std::size_t size, std::size_t kept, Formatter formatter)
    : make_sink_(std::move(make_sink)), size_(size), kept_(kept), formatter_(std::move(formatter)) {
  if (kept == 0) throw std::invalid_argument("one sink must be kept at least");
  begin_sink();
}

void RotatingHandler::begin_sink() {
  sinks_.push_back(make_sink_(next_number_++));
  if (sinks_.size() > kept_) sinks_.pop_front();
  current_size_ = 0;
}

void RotatingHandler::publish(const Record& record) {
  const std::string line = formatter_.format(record);
  const std::lock_guard lock(mutex_);
  if (current_size_ > 0 && current_size_ + line.size() > size_) begin_sink();
  sinks_.back()->write(line);
  current_size_ += line.size();
  total_size_ += line.size();
}

void RotatingHandler::rotate() {
  const std::lock_guard lock(mutex_);
  begin_sink();
}

std::uint64_t RotatingHandler::rotations() const {
  const std::lock_guard lock(mutex_);
  return next_number_ - 1;
}

std::size_t RotatingHandler::current_size() const {
  const std::lock_guard lock(mutex_);
  return current_size_;
}

std::uint64_t RotatingHandler::total_size() const {
  const std::lock_guard lock(mutex_);
  return total_size_;
}

void RotatingHandler::for_each_sink(const std::function<void(const Sink&)>& visit) const {
  const std::lock_guard lock(mutex_);
  for (const auto& sink : sinks_) visit(*sink);
}

}  // namespace logging
