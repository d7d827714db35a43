// Two cameras and a recorder: frames arrive whole, and those of a camera in their order.
#undef NDEBUG
#include <cassert>
#include <cstddef>
#include <memory>
#include <optional>
#include <thread>

#include "frame_ring.h"

namespace {

constexpr int kFrames = 3;

// What has come of each camera so far.
struct Recorder {
  int last[2] = {};
  int frames = 0;

  void take(const video::Frame& frame) {
    assert(frame.intact());
    assert(frame.number == last[frame.camera - 1] + 1);
    last[frame.camera - 1] = frame.number;
    ++frames;
  }
};

void film(video::FrameRing& ring, int camera) {
  for (int number = 1; number <= kFrames; ++number) assert(ring.push(video::Frame::make(camera, number)));
}

void record(video::FrameRing& ring, Recorder& recorder) {
  for (int poll = 0; poll < kFrames; ++poll) {
    if (const std::optional<video::Frame> frame = ring.pop()) recorder.take(*frame);
    assert(ring.size() <= video::FrameRing::kCapacity);
  }
}

void watch(const video::FrameRing& ring) {
  const video::Usage before = ring.usage();
  assert(ring.size() <= video::FrameRing::kCapacity);
  assert(ring.dropped() == 0);
  const video::Usage after = ring.usage();
  assert(after.recorded >= before.recorded && after.empty >= before.empty);
  assert(ring.size() <= video::FrameRing::kCapacity);
  assert(ring.usage().dropped == 0);
  assert(ring.size() <= video::FrameRing::kCapacity);
}

}  // namespace

int main() {
  const auto owner = std::make_unique<video::FrameRing>();
  video::FrameRing& ring = *owner;
  Recorder recorder;

  std::thread watcher([&] { watch(ring); });
  std::thread first([&] { film(ring, 1); });
  std::thread consumer([&] { record(ring, recorder); });
  std::thread second([&] { film(ring, 2); });
  watcher.join();
  first.join();
  consumer.join();
  second.join();

  while (const std::optional<video::Frame> frame = ring.pop()) recorder.take(*frame);
  assert(recorder.frames == 2 * kFrames);
  assert(ring.dropped() == 0);
}
