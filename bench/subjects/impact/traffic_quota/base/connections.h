// The connections of a customer, and the notices that were sent.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <vector>

namespace quota {

class Connections {
 public:
  // Returns the number of the new connection.
  int open(int device);
  bool close(int connection);

  std::size_t of_device(int device) const;
  std::size_t most() const;

 private:
  struct Connection {
    int number = 0;
    int device = 0;
  };

  mutable std::mutex mutex_;
  std::vector<Connection> open_;
  int next_number_ = 1;
  std::size_t most_ = 0;
};

enum class Notice { warning, offer, bill };

class Notices {
 public:
  void send(Notice notice, int device);

  int sent(Notice notice) const;
  int sent() const;
  int last_device() const;

 private:
  mutable std::mutex mutex_;
  std::array<int, 3> sent_{};
  int last_device_ = 0;
};

}  // namespace quota
