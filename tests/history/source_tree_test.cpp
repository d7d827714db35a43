#include "history/source_tree.h"

#include "project.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

TEST(SourceTree, NamesFilesBelowItsRoot) {
  const Project project;
  project.root();
  const SourceTree tree(project.root());
  EXPECT_EQ(tree.name_of(project.root() / "src/a.cpp"), "src/a.cpp");
  EXPECT_EQ(tree.name_of(project.root() / "build/../src/a.cpp"), "src/a.cpp");
  EXPECT_EQ(tree.name_of("/nowhere/include/vector"), "/nowhere/include/vector");
  EXPECT_EQ(tree.name_of("a.cpp"), "a.cpp");
  EXPECT_EQ(tree.path_of("src/a.cpp"), tree.root() / "src/a.cpp");
  EXPECT_EQ(tree.path_of("/nowhere/include/vector"), "/nowhere/include/vector");
}

TEST(SourceTree, LooksThroughSymbolicLinks) {
  Project project;
  project.write("code/a.cpp", "a");
  fs::create_directory_symlink(project.root() / "code", project.root() / "link");
  EXPECT_EQ(SourceTree(project.root()).name_of(project.root() / "link/a.cpp"), "code/a.cpp");
  EXPECT_EQ(SourceTree(project.root() / "link").name_of(project.root() / "code/a.cpp"), "a.cpp");
}

TEST(SourceTree, IsTheRepositoryOrTheFolder) {
  Project project;
  project.write("build/x", "");
  EXPECT_EQ(SourceTree::around(project.root() / "build").root(), fs::canonical(project.root()));
  fs::remove(project.root() / ".git");
  // The temporary folder may itself be in a repository.
  fs::create_directory(project.root() / "build/.git");
  EXPECT_EQ(SourceTree::around(project.root() / "build").root(), fs::canonical(project.root() / "build"));
}

TEST(SourceTree, IsNotLookedForAboveTheCeiling) {
  Project project;
  project.write("a/b/x", "");
  fs::create_directories(project.root() / ".git");
  const fs::path root = fs::canonical(project.root());
  const auto around = [&](const std::string& ceilings, const fs::path& folder) {
    setenv("GIT_CEILING_DIRECTORIES", ceilings.c_str(), 1);
    const fs::path found = SourceTree::around(folder).root();
    unsetenv("GIT_CEILING_DIRECTORIES");
    return found;
  };
  EXPECT_EQ(around("/nowhere:" + (root / "a").string(), root / "a/b"), root / "a/b");
  EXPECT_EQ(around(root.string() + "/", root / "a/b"), root / "a/b") << "nor in the ceiling itself";
  EXPECT_EQ(around(root.string(), root), root) << "but where one is";
  EXPECT_EQ(around((root / "a/b/c").string(), root / "a/b"), root);
}

TEST(SourceTree, KnowsTheContentOfFilesThatAreOlderThanABuild) {
  Project project;
  const SourceTree tree(project.root());
  project.write("a.cpp", "a");
  const auto content = tree.content("a.cpp", Project::time());
  ASSERT_TRUE(content);
  project.write("b.cpp", "a");
  EXPECT_EQ(tree.content("b.cpp", Project::time()), content);
  project.write("b.cpp", "b");
  EXPECT_NE(tree.content("b.cpp", Project::time()), content);
  project.write_later("b.cpp", "a");
  EXPECT_EQ(tree.content("b.cpp", Project::time()), std::nullopt);
  EXPECT_EQ(tree.content("missing.cpp", Project::time()), std::nullopt);
  EXPECT_EQ(tree.content("", Project::time()), std::nullopt);
}

TEST(SourceTree, KnowsProgramsByTheirBuildId) {
  const std::string program = fs::canonical("/proc/self/exe").string();
  EXPECT_TRUE(SourceTree("/").content(program, fs::file_time_type::min()));
}

}  // namespace
}  // namespace heddle
