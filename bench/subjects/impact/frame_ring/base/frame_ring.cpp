#include "frame_ring.h"

namespace video {

namespace {

std::uint32_t checksum_of(const Frame& frame) {
  std::uint32_t sum = 1;
  for (const std::uint32_t pixel : frame.pixels) sum = sum * 31 + pixel;
  return sum;
}

}  // namespace

Frame Frame::make(int camera, int number) {
  Frame frame{.camera = camera, .number = number};
  frame.pixels.fill(static_cast<std::uint32_t>(camera * 1000 + number));
  frame.checksum = checksum_of(frame);
  return frame;
}

bool Frame::intact() const {
  return checksum == checksum_of(*this);
}

bool FrameRing::push(const Frame& frame) {
  const std::lock_guard lock(mutex_);
  if (end_ - begin_ == kCapacity) {
    ++usage_.dropped;
    return false;
  }
  slots_[end_ % kCapacity] = frame;
  ++end_;
  return true;
}

std::optional<Frame> FrameRing::pop() {
  const std::lock_guard lock(mutex_);
  if (begin_ == end_) {
    ++usage_.empty;
    return std::nullopt;
  }
  const Frame frame = slots_[begin_ % kCapacity];
  ++begin_;
  ++usage_.recorded;
  return frame;
}

std::size_t FrameRing::size() const {
  const std::lock_guard lock(mutex_);
  return end_ - begin_;
}

std::size_t FrameRing::dropped() const {
  const std::lock_guard lock(mutex_);
  return usage_.dropped;
}

Usage FrameRing::usage() const {
  const std::lock_guard lock(mutex_);
  return usage_;
}

}  // namespace video
