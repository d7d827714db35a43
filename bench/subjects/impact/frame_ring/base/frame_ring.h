// A bounded queue of video frames between cameras and a recorder.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>

namespace video {

struct Frame {
  int camera = 0;
  int number = 0;
  std::array<std::uint32_t, 4> pixels{};
  std::uint32_t checksum = 0;

  // A frame of one colour, with its checksum.
  static Frame make(int camera, int number);
  bool intact() const;
};

// What has gone through a ring.
struct Usage {
  std::size_t recorded = 0;
  std::size_t empty = 0;  // nothing was there to be recorded
  std::size_t dropped = 0;
};

class FrameRing {
 public:
  static constexpr std::size_t kCapacity = 6;

  // False if the ring is full; the frame is dropped then.
  bool push(const Frame& frame);

  // The oldest frame, if there is one.
  std::optional<Frame> pop();

  std::size_t size() const;
  std::size_t dropped() const;
  Usage usage() const;

 private:
  mutable std::mutex mutex_;
  std::array<Frame, kCapacity> slots_;
  // Both only grow; a frame's slot is its index modulo the capacity.
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  Usage usage_;
};

}  // namespace video
