#include "history/build.h"

#include <algorithm>

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
  std::vector<std::string> paths = binary.instrumented_libraries;
  paths.push_back(binary.path);
  Build build;
  for (const fs::path path : paths) {
    std::error_code failed;
    const fs::file_time_type time = fs::last_write_time(path, failed);
    if (!failed) build.time = std::max(build.time, time);
    build.modules.push_back({path.filename().string(), binary_identity(path).value_or("")});
  }
  std::sort(build.modules.begin(), build.modules.end());
  return build;
}

}  // namespace heddle
