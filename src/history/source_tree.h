// SourceTree: the files of a project under names that mean the same wherever the project lies, and what is in
// them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace heddle {

// Without symbolic links, by way of which compilers name files, too.
std::filesystem::path real_path(const std::filesystem::path& path);

class SourceTree {
 public:
  explicit SourceTree(const std::filesystem::path& root);
  // That of the project which `folder` belongs to: the git repository around it, found as git does it
  // (GIT_CEILING_DIRECTORIES), or else `folder` itself.
  static SourceTree around(const std::filesystem::path& folder);

  const std::filesystem::path& root() const { return root_; }

  // Relative to the root if it is below it.
  std::string name_of(const std::filesystem::path& path) const;
  std::filesystem::path path_of(const std::string& name) const { return root_ / name; }

  // A hash of what the file contained when a build was made at that time: nothing if it has been written
  // since, or cannot be read. Programs and libraries are always as they are now, and if they have a build-id
  // that stands for what they contain.
  std::optional<uint64_t> content(const std::string& name, std::filesystem::file_time_type built) const;

 private:
  std::filesystem::path root_;
};

}  // namespace heddle
