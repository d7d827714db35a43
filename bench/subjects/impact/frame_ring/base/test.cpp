// Two cameras and a recorder: frames arrive whole, and those of a camera in their order. Cameras are set, and
// marks are made, all the time.
#undef NDEBUG
#include <cassert>
#include <cstddef>
#include <memory>
#include <optional>
#include <thread>

#include "frame_ring.h"
#include "studio.h"

namespace {

constexpr int kFrames = 3;
constexpr int kRounds = 8;

struct Studio {
  video::FrameRing ring;
  video::Settings settings;
  video::Marks marks;
};

void direct(Studio& studio, int camera) {
  for (int round = 0; round < kRounds; ++round) {
    studio.settings.set(camera, {.exposure = 10 * round, .gain = camera});
    const int mark = studio.marks.set(camera, round);
    assert(mark > round);
    assert(studio.settings.of(camera).gain == camera);
    assert(studio.marks.of(camera) == 1);
    assert(studio.settings.brightest() < static_cast<int>(video::Settings::kCameras));
    const int other = studio.marks.set(camera, round + 1);
    assert(studio.settings.changes() > round);
    assert(studio.marks.remove(mark));
    assert(studio.marks.last_second() > round);
    assert(studio.marks.remove(other));
  }
}

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
  const auto owner = std::make_unique<Studio>();
  Studio& studio = *owner;
  video::FrameRing& ring = studio.ring;
  Recorder recorder;

  std::thread first([&] {
    film(ring, 1);
    direct(studio, 1);
  });
  std::thread watcher([&] {
    watch(ring);
    direct(studio, 3);
  });
  std::thread consumer([&] {
    direct(studio, 4);
    record(ring, recorder);
  });
  std::thread second([&] {
    film(ring, 2);
    direct(studio, 2);
  });
  first.join();
  watcher.join();
  consumer.join();
  second.join();

  while (const std::optional<video::Frame> frame = ring.pop()) recorder.take(*frame);
  assert(recorder.frames == 2 * kFrames);
  assert(ring.dropped() == 0);
  assert(studio.settings.changes() == 4 * kRounds);
  assert(studio.marks.last_second() == kRounds);
}
