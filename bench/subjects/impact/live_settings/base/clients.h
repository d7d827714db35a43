// The clients that use settings: which are there, and how their requests end.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <vector>

namespace settings {

class Clients {
 public:
  // Returns a ticket, with which the client goes.
  int come(int client);
  bool go(int ticket);

  bool is_there(int client) const;
  std::size_t most() const;

 private:
  struct Visit {
    int ticket = 0;
    int client = 0;
  };

  mutable std::mutex mutex_;
  std::vector<Visit> visits_;
  int next_ticket_ = 1;
  std::size_t most_ = 0;
};

enum class Outcome { answer, timeout, error };

class Outcomes {
 public:
  void add(Outcome outcome, int milliseconds);

  int count(Outcome outcome) const;
  int sum() const;
  int longest() const;

 private:
  mutable std::mutex mutex_;
  std::array<int, 3> counts_{};
  int longest_ = 0;
};

}  // namespace settings
