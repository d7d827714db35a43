// What heddle sees of a git repository, made by git itself.
#include "change/revision.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "change/source_change.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

class Revisions : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "heddle-revisions-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = fs::canonical(name);
    make_repository("project");
  }
  void TearDown() override {
    std::error_code failed;
    fs::remove_all(folder_, failed);
  }

  fs::path project() const { return folder_ / "project"; }
  void make_repository(const std::string& name) {
    fs::create_directories(folder_ / name);
    git(name, "init -q -b main .");
  }
  void git(const std::string& where, const std::string& words) {
    const std::string line = "cd '" + (folder_ / where).string() +
                             "' && git -c user.email=a@b -c user.name=a -c commit.gpgsign=false "
                             "-c protocol.file.allow=always " +
                             words + " > /dev/null 2>&1";
    ASSERT_EQ(std::system(line.c_str()), 0) << line;
  }
  void write(const std::string& path, const std::string& text) {
    const fs::path file = folder_ / path;
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
  }
  void commit(const std::string& where) {
    git(where, "add -A");
    git(where, "commit -q -m next");
  }
  Repository open() {
    auto repository = Repository::open(project());
    EXPECT_TRUE(repository) << repository.error().message;
    return std::move(*repository);
  }
  Revision resolve(const Repository& repository, const std::string& name) {
    const auto revision = repository.resolve(name);
    EXPECT_TRUE(revision) << revision.error().message;
    return revision ? *revision : Revision{};
  }
  Revision tree(const Repository& repository) {
    const auto revision = repository.working_tree();
    EXPECT_TRUE(revision) << revision.error().message;
    return revision ? *revision : Revision{};
  }
  static std::string text_of(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  // "old → new" of each file that differs.
  std::vector<std::string> changes(const Repository& repository, const Revision& base, const Revision& head) {
    const auto found = repository.changes(base, head);
    EXPECT_TRUE(found) << found.error().message;
    std::vector<std::string> lines;
    if (found)
      for (const FileChange& file : *found) lines.push_back(file.old_path + " → " + file.new_path);
    return lines;
  }
  // A project with the submodule `lib`, which has one file.
  void add_submodule() {
    make_repository("library");
    write("library/lib.h", "int one();\n");
    commit("library");
    git("project", "submodule add -q ../library lib");
    write("project/main.c", "int main() {}\n");
    commit("project");
  }

  fs::path folder_;
};

using Lines = std::vector<std::string>;

TEST_F(Revisions, ACleanWorkingTreeIsItsCommit) {
  write("project/a.c", "1\n");
  commit("project");
  const Repository repository = open();
  EXPECT_EQ(tree(repository).content, resolve(repository, "main").content);
  EXPECT_EQ(changes(repository, resolve(repository, "main"), tree(repository)), Lines{});
}

TEST_F(Revisions, WhatIsNotCommittedBelongsToTheWorkingTreeUnlessItIsIgnored) {
  write("project/a.c", "1\n");
  write("project/gone.c", "2\n");
  write("project/.gitignore", "*.o\n");
  commit("project");
  write("project/a.c", "changed\n");
  write("project/new.c", "3\n");
  write("project/a.o", "4\n");
  fs::remove(project() / "gone.c");
  const Repository repository = open();
  const Revision base = resolve(repository, "HEAD");
  const Revision head = tree(repository);
  EXPECT_NE(head.content, base.content);
  EXPECT_EQ(changes(repository, base, head), (Lines{"gone.c → ", "a.c → a.c", " → new.c"}));
  EXPECT_EQ(*repository.files(head), (Lines{".gitignore", "a.c", "new.c"}));
  EXPECT_EQ(*repository.files(base), (Lines{".gitignore", "a.c", "gone.c"}));
  EXPECT_EQ(*repository.read(head, "a.c"), "changed\n");
  EXPECT_EQ(*repository.read(base, "a.c"), "1\n");
  EXPECT_FALSE(repository.read(base, "new.c"));

  ASSERT_TRUE(repository.check_out(head, folder_ / "out"));
  EXPECT_EQ(text_of(folder_ / "out/a.c"), "changed\n");
  EXPECT_TRUE(fs::exists(folder_ / "out/new.c"));
  EXPECT_FALSE(fs::exists(folder_ / "out/a.o"));
  EXPECT_FALSE(fs::exists(folder_ / "out/gone.c"));
  ASSERT_TRUE(repository.check_out(base, folder_ / "base"));
  EXPECT_EQ(text_of(folder_ / "base/gone.c"), "2\n");
}

