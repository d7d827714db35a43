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
