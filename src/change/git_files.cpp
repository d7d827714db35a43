#include "change/git_files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <tuple>

#include <fmt/format.h>

namespace heddle::git {
namespace fs = std::filesystem;

Expected<void> write_entry(const fs::path& path, git_filemode_t mode, std::string_view content) {
  std::error_code failed;
  fs::create_directories(path.parent_path(), failed);
  fs::remove_all(path, failed);
  if (mode == GIT_FILEMODE_LINK) {
    fs::create_symlink(fs::path(content), path, failed);
    if (failed) return usage_error(fmt::format("cannot write {}: {}", path.string(), failed.message()));
    return {};
  }
  std::ofstream file(path, std::ios::binary);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  if (!file) return usage_error(fmt::format("cannot write {}: {}", path.string(), std::strerror(errno)));
  if (mode == GIT_FILEMODE_BLOB_EXECUTABLE) {
    fs::permissions(path, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                    fs::perm_options::add, failed);
  }
  return {};
}

git_filemode_t mode_of(const fs::path& path) {
  std::error_code failed;
  if (fs::is_symlink(path, failed)) return GIT_FILEMODE_LINK;
  const fs::perms permissions = fs::status(path, failed).permissions();
  return (permissions & fs::perms::owner_exec) != fs::perms::none ? GIT_FILEMODE_BLOB_EXECUTABLE
                                                                  : GIT_FILEMODE_BLOB;
}

Expected<void> CheckOut::tree(const GitStore& store, git_tree* tree, const std::string& below) {
  for (size_t i = 0; i < git_tree_entrycount(tree); ++i) {
    const git_tree_entry* entry = git_tree_entry_byindex(tree, i);
    const std::string path = join(below, git_tree_entry_name(entry));
    const Expected<void> written = this->entry(store, entry, path);
    if (!written) return written;
  }
  return {};
}

Expected<void> CheckOut::working_tree(const GitStore& store) {
  const Expected<TreeHandle> head = store.tree_of("HEAD");
  if (!head) return tl::unexpected(head.error());
  const Expected<DiffHandle> diff = store.diff_to_working_tree(head->get());
  if (!diff) return tl::unexpected(diff.error());
  in_working_tree_ = true;
  if (const Expected<void> written = tree(store, head->get(), ""); !written) return written;
  for (size_t i = 0; i < git_diff_num_deltas(diff->get()); ++i) {
    const git_diff_delta* delta = git_diff_get_delta(diff->get(), i);
    const std::string path = delta->new_file.path;
    const fs::path to = folder_ / join(store.prefix(), path);
    const fs::path from = store.root() / path;
    std::error_code failed;
    if (is_gone(store, *delta)) {
      fs::remove_all(to, failed);
      continue;
    }
    if (fs::is_directory(from, failed)) continue;  // a submodule, which was written as it lies there
    const Expected<std::string> content = read_entry(from);
    if (!content) return tl::unexpected(content.error());
    if (const Expected<void> written = write_entry(to, mode_of(from), *content); !written) return written;
  }
  return {};
}

Expected<void> CheckOut::entry(const GitStore& store, const git_tree_entry* entry, const std::string& path) {
  const fs::path to = folder_ / join(store.prefix(), path);
  const git_oid& id = *git_tree_entry_id(entry);
  const git_filemode_t mode = git_tree_entry_filemode(entry);
  if (mode == GIT_FILEMODE_TREE) {
    git_tree* found = nullptr;
    if (git_tree_lookup(&found, store.get(), &id) != 0)
      return usage_error(fmt::format("git cannot read folder {}: {}", path, last_error()));
    const TreeHandle folder(found);
    return tree(store, folder.get(), path);
  }
  if (mode == GIT_FILEMODE_COMMIT) return submodule(store, id, path);
  const Expected<std::string> content = store.blob(id);
  if (!content) return tl::unexpected(content.error());
  return write_entry(to, mode, *content);
}

Expected<void> CheckOut::submodule(const GitStore& store, const git_oid& id, const std::string& path) {
  if (in_working_tree_) {
    const Expected<GitStore> submodule = store.submodule(path);
    if (!submodule) return tl::unexpected(submodule.error());
    return working_tree(*submodule);
  }
  const Expected<GitStore::SubmoduleTree> submodule = store.submodule_tree(path, id);
  if (!submodule) return tl::unexpected(submodule.error());
  return tree(submodule->store, submodule->tree.get(), "");
}

Expected<void> Comparison::trees(const GitStore& store, git_tree* base, git_tree* head) {
  git_diff* found = nullptr;
  git_diff_options options = GIT_DIFF_OPTIONS_INIT;
  options.flags = GIT_DIFF_INCLUDE_TYPECHANGE;
  if (git_diff_tree_to_tree(&found, store.get(), base, head, &options) != 0)
    return usage_error(fmt::format("git cannot compare the revisions: {}", last_error()));
  return add(store, DiffHandle(found), /*to_working_tree=*/false);
}
Expected<void> Comparison::working_tree(const GitStore& store, git_tree* base) {
  Expected<DiffHandle> diff = store.diff_to_working_tree(base);
  if (!diff) return tl::unexpected(diff.error());
  return add(store, std::move(*diff), /*to_working_tree=*/true);
}
std::vector<FileChange> Comparison::take() {
  std::sort(changes_.begin(), changes_.end(), [](const FileChange& a, const FileChange& b) {
    return std::tie(a.new_path, a.old_path) < std::tie(b.new_path, b.old_path);
  });
  return std::move(changes_);
}

Expected<void> Comparison::add(const GitStore& store, DiffHandle diff, bool to_working_tree) {
  git_diff_find_options similar = GIT_DIFF_FIND_OPTIONS_INIT;
  similar.flags = GIT_DIFF_FIND_RENAMES | GIT_DIFF_FIND_FOR_UNTRACKED;
  if (git_diff_find_similar(diff.get(), &similar) != 0)
    return usage_error(fmt::format("git cannot look for renamed files: {}", last_error()));
  for (size_t i = 0; i < git_diff_num_deltas(diff.get()); ++i) {
    const git_diff_delta* delta = git_diff_get_delta(diff.get(), i);
    if (delta->old_file.mode == GIT_FILEMODE_COMMIT || delta->new_file.mode == GIT_FILEMODE_COMMIT) {
      if (const Expected<void> added = add_submodule(store, *delta, to_working_tree); !added) return added;
      continue;
    }
    const bool is_new = delta->status == GIT_DELTA_ADDED || delta->status == GIT_DELTA_UNTRACKED;
    FileChange change;
    if (!is_new) change.old_path = join(store.prefix(), delta->old_file.path);
    if (!is_gone(store, *delta)) change.new_path = join(store.prefix(), delta->new_file.path);
    change.is_binary = (delta->flags & GIT_DIFF_FLAG_BINARY) != 0;
    changes_.push_back(std::move(change));
  }
  return {};
}

Expected<void> Comparison::add_submodule(const GitStore& store, const git_diff_delta& delta,
                                         bool to_working_tree) {
  const char* path = delta.new_file.path != nullptr ? delta.new_file.path : delta.old_file.path;
  const Expected<GitStore> submodule = store.submodule(path);
  if (!submodule) return tl::unexpected(submodule.error());
  const auto tree_of = [&](const git_diff_file& file) -> Expected<TreeHandle> {
    if (file.mode != GIT_FILEMODE_COMMIT) return TreeHandle();
    return submodule->tree_of(text_of(file.id));
  };
  const Expected<TreeHandle> base = tree_of(delta.old_file);
  if (!base) return tl::unexpected(base.error());
  if (to_working_tree) return working_tree(*submodule, base->get());
  const Expected<TreeHandle> head = tree_of(delta.new_file);
  if (!head) return tl::unexpected(head.error());
  return trees(*submodule, base->get(), head->get());
}

namespace {

std::string id_of(git_filemode_t mode, const git_oid& id) {
  return fmt::format("{:o} {}", static_cast<unsigned>(mode), text_of(id));
}

}  // namespace

Expected<void> FileList::tree(const GitStore& store, git_tree* tree, const std::string& below) {
  for (size_t i = 0; i < git_tree_entrycount(tree); ++i) {
    const git_tree_entry* entry = git_tree_entry_byindex(tree, i);
    const Expected<void> added = this->entry(store, entry, join(below, git_tree_entry_name(entry)));
    if (!added) return added;
  }
  return {};
}

Expected<void> FileList::entry(const GitStore& store, const git_tree_entry* entry, const std::string& path) {
  const git_oid& id = *git_tree_entry_id(entry);
  switch (git_tree_entry_filemode(entry)) {
    case GIT_FILEMODE_TREE: {
      git_tree* found = nullptr;
      if (git_tree_lookup(&found, store.get(), &id) != 0)
        return usage_error(fmt::format("git cannot read folder {}: {}", path, last_error()));
      const TreeHandle folder(found);
      return tree(store, folder.get(), path);
    }
    case GIT_FILEMODE_COMMIT: {
      if (in_working_tree_) {
        const Expected<GitStore> submodule = store.submodule(path);
        if (submodule) return working_tree(*submodule);
      } else {
        const Expected<GitStore::SubmoduleTree> submodule = store.submodule_tree(path, id);
        if (submodule) return tree(submodule->store, submodule->tree.get(), "");
      }
      add_missing(store, id, path);
      return {};
    }
    default:
      ids_[join(store.prefix(), path)] = id_of(git_tree_entry_filemode(entry), id);
      return {};
  }
}

void FileList::add_missing(const GitStore& store, const git_oid& id, const std::string& path) {
  const std::string name = join(store.prefix(), path);
  ids_[name] = id_of(GIT_FILEMODE_COMMIT, id);
  missing_.insert(name);
}

std::vector<std::string> FileList::names() const {
  std::vector<std::string> names;
  for (const auto& [name, id] : ids_) {
    if (missing_.count(name) == 0) names.push_back(name);
  }
  return names;
}

Expected<void> FileList::working_tree(const GitStore& store) {
  in_working_tree_ = true;
  const Expected<TreeHandle> head = store.tree_of("HEAD");
  if (!head) return tl::unexpected(head.error());
  if (const Expected<void> listed = tree(store, head->get(), ""); !listed) return listed;
  const Expected<DiffHandle> diff = store.diff_to_working_tree(head->get());
  if (!diff) return tl::unexpected(diff.error());
  for (size_t i = 0; i < git_diff_num_deltas(diff->get()); ++i) {
    const git_diff_delta* delta = git_diff_get_delta(diff->get(), i);
    const std::string path = join(store.prefix(), delta->new_file.path);
    std::error_code failed;
    const fs::path file = store.root() / delta->new_file.path;
    if (is_gone(store, *delta)) {
      ids_.erase(path);
    } else if (!fs::is_directory(file, failed)) {
      const Expected<std::string> content = read_entry(file);
      if (!content) return tl::unexpected(content.error());
      git_oid id;
      if (git_odb_hash(&id, content->data(), content->size(), GIT_OBJECT_BLOB) != 0)
        return usage_error(fmt::format("git cannot make a hash of {}: {}", path, last_error()));
      ids_[path] = id_of(mode_of(file), id);
    }
  }
  return {};
}

}  // namespace heddle::git
