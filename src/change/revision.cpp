#include "change/revision.h"

#include <optional>

#include <fmt/format.h>

#include "change/git_files.h"
#include "change/git_store.h"

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

Expected<uint64_t> working_content(const GitStore& store);

// The content of a submodule in the working tree, or of nothing if it is not there.
Expected<uint64_t> submodule_content(const GitStore& store, const std::string& path) {
  const Expected<GitStore> submodule = store.submodule(path);
  if (!submodule) return 0;
  return working_content(*submodule);
}

Expected<uint64_t> working_content(const GitStore& store) {
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
    if (is_gone(store, *delta)) {
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

}  // namespace

class Repository::Impl {
 public:
  Impl(std::unique_ptr<Library> library, GitStore store)
      : library_(std::move(library)), store_(std::move(store)), root_(store_.root()) {}

  const GitStore& store() const { return store_; }
  const fs::path& root() const { return root_; }

 private:
  std::unique_ptr<Library> library_;  // outlives what it made
  GitStore store_;
  fs::path root_;
};

Repository::Repository(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Repository::Repository(Repository&&) noexcept = default;
Repository& Repository::operator=(Repository&&) noexcept = default;
Repository::~Repository() = default;

Expected<Repository> Repository::open(const fs::path& folder) {
  auto library = std::make_unique<Library>();
  Expected<GitStore> store = GitStore::open(folder);
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
  const GitStore& store = impl_->store();
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

Expected<std::vector<std::string>> Repository::files(const Revision& revision) const {
  FileList list;
  Expected<void> listed;
  if (revision.is_working_tree) {
    listed = list.working_tree(impl_->store());
  } else {
    const Expected<TreeHandle> tree = impl_->store().tree_of(revision.commit);
    if (!tree) return tl::unexpected(tree.error());
    listed = list.tree(impl_->store(), tree->get(), "");
  }
  if (!listed) return tl::unexpected(listed.error());
  return list.take();
}

Expected<std::string> Repository::read(const Revision& revision, const std::string& path) const {
  if (revision.is_working_tree) return read_entry(impl_->root() / path);
  const GitStore* store = &impl_->store();
  std::optional<GitStore> inner;
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
    Expected<GitStore> submodule = store->submodule(rest.substr(0, slash));
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

Expected<RevisionPair> resolve_change(const Repository& repository, const std::string& base,
                                      const std::string& head) {
  Expected<Revision> end = head.empty() ? repository.working_tree() : repository.resolve(head);
  if (!end) return tl::unexpected(end.error());
  const Expected<Revision> named = repository.resolve(base);
  if (!named) return tl::unexpected(named.error());
  Expected<Revision> begin = repository.merge_base(*named, *end);
  if (!begin) return tl::unexpected(begin.error());
  return RevisionPair{std::move(*begin), std::move(*end)};
}

}  // namespace heddle
