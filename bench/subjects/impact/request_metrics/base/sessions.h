// The sessions of a server, and the limits of what each of its users may ask for.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <vector>

namespace metrics {

class Sessions {
 public:
  // Returns the number of the session.
  int begin(int user);
  bool touch(int session);
  bool end(int session);

  std::size_t of_user(int user) const;
  int ended() const;

 private:
  struct Session {
    int number = 0;
    int user = 0;
    int touched = 0;
  };

  mutable std::mutex mutex_;
  std::vector<Session> sessions_;
  int next_number_ = 1;
  int ended_ = 0;
};

class Limits {
 public:
  static constexpr std::size_t kUsers = 6;

  // False if the user has no requests left.
  bool use(int user);
  void grant(int user, int requests);

  int left(int user) const;
  int granted() const;

 private:
  mutable std::mutex mutex_;
  std::array<int, kUsers> left_{};
  int granted_ = 0;
};

}  // namespace metrics
