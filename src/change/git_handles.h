// libgit2's objects with owners, and its errors as sentences. For the .cpp files of this folder.
#pragma once

#include <git2.h>

#include <memory>
#include <string>

namespace heddle::git {

template <auto kFree>
struct Free {
  template <typename T>
  void operator()(T* object) const {
    kFree(object);
  }
};
using RepositoryHandle = std::unique_ptr<git_repository, Free<git_repository_free>>;
using ObjectHandle = std::unique_ptr<git_object, Free<git_object_free>>;
using CommitHandle = std::unique_ptr<git_commit, Free<git_commit_free>>;
using TreeHandle = std::unique_ptr<git_tree, Free<git_tree_free>>;
using TreeEntryHandle = std::unique_ptr<git_tree_entry, Free<git_tree_entry_free>>;
using BlobHandle = std::unique_ptr<git_blob, Free<git_blob_free>>;
using DiffHandle = std::unique_ptr<git_diff, Free<git_diff_free>>;
using SubmoduleHandle = std::unique_ptr<git_submodule, Free<git_submodule_free>>;

// libgit2 counts who uses it.
class Library {
 public:
  Library() { git_libgit2_init(); }
  ~Library() { git_libgit2_shutdown(); }
  Library(const Library&) = delete;
};

inline std::string last_error() {
  const git_error* error = git_error_last();
  return error != nullptr && error->message != nullptr ? error->message : "no reason given";
}

inline std::string text_of(const git_oid& id) {
  char text[GIT_OID_HEXSZ + 1];
  return git_oid_tostr(text, sizeof(text), &id);
}

}  // namespace heddle::git
