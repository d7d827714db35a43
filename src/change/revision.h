// Revisions of a project: what git knows, read only.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "support/error.h"

namespace heddle {

// A state of the project's files. Either a commit, or what lies in the user's working tree now.
struct Revision {
  std::string name;    // as the user said it: "main", "HEAD~2", "the working tree"
  std::string commit;  // full id; of a working tree: what it is based on
  bool is_working_tree = false;
  bool is_as_committed = true;  // of a working tree: nothing in it differs from its commit
  uint64_t content = 0;         // hash of all files that belong to it; the same content, the same number
};

// A file that differs between two revisions, renames followed.
struct FileChange {
  std::string old_path;  // empty: added
  std::string new_path;  // empty: removed
  bool is_binary = false;
};

// The two ends of a change.
struct RevisionPair {
  Revision base;
  Revision head;
};

class Repository {
 public:
  // The repository that `folder` lies in. Says so if there is none.
  static Expected<Repository> open(const std::filesystem::path& folder);
  Repository(Repository&&) noexcept;
  Repository& operator=(Repository&&) noexcept;
  ~Repository();

  const std::filesystem::path& root() const;  // of the working tree

  // Anything git takes for a commit. An unknown name, or one that a shallow clone does not reach, is an error
  // that says what to do.
  Expected<Revision> resolve(const std::string& name) const;
  // The working tree as it is: tracked files as they lie there, and new ones that git does not ignore. What
  // heddle has written (schedules, traces, results) is not part of it.
  Expected<Revision> working_tree() const;
  // What a change to `head` is usually compared with: where it left `base`.
  Expected<Revision> merge_base(const Revision& base, const Revision& head) const;

  // In the order of the new paths. Submodules' files count as the project's.
  Expected<std::vector<FileChange>> changes(const Revision& base, const Revision& head) const;
  // What the files of the revision contain, by path: the same text, the same content and mode. A submodule
  // that is not checked out is one entry.
  Expected<std::map<std::string, std::string>> file_ids(const Revision& revision) const;
  // Writes one of these files as `to`, in place of what is there.
  Expected<void> write_file(const Revision& revision, const std::string& path, const std::string& id,
                            const std::filesystem::path& to) const;
  // All files of the revision, sorted. Submodules that are not checked out have none.
  Expected<std::vector<std::string>> files(const Revision& revision) const;
  // The text of a file in a revision; an error if there is none.
  Expected<std::string> read(const Revision& revision, const std::string& path) const;
  // Writes all files of the revision, submodules included, into `folder`, which must not exist yet. Nothing
  // is written elsewhere.
  Expected<void> check_out(const Revision& revision, const std::filesystem::path& folder) const;

 private:
  class Impl;
  explicit Repository(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// What a user who names a base means: the head, which is the working tree if it has no name, and the revision
// where it left that base.
Expected<RevisionPair> resolve_change(const Repository& repository, const std::string& base,
                                      const std::string& head);

}  // namespace heddle
