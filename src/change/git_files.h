// Walks through trees and working trees: writes their files, compares them, lists them. Submodules' files
// count as the project's.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "change/git_store.h"
#include "change/revision.h"

namespace heddle::git {

git_filemode_t mode_of(const std::filesystem::path& path);
Expected<void> write_entry(const std::filesystem::path& path, git_filemode_t mode, std::string_view content);

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

// Collects the names of all files, and what identifies their contents and modes. Submodules that are not
// checked out have no files; they count as what they should contain.
class FileList {
 public:
  Expected<void> tree(const GitStore& store, git_tree* tree, const std::string& below);
  Expected<void> working_tree(const GitStore& store);
  std::vector<std::string> names() const;
  std::map<std::string, std::string> take() { return std::move(ids_); }

 private:
  Expected<void> entry(const GitStore& store, const git_tree_entry* entry, const std::string& path);
  void add_missing(const GitStore& store, const git_oid& id, const std::string& path);

  std::map<std::string, std::string> ids_;
  std::set<std::string> missing_;  // submodules
  bool in_working_tree_ = false;
};

}  // namespace heddle::git
