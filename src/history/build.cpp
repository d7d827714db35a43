#include "history/build.h"

#include <algorithm>

#include "execute/runtime_location.h"
#include "history/file_content.h"
#include "trace/hash.h"

namespace heddle {

namespace fs = std::filesystem;

uint64_t Build::id() const {
  uint64_t id = trace::fnv1a("build");
  for (const Module& module : modules) id = trace::fnv1a(module.name + '\0' + module.id + '\0', id);
  return id;
}

Build identify_build(const BinaryInfo& binary) {
  Build build;
  const auto add = [&](const fs::path& path) {
    build.modules.push_back({path.filename().string(), binary_identity(path).value_or("")});
  };
  std::vector<std::string> paths = binary.instrumented_libraries;
  paths.push_back(binary.path);
  for (const std::string& path : paths) {
    add(path);
    std::error_code failed;
    const fs::file_time_type time = fs::last_write_time(path, failed);
    if (!failed) build.time = std::max(build.time, time);
  }
  // It calls main and makes the keys of locations.
  if (const Expected<std::string> runtime = find_runtime()) add(fs::path(*runtime) / "libheddle_rt.so");
  std::sort(build.modules.begin(), build.modules.end());
  return build;
}

}  // namespace heddle
