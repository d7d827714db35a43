// JobBoard: what is to be done, the most urgent first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace jobs {

enum class Urgency { kLow, kNormal, kHigh };

// Thread-safe: any thread may post jobs and take them.
class JobBoard {
 public:
  JobBoard() = default;
  JobBoard(const JobBoard&) = delete;
  JobBoard& operator=(const JobBoard&) = delete;

  // The job's number, from 1.
  uint64_t post(std::string job, Urgency urgency = Urgency::kNormal);
  // False if it has been taken.
  bool withdraw(uint64_t number);
  bool set_urgency(uint64_t number, Urgency urgency);

  // The most urgent one, of several the oldest.
  std::optional<std::string> take();
  std::optional<std::string> take(uint64_t number);

  size_t size() const;
  bool empty() const;
  size_t count(Urgency urgency) const;
  std::optional<std::string> look_up(uint64_t number) const;
  std::vector<std::string> all() const;
  uint64_t taken() const;

 private:
  struct Job {
    std::string text;
    Urgency urgency = Urgency::kNormal;
  };

  mutable std::mutex mutex_;
  std::map<uint64_t, Job> jobs_;
  uint64_t last_number_ = 0;
  uint64_t taken_ = 0;
};

}  // namespace jobs
