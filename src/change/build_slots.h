// Build slots: the few folders in which heddle builds revisions, one after the other.
//
// A revision is built where a revision lies that differs from it least, so that the build tool has only the
// difference to do. What a slot contains is believed only when its build has ended: a process that dies on
// the way leaves a slot whose content nobody takes for finished. A slot that somebody uses, to build or to
// run tests, is locked, and stays as it is.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "support/error.h"

namespace heddle {

struct SlotFile {
  std::string id;       // of its content and mode
  int64_t written = 0;  // nanoseconds, and bytes, as it was left: a build may write over its sources
  uint64_t size = 0;
};

enum class SlotPhase { kEmpty, kBuilding, kFailed, kFinished };

struct SlotState {
  uint64_t build = 0;          // what it contains, or will
  uint64_t configuration = 0;  // compilers, options and commands
  SlotPhase phase = SlotPhase::kEmpty;
  std::map<std::string, SlotFile> files;  // of the sources, by path
};

// An open, locked file; the kernel lets go of it when all processes that have it are gone, a build's
// included.
class SlotLock {
 public:
  explicit SlotLock(int fd) : fd_(fd) {}
  SlotLock(const SlotLock&) = delete;
  ~SlotLock();
  int fd() const { return fd_; }

 private:
  int fd_;
};

struct BuildSlot {
  std::filesystem::path home;      // folders `source` and `build`, files `log` and `state`
  SlotState state;                 // as it was found
  std::shared_ptr<SlotLock> lock;  // of whoever builds; from finish() on shared with all that use it
  bool is_finished = false;        // contains the wanted build already
};

class BuildSlots {
 public:
  static constexpr size_t kKept = 4;  // more are made only while all of them are in use

  explicit BuildSlots(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // The slot with this build, or the best one to make it in. Waits if somebody else is making it right now.
  Expected<BuildSlot> take(uint64_t build, uint64_t configuration,
                           const std::map<std::string, std::string>& files,
                           const std::function<void(const std::string&)>& progress);

  // The slot with this build, if it is finished.
  std::optional<BuildSlot> find(uint64_t build) const;

  // While a slot is built in: what is known of it now.
  Expected<void> save(const BuildSlot& slot) const;
  // The build has ended. If it has been made, others may use it from now on. Removes slots that are too many.
  Expected<void> finish(BuildSlot* slot, SlotPhase phase) const;

 private:
  Expected<std::unique_ptr<SlotLock>> lock_all() const;
  Expected<BuildSlot> choose(uint64_t build, uint64_t configuration,
                             const std::map<std::string, std::string>& files) const;
  std::filesystem::path home(size_t number) const;
  BuildSlot slot_at(size_t number) const;
  void remove_surplus() const;

  std::filesystem::path folder_;
};

}  // namespace heddle
