#include "progress.h"

namespace crawl {

const char* name_of(WorkerState state) {
  switch (state) {
    case WorkerState::kIdle:
      return "idle";
    case WorkerState::kRobots:
      return "robots";
    case WorkerState::kFetching:
      return "fetching";
    case WorkerState::kIndexing:
      return "indexing";
  }
  return "unknown";
}

ProgressBoard::ProgressBoard(std::size_t workers) {
  slots_.reserve(workers);
  for (std::size_t i = 0; i < workers; ++i) slots_.push_back(std::make_unique<Slot>());
}

void ProgressBoard::enter(std::size_t worker, WorkerState state, std::uint64_t address, Millis now) {
  Slot& slot = *slots_[worker];
  std::lock_guard lock(slot.mutex);
  slot.info.state = state;
  slot.info.address = address;
  slot.info.since = now;
}

void ProgressBoard::finish(std::size_t worker, std::size_t bytes, Millis now) {
  Slot& slot = *slots_[worker];
  std::lock_guard lock(slot.mutex);
  slot.info.state = WorkerState::kIdle;
  slot.info.address = 0;
  slot.info.since = now;
  slot.info.bytes += bytes;
  ++slot.info.finished;
}

ProgressBoard::WorkerInfo ProgressBoard::worker(std::size_t worker) const {
  const Slot& slot = *slots_[worker];
  std::lock_guard lock(slot.mutex);
  return slot.info;
}

std::vector<ProgressBoard::WorkerInfo> ProgressBoard::snapshot() const {
  std::vector<WorkerInfo> infos;
  infos.reserve(slots_.size());
  // Workers should not wait for whoever looks at them; a picture that is a little old will do.
  for (const auto& slot : slots_) infos.push_back(slot->info);
  return infos;
}

std::size_t ProgressBoard::active() const {
  std::size_t count = 0;
  for (const auto& slot : slots_) {
    std::lock_guard lock(slot->mutex);
    if (slot->info.state != WorkerState::kIdle) ++count;
  }
  return count;
}

std::uint64_t ProgressBoard::finished() const {
  std::uint64_t count = 0;
  for (const auto& slot : slots_) {
    std::lock_guard lock(slot->mutex);
    count += slot->info.finished;
  }
  return count;
}

std::vector<std::size_t> ProgressBoard::stuck(Millis now, Millis longer_than) const {
  std::vector<std::size_t> found;
  const std::vector<WorkerInfo> infos = snapshot();
  for (std::size_t worker = 0; worker < infos.size(); ++worker) {
    const WorkerInfo& info = infos[worker];
    if (info.state != WorkerState::kIdle && now - info.since >= longer_than) found.push_back(worker);
  }
  return found;
}

std::string ProgressBoard::render() const {
  std::string text;
  const std::vector<WorkerInfo> infos = snapshot();
  for (std::size_t worker = 0; worker < infos.size(); ++worker) {
    text += std::to_string(worker) + " " + name_of(infos[worker].state) + " " +
            std::to_string(infos[worker].finished) + " " + std::to_string(infos[worker].bytes) + "\n";
  }
  return text;
}

}  // namespace crawl
