#include "history/source_tree.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string_view>

#include "history/file_content.h"
#include "trace/hash.h"

namespace heddle {

namespace fs = std::filesystem;

fs::path real_path(const fs::path& path) {
  std::error_code failed;
  fs::path found = fs::weakly_canonical(path, failed);
  if (failed) return path.lexically_normal();
  return found.has_filename() ? found : found.parent_path();
}

namespace {

// Folders that git looks neither into nor above when it looks for a repository from below.
std::set<fs::path> ceilings() {
  std::set<fs::path> folders;
  const char* list = std::getenv("GIT_CEILING_DIRECTORIES");
  std::string_view rest = list == nullptr ? "" : list;
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    if (folder.starts_with('/')) folders.insert(real_path(folder));
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
  }
  return folders;
}

}  // namespace

SourceTree::SourceTree(const fs::path& root) : root_(real_path(root)) {}

SourceTree SourceTree::around(const fs::path& folder) {
  const fs::path start = real_path(folder);
  const std::set<fs::path> ends = ceilings();
  std::error_code failed;
  for (fs::path at = start; at != at.root_path(); at = at.parent_path()) {
    if (fs::exists(at / ".git", failed)) return SourceTree(at);
    if (ends.contains(at.parent_path())) break;
  }
  return SourceTree(start);
}

std::string SourceTree::name_of(const fs::path& path) const {
  // A name without a folder is the compiler's own word; nobody knows where the file is.
  if (!path.is_absolute()) return path.lexically_normal().string();
  const fs::path real = real_path(path);
  const fs::path relative = real.lexically_relative(root_);
  return relative.empty() || *relative.begin() == ".." ? real.string() : relative.string();
}

std::optional<uint64_t> SourceTree::content(const std::string& name, fs::file_time_type built) const {
  const fs::path path = path_of(name);
  std::error_code failed;
  if (!fs::is_regular_file(path, failed)) return std::nullopt;
  if (const std::optional<std::string> id = binary_identity(path)) return trace::fnv1a(*id);
  const fs::file_time_type written = fs::last_write_time(path, failed);
  if (failed || written > built) return std::nullopt;
  return hash_of_file(path);
}

}  // namespace heddle
