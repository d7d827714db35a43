#include "change/revision.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>

#include <fmt/format.h>

#include "change/git_handles.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using namespace git;

class ContentHash {
 public:
  void add(std::string_view bytes) {
    for (const char c : bytes) value_ = (value_ ^ static_cast<uint8_t>(c)) * 0x100000001b3;  // FNV-1a
    value_ = (value_ ^ 0xff) * 0x100000001b3;  // ends a part, as no UTF-8 byte does
  }
  uint64_t value() const { return value_; }

 private:
  uint64_t value_ = 0xcbf29ce484222325;
};

Expected<std::string> read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  if (!file) return usage_error(fmt::format("cannot read {}: {}", path.string(), std::strerror(errno)));
  return content.str();
}

// Of what lies in a working tree: the text of a file, or where a link points to.
Expected<std::string> read_entry(const fs::path& path) {
  std::error_code failed;
  if (fs::is_symlink(path, failed)) return fs::read_symlink(path, failed).string();
  return read_file(path);
}

Expected<void> write_entry(const fs::path& path, git_filemode_t mode, std::string_view content) {
  std::error_code failed;
  fs::create_directories(path.parent_path(), failed);
  fs::remove(path, failed);
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

std::string join(const std::string& folder, const std::string& name) {
  return folder.empty() ? name : folder + "/" + name;
}

// One repository: the project's, or that of a submodule. Paths are relative to it.
class Store {
 public:
  Store(RepositoryHandle repository, std::string prefix)
      : repository_(std::move(repository)), prefix_(std::move(prefix)) {}

  static Expected<Store> open(const fs::path& folder) {
    git_repository* repository = nullptr;
    // Folders above which git does not look for a repository either.
    const char* ceilings = std::getenv("GIT_CEILING_DIRECTORIES");
    const int result = git_repository_open_ext(&repository, folder.c_str(), 0, ceilings);
    if (result == GIT_ENOTFOUND) {
      return usage_error(fmt::format(
          "{} is not in a git repository; heddle compares revisions that git knows", folder.string()));
    }
    if (result != 0)
      return usage_error(
          fmt::format("cannot open the git repository of {}: {}", folder.string(), last_error()));
    Store store{RepositoryHandle(repository), ""};
    if (git_repository_workdir(repository) == nullptr) {
      return usage_error(fmt::format(
          "the git repository of {} is bare: there is no working tree to build from", folder.string()));
    }
    return store;
  }

  git_repository* get() const { return repository_.get(); }
  fs::path root() const { return fs::path(git_repository_workdir(get())).lexically_normal(); }

  Expected<CommitHandle> commit(const std::string& name) const {
    git_object* found = nullptr;
    const int result = git_revparse_single(&found, get(), (name + "^{commit}").c_str());
    ObjectHandle object(found);
    if (result == 0) return CommitHandle(reinterpret_cast<git_commit*>(object.release()));
    if (result == GIT_EAMBIGUOUS) return usage_error(fmt::format("'{}' may mean several revisions", name));
    if (git_repository_is_shallow(get()) == 1) {
      return usage_error(fmt::format(
          "revision '{}' is not in this clone, which is shallow; `git fetch --unshallow` gets the rest",
          name));
    }
    if (git_repository_head_unborn(get()) == 1)
      return usage_error("the repository has no commit yet, so there is nothing to compare with");
    return usage_error(fmt::format("git knows no revision '{}'", name));
  }

  Expected<TreeHandle> tree_of(const std::string& commit_name) const {
    Expected<CommitHandle> found = commit(commit_name);
    if (!found) return tl::unexpected(found.error());
    git_tree* tree = nullptr;
    if (git_commit_tree(&tree, found->get()) != 0)
      return usage_error(fmt::format("git cannot read commit {}: {}", commit_name, last_error()));
    return TreeHandle(tree);
  }

  // The repository of the submodule at `path`, if it has been checked out.
  Expected<Store> submodule(const std::string& path) const {
    git_submodule* found = nullptr;
    git_repository* repository = nullptr;
    const bool is_there = git_submodule_lookup(&found, get(), path.c_str()) == 0;
    SubmoduleHandle submodule(found);
    if (!is_there || git_submodule_open(&repository, submodule.get()) != 0) {
      return usage_error(
          fmt::format("submodule {} is not checked out; `git submodule update --init --recursive` does that",
                      join(prefix_, path)));
    }
    return Store(RepositoryHandle(repository), join(prefix_, path));
  }

  Expected<std::string> blob(const git_oid& id) const {
    git_blob* found = nullptr;
    if (git_blob_lookup(&found, get(), &id) != 0)
      return usage_error(fmt::format("git cannot read object {}: {}", text_of(id), last_error()));
    const BlobHandle blob(found);
    return std::string(static_cast<const char*>(git_blob_rawcontent(blob.get())),
                       static_cast<size_t>(git_blob_rawsize(blob.get())));
  }

  // What differs between a commit and the working tree, new files included. The index stays as it is.
  Expected<DiffHandle> diff_to_working_tree(git_tree* tree) const {
    git_diff_options options = GIT_DIFF_OPTIONS_INIT;
    options.flags =
        GIT_DIFF_INCLUDE_UNTRACKED | GIT_DIFF_RECURSE_UNTRACKED_DIRS | GIT_DIFF_INCLUDE_TYPECHANGE;
    git_diff* diff = nullptr;
    if (git_diff_tree_to_workdir_with_index(&diff, get(), tree, &options) != 0)
      return usage_error(fmt::format("git cannot look at the working tree: {}", last_error()));
    return DiffHandle(diff);
  }

  const std::string& prefix() const { return prefix_; }

 private:
  RepositoryHandle repository_;
  std::string prefix_;  // where it lies in the project; empty: it is the project's
};

Expected<uint64_t> working_content(const Store& store);

// The content of a submodule in the working tree, or of nothing if it is not there.
Expected<uint64_t> submodule_content(const Store& store, const std::string& path) {
  const Expected<Store> submodule = store.submodule(path);
  if (!submodule) return 0;
  return working_content(*submodule);
}

Expected<uint64_t> working_content(const Store& store) {
  const Expected<TreeHandle> tree = store.tree_of("HEAD");
  if (!tree) return tl::unexpected(tree.error());
  const Expected<DiffHandle> diff = store.diff_to_working_tree(tree->get());
  if (!diff) return tl::unexpected(diff.error());
  ContentHash hash;
  hash.add(text_of(*git_tree_id(tree->get())));
  for (size_t i = 0; i < git_diff_num_deltas(diff->get()); ++i) {
    const git_diff_delta* delta = git_diff_get_delta(diff->get(), i);
    const std::string path = delta->new_file.path;
    hash.add(path);
    std::error_code failed;
    if (delta->status == GIT_DELTA_DELETED) {
      hash.add("gone");
    } else if (delta->new_file.mode == GIT_FILEMODE_COMMIT || fs::is_directory(store.root() / path, failed)) {
      const Expected<uint64_t> content = submodule_content(store, path);
      if (!content) return content;
      hash.add(std::to_string(*content));
    } else {
      const Expected<std::string> text = read_entry(store.root() / path);
      if (!text) return tl::unexpected(text.error());
      hash.add(*text);
      hash.add(std::to_string(mode_of(store.root() / path)));
    }
  }
  return hash.value();
}

uint64_t content_of_tree(const git_tree* tree) {
  ContentHash hash;
  hash.add(text_of(*git_tree_id(tree)));
  return hash.value();
}

// Writes trees and working trees below a folder.
class CheckOut {
 public:
  explicit CheckOut(fs::path folder) : folder_(std::move(folder)) {}

  Expected<void> tree(const Store& store, git_tree* tree, const std::string& below) {
    for (size_t i = 0; i < git_tree_entrycount(tree); ++i) {
      const git_tree_entry* entry = git_tree_entry_byindex(tree, i);
      const std::string path = join(below, git_tree_entry_name(entry));
      const Expected<void> written = this->entry(store, entry, path);
      if (!written) return written;
    }
    return {};
  }

  Expected<void> working_tree(const Store& store) {
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
      if (delta->status == GIT_DELTA_DELETED) {
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

 private:
  Expected<void> entry(const Store& store, const git_tree_entry* entry, const std::string& path) {
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

  Expected<void> submodule(const Store& store, const git_oid& id, const std::string& path) {
    const Expected<Store> submodule = store.submodule(path);
    if (!submodule) return tl::unexpected(submodule.error());
    if (in_working_tree_) return working_tree(*submodule);
    const Expected<TreeHandle> tree_there = submodule->tree_of(text_of(id));
    if (!tree_there) {
      return usage_error(fmt::format("submodule {} does not have commit {}; `git submodule update` gets it",
                                     submodule->prefix(), text_of(id).substr(0, 12)));
    }
    return tree(*submodule, tree_there->get(), "");
  }

  fs::path folder_;
  bool in_working_tree_ = false;
};

// Collects the files that differ, those of submodules included.
class Comparison {
 public:
  Expected<void> trees(const Store& store, git_tree* base, git_tree* head) {
    git_diff* found = nullptr;
    git_diff_options options = GIT_DIFF_OPTIONS_INIT;
    options.flags = GIT_DIFF_INCLUDE_TYPECHANGE;
    if (git_diff_tree_to_tree(&found, store.get(), base, head, &options) != 0)
      return usage_error(fmt::format("git cannot compare the revisions: {}", last_error()));
    return add(store, DiffHandle(found), /*to_working_tree=*/false);
  }
  Expected<void> working_tree(const Store& store, git_tree* base) {
    Expected<DiffHandle> diff = store.diff_to_working_tree(base);
    if (!diff) return tl::unexpected(diff.error());
    return add(store, std::move(*diff), /*to_working_tree=*/true);
  }
  std::vector<FileChange> take() {
    std::sort(changes_.begin(), changes_.end(), [](const FileChange& a, const FileChange& b) {
      return std::tie(a.new_path, a.old_path) < std::tie(b.new_path, b.old_path);
    });
    return std::move(changes_);
  }

 private:
  Expected<void> add(const Store& store, DiffHandle diff, bool to_working_tree) {
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
      if (delta->status != GIT_DELTA_DELETED) change.new_path = join(store.prefix(), delta->new_file.path);
      change.is_binary = (delta->flags & GIT_DIFF_FLAG_BINARY) != 0;
      changes_.push_back(std::move(change));
    }
    return {};
  }

  Expected<void> add_submodule(const Store& store, const git_diff_delta& delta, bool to_working_tree) {
    const char* path = delta.new_file.path != nullptr ? delta.new_file.path : delta.old_file.path;
    const Expected<Store> submodule = store.submodule(path);
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

  std::vector<FileChange> changes_;
};

}  // namespace

class Repository::Impl {
 public:
  Impl(std::unique_ptr<Library> library, Store store)
      : library_(std::move(library)), store_(std::move(store)), root_(store_.root()) {}

  const Store& store() const { return store_; }
  const fs::path& root() const { return root_; }

 private:
  std::unique_ptr<Library> library_;  // outlives what it made
  Store store_;
  fs::path root_;
};

Repository::Repository(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Repository::Repository(Repository&&) noexcept = default;
Repository& Repository::operator=(Repository&&) noexcept = default;
Repository::~Repository() = default;

Expected<Repository> Repository::open(const fs::path& folder) {
  auto library = std::make_unique<Library>();
  Expected<Store> store = Store::open(folder);
  if (!store) return tl::unexpected(store.error());
  return Repository(std::make_unique<Impl>(std::move(library), std::move(*store)));
}

const fs::path& Repository::root() const {
  return impl_->root();
}

Expected<Revision> Repository::resolve(const std::string& name) const {
  const Expected<CommitHandle> commit = impl_->store().commit(name);
  if (!commit) return tl::unexpected(commit.error());
  const Expected<TreeHandle> tree = impl_->store().tree_of(text_of(*git_commit_id(commit->get())));
  if (!tree) return tl::unexpected(tree.error());
  Revision revision;
  revision.name = name;
  revision.commit = text_of(*git_commit_id(commit->get()));
  revision.content = content_of_tree(tree->get());
  return revision;
}

Expected<Revision> Repository::working_tree() const {
  const Expected<Revision> head = resolve("HEAD");
  if (!head) return head;
  const Expected<uint64_t> content = working_content(impl_->store());
  if (!content) return tl::unexpected(content.error());
  Revision revision = *head;
  revision.name = "the working tree";
  revision.is_working_tree = true;
  revision.content = *content;
  return revision;
}

Expected<Revision> Repository::merge_base(const Revision& base, const Revision& head) const {
  git_oid one;
  git_oid other;
  git_oid common;
  git_oid_fromstr(&one, base.commit.c_str());
  git_oid_fromstr(&other, head.commit.c_str());
  if (git_merge_base(&common, impl_->store().get(), &one, &other) != 0) {
    return usage_error(fmt::format("{} and {} have no common ancestor in this clone", base.name, head.name));
  }
  if (git_oid_equal(&common, &one) != 0) return base;
  Expected<Revision> revision = resolve(text_of(common));
  if (revision) revision->name = fmt::format("where {} left {}", head.name, base.name);
  return revision;
}

Expected<std::vector<FileChange>> Repository::changes(const Revision& base, const Revision& head) const {
  const Store& store = impl_->store();
  const Expected<TreeHandle> old_tree = store.tree_of(base.commit);
  if (!old_tree) return tl::unexpected(old_tree.error());
  Comparison comparison;
  Expected<void> compared;
  if (head.is_working_tree) {
    compared = comparison.working_tree(store, old_tree->get());
  } else {
    const Expected<TreeHandle> new_tree = store.tree_of(head.commit);
    if (!new_tree) return tl::unexpected(new_tree.error());
    compared = comparison.trees(store, old_tree->get(), new_tree->get());
  }
  if (!compared) return tl::unexpected(compared.error());
  return comparison.take();
}

Expected<std::string> Repository::read(const Revision& revision, const std::string& path) const {
  if (revision.is_working_tree) return read_entry(impl_->root() / path);
  const Store* store = &impl_->store();
  std::optional<Store> inner;
  std::string commit = revision.commit;
  std::string rest = path;
  for (;;) {
    const Expected<TreeHandle> tree = store->tree_of(commit);
    if (!tree) return tl::unexpected(tree.error());
    git_tree_entry* found = nullptr;
    if (git_tree_entry_bypath(&found, tree->get(), rest.c_str()) == 0) {
      const TreeEntryHandle entry(found);
      return store->blob(*git_tree_entry_id(entry.get()));
    }
    // Below a submodule, whose folder is an entry itself.
    size_t slash = rest.find('/');
    TreeEntryHandle link;
    while (slash != std::string::npos) {
      if (git_tree_entry_bypath(&found, tree->get(), rest.substr(0, slash).c_str()) == 0) {
        link.reset(found);
        if (git_tree_entry_filemode(found) == GIT_FILEMODE_COMMIT) break;
      }
      slash = rest.find('/', slash + 1);
    }
    if (slash == std::string::npos) return usage_error(fmt::format("{} has no file {}", revision.name, path));
    commit = text_of(*git_tree_entry_id(link.get()));
    Expected<Store> submodule = store->submodule(rest.substr(0, slash));
    if (!submodule) return tl::unexpected(submodule.error());
    inner = std::move(*submodule);
    store = &*inner;
    rest = rest.substr(slash + 1);
  }
}

Expected<void> Repository::check_out(const Revision& revision, const fs::path& folder) const {
  std::error_code failed;
  if (!fs::create_directories(folder, failed))
    return usage_error(fmt::format("cannot make folder {}: {}", folder.string(),
                                   failed ? failed.message() : "it exists already"));
  CheckOut check_out(folder);
  if (revision.is_working_tree) return check_out.working_tree(impl_->store());
  const Expected<TreeHandle> tree = impl_->store().tree_of(revision.commit);
  if (!tree) return tl::unexpected(tree.error());
  return check_out.tree(impl_->store(), tree->get(), "");
}

}  // namespace heddle
