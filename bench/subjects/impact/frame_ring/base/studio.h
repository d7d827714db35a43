// What a studio knows of its cameras: how they are set, and marks that somebody has made in the recording.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <vector>

namespace video {

struct Setting {
  int exposure = 0;
  int gain = 0;
};

class Settings {
 public:
  static constexpr std::size_t kCameras = 5;

  void set(int camera, Setting setting);
  Setting of(int camera) const;

  // The camera with the longest exposure.
  int brightest() const;
  int changes() const;

 private:
  mutable std::mutex mutex_;
  std::array<Setting, kCameras> settings_{};
  int changes_ = 0;
};

class Marks {
 public:
  // Returns the number of the mark.
  int set(int camera, int second);
  bool remove(int mark);

  std::size_t of(int camera) const;
  int last_second() const;

 private:
  struct Mark {
    int number = 0;
    int camera = 0;
  };

  mutable std::mutex mutex_;
  std::vector<Mark> marks_;
  int next_number_ = 1;
  int last_second_ = 0;
};

}  // namespace video
