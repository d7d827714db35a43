// Who is there, and who may say something.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <vector>

namespace chat {

enum class Status { away, idle, online };

class Presence {
 public:
  static constexpr std::size_t kMembers = 8;

  void set(int member, Status status);
  Status status(int member) const;
  std::size_t online() const;

  // How often somebody's status has changed.
  int changes() const;

 private:
  mutable std::mutex mutex_;
  std::array<Status, kMembers> statuses_{};
  int changes_ = 0;
};

// Members that have to be silent for a while.
class Moderation {
 public:
  void warn(int member);
  bool mute(int member);
  bool unmute(int member);

  bool is_muted(int member) const;
  int warnings() const;

 private:
  mutable std::mutex mutex_;
  std::vector<int> muted_;
  int warnings_ = 0;
  int last_warned_ = 0;
};

}  // namespace chat
