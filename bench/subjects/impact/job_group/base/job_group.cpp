#include "job_group.h"

namespace jobs {

void JobGroup::add(int jobs) {
  const std::lock_guard lock(mutex_);
  pending_ += jobs;
}

void JobGroup::finish(int result) {
  {
    const std::lock_guard lock(results_mutex_);
    results_.sum += result;
    ++results_.finished;
  }
  end_one();
}

void JobGroup::fail(const std::string& why) {
  {
    const std::lock_guard lock(results_mutex_);
    ++results_.failed;
    errors_.push_back(why);
  }
  end_one();
}

bool JobGroup::wait() {
  {
    std::unique_lock lock(mutex_);
    all_done_.wait(lock, [this] { return pending_ == 0; });
  }
  const std::lock_guard lock(results_mutex_);
  return errors_.empty();
}

bool JobGroup::done() const {
  const std::lock_guard lock(mutex_);
  return pending_ == 0;
}

int JobGroup::sum() const {
  const std::lock_guard lock(results_mutex_);
  return results_.sum;
}

Results JobGroup::results() const {
  const std::lock_guard lock(results_mutex_);
  return results_;
}

std::vector<std::string> JobGroup::errors() const {
  const std::lock_guard lock(results_mutex_);
  return errors_;
}

void JobGroup::end_one() {
  const std::lock_guard lock(mutex_);
  if (--pending_ == 0) all_done_.notify_all();
}

}  // namespace jobs
