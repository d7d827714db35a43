#include "job_board.h"

#include <algorithm>
#include <utility>

namespace jobs {

uint64_t JobBoard::post(std::string job, Urgency urgency) {
  const std::lock_guard lock(mutex_);
  jobs_.emplace(++last_number_, Job{std::move(job), urgency});
  return last_number_;
}

bool JobBoard::withdraw(uint64_t number) {
  const std::lock_guard lock(mutex_);
  return jobs_.erase(number) > 0;
}

bool JobBoard::set_urgency(uint64_t number, Urgency urgency) {
  const std::lock_guard lock(mutex_);
  const auto job = jobs_.find(number);
  if (job == jobs_.end()) return false;
  job->second.urgency = urgency;
  return true;
}

std::optional<std::string> JobBoard::take() {
  const std::lock_guard lock(mutex_);
  if (jobs_.empty()) return std::nullopt;
  const auto job = std::max_element(jobs_.begin(), jobs_.end(), [](const auto& one, const auto& other) {
    return one.second.urgency < other.second.urgency;
  });
  std::string text = std::move(job->second.text);
  jobs_.erase(job);
  ++taken_;
  return text;
}

std::optional<std::string> JobBoard::take(uint64_t number) {
  const std::lock_guard lock(mutex_);
  const auto job = jobs_.find(number);
  if (job == jobs_.end()) return std::nullopt;
  std::string text = std::move(job->second.text);
  jobs_.erase(job);
  ++taken_;
  return text;
}

size_t JobBoard::size() const {
  const std::lock_guard lock(mutex_);
  return jobs_.size();
}

bool JobBoard::empty() const {
  return jobs_.empty();
}

size_t JobBoard::count(Urgency urgency) const {
  const std::lock_guard lock(mutex_);
  return static_cast<size_t>(std::count_if(jobs_.begin(), jobs_.end(),
                                           [&](const auto& job) { return job.second.urgency == urgency; }));
}

std::optional<std::string> JobBoard::look_up(uint64_t number) const {
  const std::lock_guard lock(mutex_);
  const auto job = jobs_.find(number);
  if (job == jobs_.end()) return std::nullopt;
  return job->second.text;
}

std::vector<std::string> JobBoard::all() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> texts;
  for (const auto& [number, job] : jobs_) texts.push_back(job.text);
  return texts;
}

uint64_t JobBoard::taken() const {
  const std::lock_guard lock(mutex_);
  return taken_;
}

}  // namespace jobs
