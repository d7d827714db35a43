#include "change/git_store.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

namespace heddle::git {
namespace fs = std::filesystem;
namespace {

Expected<std::string> read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  if (!file) return usage_error(fmt::format("cannot read {}: {}", path.string(), std::strerror(errno)));
  return content.str();
}

// Schedules, results and traces that heddle itself has written: they say nothing of the project, and would
// make each check one of another tree. Asked only of files that git does not track.
bool is_heddles_own(const fs::path& path) {
  constexpr std::string_view kBeginnings[] = {"heddle-schedule ", "{\n  \"heddle\": \"", "HEDTRACE"};
  std::ifstream file(path, std::ios::binary);
  char begin[32];
  file.read(begin, sizeof(begin));
  const std::string_view text(begin, static_cast<size_t>(file.gcount()));
  return std::any_of(std::begin(kBeginnings), std::end(kBeginnings),
                     [&](std::string_view known) { return text.starts_with(known); });
}

// For git_diff_options: above 0, the file is left out.
int leave_out(const git_diff*, const git_diff_delta* delta, const char*, void* root) {
  return delta->status == GIT_DELTA_UNTRACKED &&
                 is_heddles_own(*static_cast<const fs::path*>(root) / delta->new_file.path)
             ? 1
             : 0;
}

}  // namespace

bool is_gone(const GitStore& store, const git_diff_delta& delta) {
  if (delta.status != GIT_DELTA_CONFLICTED) return delta.status == GIT_DELTA_DELETED;
  std::error_code failed;
  return !fs::exists(fs::symlink_status(store.root() / delta.new_file.path, failed));
}

Expected<std::string> read_entry(const fs::path& path) {
  std::error_code failed;
  if (fs::is_symlink(path, failed)) return fs::read_symlink(path, failed).string();
  return read_file(path);
}

std::string join(const std::string& folder, const std::string& name) {
  return folder.empty() ? name : folder + "/" + name;
}

Expected<GitStore> GitStore::open(const fs::path& folder) {
  git_repository* repository = nullptr;
  // As git does: above these folders nothing is looked for.
  const char* ceilings = std::getenv("GIT_CEILING_DIRECTORIES");
  const int result = git_repository_open_ext(&repository, folder.c_str(), 0, ceilings);
  if (result == GIT_ENOTFOUND) {
    return usage_error(fmt::format("{} is not in a git repository; heddle compares revisions that git knows",
                                   folder.string()));
  }
  if (result != 0)
    return usage_error(
        fmt::format("cannot open the git repository of {}: {}", folder.string(), last_error()));
  GitStore store{RepositoryHandle(repository), ""};
  if (git_repository_workdir(repository) == nullptr) {
    return usage_error(fmt::format("the git repository of {} is bare: there is no working tree to build from",
                                   folder.string()));
  }
  return store;
}

fs::path GitStore::root() const {
  return fs::path(git_repository_workdir(get())).lexically_normal();
}

Expected<CommitHandle> GitStore::commit(const std::string& name) const {
  git_object* found = nullptr;
  const int result = git_revparse_single(&found, get(), (name + "^{commit}").c_str());
  ObjectHandle object(found);
  if (result == 0) return CommitHandle(reinterpret_cast<git_commit*>(object.release()));
  if (result == GIT_EAMBIGUOUS) return usage_error(fmt::format("'{}' may mean several revisions", name));
  if (git_repository_is_shallow(get()) == 1) {
    return usage_error(fmt::format(
        "revision '{}' is not in this clone, which is shallow; `git fetch --unshallow` gets the rest", name));
  }
  if (git_repository_head_unborn(get()) == 1)
    return usage_error("the repository has no commit yet, so there is nothing to compare with");
  return usage_error(fmt::format("git knows no revision '{}'", name));
}

Expected<TreeHandle> GitStore::tree_of(const std::string& commit_name) const {
  Expected<CommitHandle> found = commit(commit_name);
  if (!found) return tl::unexpected(found.error());
  git_tree* tree = nullptr;
  if (git_commit_tree(&tree, found->get()) != 0)
    return usage_error(fmt::format("git cannot read commit {}: {}", commit_name, last_error()));
  return TreeHandle(tree);
}

Expected<GitStore> GitStore::submodule(const std::string& path) const {
  git_submodule* found = nullptr;
  git_repository* repository = nullptr;
  const bool is_there = git_submodule_lookup(&found, get(), path.c_str()) == 0;
  SubmoduleHandle submodule(found);
  if (!is_there || git_submodule_open(&repository, submodule.get()) != 0) {
    return usage_error(
        fmt::format("submodule {} is not checked out; `git submodule update --init --recursive` does that",
                    join(prefix_, path)));
  }
  return GitStore(RepositoryHandle(repository), join(prefix_, path));
}

Expected<std::string> GitStore::blob(const git_oid& id) const {
  git_blob* found = nullptr;
  if (git_blob_lookup(&found, get(), &id) != 0)
    return usage_error(fmt::format("git cannot read object {}: {}", text_of(id), last_error()));
  const BlobHandle blob(found);
  return std::string(static_cast<const char*>(git_blob_rawcontent(blob.get())),
                     static_cast<size_t>(git_blob_rawsize(blob.get())));
}

Expected<DiffHandle> GitStore::diff_to_working_tree(git_tree* tree) const {
  git_diff_options options = GIT_DIFF_OPTIONS_INIT;
  options.flags = GIT_DIFF_INCLUDE_UNTRACKED | GIT_DIFF_RECURSE_UNTRACKED_DIRS | GIT_DIFF_INCLUDE_TYPECHANGE;
  fs::path root = this->root();
  options.notify_cb = leave_out;
  options.payload = &root;
  git_diff* diff = nullptr;
  if (git_diff_tree_to_workdir_with_index(&diff, get(), tree, &options) != 0)
    return usage_error(fmt::format("git cannot look at the working tree: {}", last_error()));
  return DiffHandle(diff);
}

Expected<GitStore::SubmoduleTree> GitStore::submodule_tree(const std::string& path,
                                                           const git_oid& commit) const {
  Expected<GitStore> inner = submodule(path);
  if (!inner) return tl::unexpected(inner.error());
  Expected<TreeHandle> tree = inner->tree_of(text_of(commit));
  if (!tree) {
    return usage_error(fmt::format("submodule {} does not have commit {}; `git submodule update` gets it",
                                   inner->prefix(), text_of(commit).substr(0, 12)));
  }
  return SubmoduleTree{std::move(*inner), std::move(*tree)};
}

}  // namespace heddle::git
