#include "change/revision.h"

#include <cstdlib>
#include <optional>

#include <fmt/format.h>

#include "change/git_files.h"
#include "change/git_store.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using namespace git;

uint64_t content_of(const std::map<std::string, std::string>& files) {
  uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  const auto add = [&](std::string_view bytes) {
    for (const char c : bytes) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
    hash = (hash ^ 0xff) * 0x100000001b3;  // ends a part, as no UTF-8 byte does
  };
  for (const auto& [path, id] : files) {
    add(path);
    add(id);
  }
  return hash;
}

Expected<FileList> list_of(const GitStore& store, const Revision& revision) {
  FileList list;
  Expected<void> listed;
  if (revision.is_working_tree) {
    listed = list.working_tree(store);
  } else {
    const Expected<TreeHandle> tree = store.tree_of(revision.commit);
    if (!tree) return tl::unexpected(tree.error());
    listed = list.tree(store, tree->get(), "");
  }
  if (!listed) return tl::unexpected(listed.error());
  return list;
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
  Revision revision;
  revision.name = name;
  revision.commit = text_of(*git_commit_id(commit->get()));
  const Expected<std::map<std::string, std::string>> files = file_ids(revision);
  if (!files) return tl::unexpected(files.error());
  revision.content = content_of(*files);
  return revision;
}

Expected<Revision> Repository::working_tree() const {
  Expected<Revision> revision = resolve("HEAD");
  if (!revision) return revision;
  revision->name = "the working tree";
  revision->is_working_tree = true;
  const Expected<std::map<std::string, std::string>> files = file_ids(*revision);
  if (!files) return tl::unexpected(files.error());
  const uint64_t committed = revision->content;
  revision->content = content_of(*files);
  revision->is_as_committed = revision->content == committed;
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
  const Expected<FileList> list = list_of(impl_->store(), revision);
  if (!list) return tl::unexpected(list.error());
  return list->names();
}

Expected<std::map<std::string, std::string>> Repository::file_ids(const Revision& revision) const {
  Expected<FileList> list = list_of(impl_->store(), revision);
  if (!list) return tl::unexpected(list.error());
  return list->take();
}

Expected<void> Repository::write_file(const Revision& revision, const std::string& path,
                                      const std::string& id, const fs::path& to) const {
  const auto mode = static_cast<git_filemode_t>(std::strtoul(id.c_str(), nullptr, 8));
  if (mode == GIT_FILEMODE_COMMIT) {
    return usage_error(fmt::format(
        "submodule {} is not checked out as {} has it; `git submodule update --init --recursive` does that",
        path, revision.name));
  }
  const Expected<std::string> content = read(revision, path);
  if (!content) return tl::unexpected(content.error());
  return write_entry(to, mode, *content);
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