TEST_F(Revisions, LinksAndModesAreKept) {
  write("project/run.sh", "#!/bin/sh\n");
  fs::permissions(project() / "run.sh", fs::perms::owner_all);
  fs::create_symlink("run.sh", project() / "link");
  commit("project");
  const Repository repository = open();
  for (const Revision& revision : {resolve(repository, "main"), tree(repository)}) {
    const fs::path out = folder_ / (revision.is_working_tree ? "tree" : "commit");
    ASSERT_TRUE(repository.check_out(revision, out));
    EXPECT_EQ(fs::read_symlink(out / "link"), "run.sh");
    struct stat status = {};
    ASSERT_EQ(stat((out / "run.sh").c_str(), &status), 0);
    EXPECT_NE(status.st_mode & S_IXUSR, 0u);
  }
}

TEST_F(Revisions, RenamesAreFollowed) {
  write("project/old.c", "int a;\nint b;\nint c;\nint d;\n");
  commit("project");
  git("project", "mv old.c new.c");
  write("project/new.c", "int a;\nint b;\nint c;\nint e;\n");
  const Repository repository = open();
  EXPECT_EQ(changes(repository, resolve(repository, "HEAD"), tree(repository)), Lines{"old.c → new.c"});
  commit("project");
  EXPECT_EQ(changes(repository, resolve(repository, "HEAD~1"), resolve(repository, "HEAD")),
            Lines{"old.c → new.c"});
}

// Of names, files that have not changed have their say as well.
TEST_F(Revisions, ANameThatAnUnchangedFileKeepsWasNotRenamed) {
  const auto is_neutral = [&](const std::string& unchanged) {
    write("project/other.h", unchanged);
    write("project/queue.cpp", "void Queue::push() { m(); } void run(Queue& q) { q.push(); }\n");
    commit("project");
    write("project/queue.cpp", "void Queue::add() { m(); } void run(Queue& q) { q.add(); }\n");
    const Repository repository = open();
    const auto change = compare_sources(repository, resolve(repository, "HEAD"), tree(repository));
    return change && change->statements.has_changed_names_only();
  };
  EXPECT_TRUE(is_neutral("struct Other { void pop(); };\n"));
  EXPECT_TRUE(is_neutral("inline void fill(std::vector<int>& all) { all.push(); }\n"));
  EXPECT_FALSE(is_neutral("struct Base { void push(); };\n"));
  EXPECT_FALSE(is_neutral("inline void other() { push(); }\n"));
  EXPECT_FALSE(is_neutral("inline void find() { look_up(\"push\"); }\n"));
  EXPECT_FALSE(is_neutral("#define PUSH push\n"));
}

TEST_F(Revisions, TheBaseIsWhereTheHeadLeftIt) {
  write("project/a.c", "1\n");
  commit("project");
  git("project", "checkout -q -b feature");
  write("project/feature.c", "1\n");
  commit("project");
  git("project", "checkout -q main");
  write("project/other.c", "1\n");
  commit("project");
  const Repository repository = open();
  const auto pair = resolve_change(repository, "main", "feature");
  ASSERT_TRUE(pair) << pair.error().message;
  EXPECT_EQ(pair->base.commit, resolve(repository, "main~1").commit);
  EXPECT_EQ(changes(repository, pair->base, pair->head), Lines{" → feature.c"});
}

TEST_F(Revisions, FilesOfSubmodulesAreTheProjects) {
  add_submodule();
  const Repository repository = open();
  const Revision head = resolve(repository, "HEAD");
  EXPECT_EQ(*repository.files(head), (Lines{".gitmodules", "lib/lib.h", "main.c"}));
  EXPECT_EQ(*repository.read(head, "lib/lib.h"), "int one();\n");
  ASSERT_TRUE(repository.check_out(head, folder_ / "out"));
  EXPECT_EQ(text_of(folder_ / "out/lib/lib.h"), "int one();\n");
}

