// Settings that change while the program runs. Readers never wait: they take a pointer to the newest version.
// Versions live as long as the settings do, so that a reader can go on with the one it has.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace settings {

struct Values {
  int version = 0;
  int timeout_ms = 0;
  int retries = 0;
  int deadline_ms = 0;  // for all retries together
};

// How often what was changed.
struct Changes {
  int timeouts = 0;
  int retries = 0;
  int roll_backs = 0;

  int sum() const { return timeouts + retries + roll_backs; }
};

class LiveSettings {
 public:
  explicit LiveSettings(int timeout_ms, int retries);

  const Values& current() const;

  // Each makes a new version of the newest one.
  int set_timeout(int timeout_ms);
  int set_retries(int retries);

  // Makes the values of an old version the newest. False if there is no such version.
  bool roll_back(int version);

  std::size_t versions() const;
  Changes changes() const;

 private:
  // Expects the caller to hold mutex_.
  int publish(Values values);

  std::atomic<const Values*> current_ = nullptr;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<const Values>> history_;
  Changes changes_;
};

}  // namespace settings
