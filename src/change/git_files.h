// Walks through trees and working trees: writes their files, compares them, lists them. Submodules' files
// count as the project's.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "change/git_store.h"
#include "change/revision.h"

namespace heddle::git {

git_filemode_t mode_of(const std::filesystem::path& path);

// Writes trees and working trees below a folder.
class CheckOut {
 public:
  explicit CheckOut(std::filesystem::path folder) : folder_(std::move(folder)) {}

  Expected<void> tree(const GitStore& store, git_tree* tree, const std::string& below);
  Expected<void> working_tree(const GitStore& store);

 private:
  Expected<void> entry(const GitStore& store, const git_tree_entry* entry, const std::string& path);
  Expected<void> submodule(const GitStore& store, const git_oid& id, const std::string& path);

  std::filesystem::path folder_;
  bool in_working_tree_ = false;
};

// Collects the files that differ.
class Comparison {
 public:
  Expected<void> trees(const GitStore& store, git_tree* base, git_tree* head);
  Expected<void> working_tree(const GitStore& store, git_tree* base);
  std::vector<FileChange> take();

 private:
  Expected<void> add(const GitStore& store, DiffHandle diff, bool to_working_tree);
  Expected<void> add_submodule(const GitStore& store, const git_diff_delta& delta, bool to_working_tree);

  std::vector<FileChange> changes_;
};

// Collects the names of all files. Submodules that are not checked out have none.
class FileList {
 public:
  Expected<void> tree(const GitStore& store, git_tree* tree, const std::string& below);
  Expected<void> working_tree(const GitStore& store);
  std::vector<std::string> take() { return {paths_.begin(), paths_.end()}; }

 private:
  Expected<void> entry(const GitStore& store, const git_tree_entry* entry, const std::string& path);

  std::set<std::string> paths_;
  bool in_working_tree_ = false;
};

}  // namespace heddle::git
