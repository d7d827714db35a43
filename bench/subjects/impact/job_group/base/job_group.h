// Jobs that belong together, and somebody who waits for all of them.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

namespace jobs {

// What the jobs have come to so far.
struct Results {
  int sum = 0;
  int finished = 0;
  int failed = 0;
};

class JobGroup {
 public:
  // Announces jobs; before that, they are not waited for.
  void add(int jobs);

  // Says that a job has ended, with what it has produced.
  void finish(int result);
  void fail(const std::string& why);

  // Waits until all announced jobs have ended. False if one of them has failed.
  bool wait();
  bool done() const;

  int sum() const;
  Results results() const;
  std::vector<std::string> errors() const;

 private:
  void end_one();

  mutable std::mutex mutex_;
  std::condition_variable all_done_;
  int pending_ = 0;

  mutable std::mutex results_mutex_;
  Results results_;
  std::vector<std::string> errors_;
};

}  // namespace jobs