TEST_F(Revisions, ADirtySubmoduleIsPartOfTheWorkingTree) {
  add_submodule();
  const Repository repository = open();
  const Revision clean = tree(repository);
  write("project/lib/lib.h", "int two();\n");
  const Revision dirty = tree(repository);
  EXPECT_NE(dirty.content, clean.content);
  EXPECT_EQ(changes(repository, resolve(repository, "HEAD"), dirty), Lines{"lib/lib.h → lib/lib.h"});
  ASSERT_TRUE(repository.check_out(dirty, folder_ / "out"));
  EXPECT_EQ(text_of(folder_ / "out/lib/lib.h"), "int two();\n");

  const auto change = compare_sources(repository, resolve(repository, "HEAD"), dirty);
  ASSERT_TRUE(change) << change.error().message;
  EXPECT_FALSE(change->statements.declarations().empty());
}

TEST_F(Revisions, AFileRemovedInAnUnfinishedMergeIsGone) {
  write("project/a.c", "1\n");
  write("project/b.c", "1\n");
  commit("project");
  git("project", "checkout -q -b other");
  write("project/a.c", "2\n");
  commit("project");
  git("project", "checkout -q main");
  write("project/a.c", "3\n");
  commit("project");
  git("project", "merge other || true");
  fs::remove(project() / "a.c");
  const Repository repository = open();
  const Revision merging = tree(repository);
  EXPECT_EQ(changes(repository, resolve(repository, "HEAD"), merging), Lines{"a.c → "});
  EXPECT_EQ(*repository.files(merging), Lines{"b.c"});
  ASSERT_TRUE(repository.check_out(merging, folder_ / "out"));
  EXPECT_FALSE(fs::exists(folder_ / "out/a.c"));
}

TEST_F(Revisions, ASubmoduleThatIsNotCheckedOutIsSaid) {
  add_submodule();
  git(".", "clone -q project clone");
  const auto repository = Repository::open(folder_ / "clone");
  ASSERT_TRUE(repository);
  const auto out = repository->check_out(*repository->resolve("HEAD"), folder_ / "out");
  ASSERT_FALSE(out);
  EXPECT_NE(out.error().message.find("submodule lib is not checked out; `git submodule update"),
            std::string::npos)
      << out.error().message;
}

TEST_F(Revisions, AShallowCloneSaysWhatIsMissing) {
  write("project/a.c", "1\n");
  commit("project");
  write("project/a.c", "2\n");
  commit("project");
  git(".", "clone -q --depth 1 file://" + project().string() + " clone");
  const auto repository = Repository::open(folder_ / "clone");
  ASSERT_TRUE(repository);
  const auto base = repository->resolve("HEAD~1");
  ASSERT_FALSE(base);
  EXPECT_NE(base.error().message.find("which is shallow; `git fetch --unshallow`"), std::string::npos)
      << base.error().message;
}

TEST_F(Revisions, ARepositoryWithoutCommitsAndABareOneAreSaid) {
  const auto head = open().working_tree();
  ASSERT_FALSE(head);
  EXPECT_NE(head.error().message.find("no commit yet"), std::string::npos) << head.error().message;
  git(".", "init -q --bare bare");
  const auto bare = Repository::open(folder_ / "bare");
  ASSERT_FALSE(bare);
  EXPECT_NE(bare.error().message.find("is bare"), std::string::npos) << bare.error().message;
}

TEST_F(Revisions, NothingOfTheRepositoryIsWritten) {
  write("project/a.c", "1\n");
  commit("project");
  write("project/a.c", "2\n");
  const auto snapshot = [&] {
    std::vector<std::pair<std::string, fs::file_time_type>> files;
    for (const auto& entry : fs::recursive_directory_iterator(project()))
      files.emplace_back(entry.path().string(), entry.last_write_time());
    std::ranges::sort(files);
    return files;
  };
  const auto before = snapshot();
  const Repository repository = open();
  const Revision head = tree(repository);
  ASSERT_TRUE(repository.check_out(head, folder_ / "out"));
  ASSERT_TRUE(compare_sources(repository, resolve(repository, "HEAD"), head));
  EXPECT_EQ(snapshot(), before);
}

}  // namespace
}  // namespace heddle
