#include "history/build.h"

#include "history/file_content.h"
#include "project.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

TEST(Build, IsTheSameWhereverItsFilesLie) {
  Project project;
  const fs::path self = fs::canonical("/proc/self/exe");
  const fs::path copy = project.root() / self.filename();
  fs::copy_file(self, copy);
  const Build build = identify_build({.path = self.string()});
  EXPECT_EQ(identify_build({.path = copy.string()}).id(), build.id());
  EXPECT_EQ(build.time, fs::last_write_time(self));
}

TEST(Build, IsAnotherWithAnotherModule) {
  Project project;
  const Build build = Project::build("1", "1");
  EXPECT_EQ(Project::build("1", "1").id(), build.id());
  EXPECT_NE(Project::build("2", "1").id(), build.id());
  EXPECT_NE(Project::build("1", "2").id(), build.id());
}

TEST(Build, KnowsFilesWithoutABuildIdByTheirBytes) {
  Project project;
  project.write("a", "no program");
  EXPECT_EQ(binary_identity(project.root() / "a"), std::nullopt);
  EXPECT_EQ(binary_identity(project.root() / "missing"), std::nullopt);
  EXPECT_EQ(hash_of_file(project.root() / "missing"), std::nullopt);
  project.write("b", "no program");
  EXPECT_EQ(hash_of_file(project.root() / "a"), hash_of_file(project.root() / "b"));
  EXPECT_TRUE(hash_of_file("/dev/null"));
}

}  // namespace
}  // namespace heddle
