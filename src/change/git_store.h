// GitStore: one git repository, the project's or that of a submodule, as the .cpp files of this folder read
// it.
#pragma once

#include <filesystem>
#include <string>

#include "change/git_handles.h"
#include "support/error.h"

namespace heddle::git {

// Paths are relative to the repository.
class GitStore {
 public:
  static Expected<GitStore> open(const std::filesystem::path& folder);

  git_repository* get() const { return repository_.get(); }
  std::filesystem::path root() const;
  const std::string& prefix() const { return prefix_; }

  Expected<CommitHandle> commit(const std::string& name) const;
  Expected<TreeHandle> tree_of(const std::string& commit_name) const;
  Expected<std::string> blob(const git_oid& id) const;

  // The repository of the submodule at `path`, if it has been checked out.
  Expected<GitStore> submodule(const std::string& path) const;
  // The submodule and its tree at a commit that the project names.
  struct SubmoduleTree;
  Expected<SubmoduleTree> submodule_tree(const std::string& path, const git_oid& commit) const;

  // What differs between a commit and the working tree, new files included. The index stays as it is.
  Expected<DiffHandle> diff_to_working_tree(git_tree* tree) const;

 private:
  GitStore(RepositoryHandle repository, std::string prefix)
      : repository_(std::move(repository)), prefix_(std::move(prefix)) {}

  RepositoryHandle repository_;
  std::string prefix_;  // where it lies in the project; empty: it is the project's
};

struct GitStore::SubmoduleTree {
  GitStore store;
  TreeHandle tree;
};

// Whether the file is no longer there, also where it was removed while a merge is unfinished.
bool is_gone(const GitStore& store, const git_diff_delta& delta);

// Of what lies in a working tree: the text of a file, or where a link points to.
Expected<std::string> read_entry(const std::filesystem::path& path);

std::string join(const std::string& folder, const std::string& name);

}  // namespace heddle::git
