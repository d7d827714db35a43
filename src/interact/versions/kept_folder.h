// KeptFolder: what has been made of one program of one build, in the store. As long as one of these lives,
// also in another process, nothing of it is removed; what is not in use goes when there is too much.
//
// Each part is a folder of its own, made under another name and renamed when it is finished: what a process
// that was killed has left is never taken for finished.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "change/build_slots.h"
#include "support/error.h"

namespace heddle::interact {

class KeptFolder {
 public:
  static constexpr size_t kKept = 16;

  // The folder of this name in `all`.
  static Expected<std::shared_ptr<const KeptFolder>> use(const std::filesystem::path& all,
                                                         const std::string& name);

  // Calls `make` with a new folder, unless the part is there already. Of several that want it at the same
  // time one makes it, and the others wait.
  Expected<std::filesystem::path> part(
      const std::string& name,
      const std::function<Expected<void>(const std::filesystem::path& folder)>& make) const;

 private:
  KeptFolder(std::filesystem::path path, std::unique_ptr<SlotLock> lock)
      : path_(std::move(path)), lock_(std::move(lock)) {}

  std::filesystem::path path_;
  std::unique_ptr<SlotLock> lock_;
};

}  // namespace heddle::interact
