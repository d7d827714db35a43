// What each worker does right now, for whoever watches a crawl.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "clock.h"

namespace crawl {

enum class WorkerState { kIdle, kRobots, kFetching, kIndexing };

const char* name_of(WorkerState state);

class ProgressBoard {
 public:
  struct WorkerInfo {
    WorkerState state = WorkerState::kIdle;
    std::uint64_t address = 0;  // fingerprint of what it works on; 0 if idle
    Millis since = 0;
    std::uint64_t finished = 0;
    std::uint64_t bytes = 0;
  };

  explicit ProgressBoard(std::size_t workers);

  std::size_t workers() const { return slots_.size(); }

  /// Called by the worker itself.
  void enter(std::size_t worker, WorkerState state, std::uint64_t address, Millis now);
  void finish(std::size_t worker, std::size_t bytes, Millis now);

  /// Called by anybody.
  WorkerInfo worker(std::size_t worker) const;
  std::vector<WorkerInfo> snapshot() const;
  std::size_t active() const;
  std::uint64_t finished() const;
  /// Workers that have been at the same work for that long.
  std::vector<std::size_t> stuck(Millis now, Millis longer_than) const;
  /// One line per worker.
  std::string render() const;

 private:
  /// Each worker has a lock of its own, so that workers do not wait for each other.
  struct Slot {
    mutable std::mutex mutex;
    WorkerInfo info;
  };

  std::vector<std::unique_ptr<Slot>> slots_;
};

}  // namespace crawl
