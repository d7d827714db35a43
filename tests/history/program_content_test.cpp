// Programs that are the same although they were built in different folders.
#include "history/program_content.h"

#include <cstdlib>

#include "project.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSource = "#include <stdio.h>\nint main(void) { puts(__FILE__); return 3; }\n";

class ProgramContent : public testing::Test {
 protected:
  fs::path home_of(const std::string& folder) const {
    fs::create_directories(project_.root() / folder / "build");
    return fs::canonical(project_.root() / folder);
  }
  // The source, compiled in that folder as CMake does it.
  std::string build_in(const std::string& folder, const std::string& source = kSource) {
    const fs::path home = home_of(folder);
    write_bytes((home / "source.c").string(), source);
    const std::string line = "cd '" + (home / "build").string() + "' && cc -g -O1 -c '" +
                             (home / "source.c").string() + "' -o source.o && cc source.o -o program";
    EXPECT_EQ(std::system(line.c_str()), 0);
    return (home / "build/program").string();
  }
  uint64_t content_of(const std::string& program, const fs::path& home) {
    const Expected<uint64_t> content = ProgramContents(home).of(program);
    EXPECT_TRUE(content) << content.error().message;
    return content.value_or(0);
  }

  Project project_;
};

TEST_F(ProgramContent, DoesNotDependOnTheFolderOfTheBuild) {
  const uint64_t content = content_of(build_in("0"), home_of("0"));
  // The compiler orders names by a hash, which the folder is part of: some of these differ in it.
  for (const std::string folder : {"1", "2", "3", "4", "5", "6", "7", "8"})
    EXPECT_EQ(content_of(build_in(folder), home_of(folder)), content) << folder;
  // Of a build that is not heddle's, every byte counts.
  EXPECT_NE(content_of(build_in("1"), ""), content_of(build_in("2"), ""));
}

TEST_F(ProgramContent, CodeAndLinesAndNamesCount) {
  const auto content = [&](const std::string& source) {
    return content_of(build_in("a", source), home_of("a"));
  };
  const std::string source = kSource;
  const uint64_t known = content(source);
  EXPECT_EQ(content(source), known);
  EXPECT_EQ(content(source + "// The end.\n"), known);
  EXPECT_NE(content("// A comment.\n" + source), known);
  EXPECT_NE(content("#include <stdio.h>\nint main(void) { puts(__FILE__); return 4; }\n"), known);
  EXPECT_NE(content(source + "int unused;\n"), known);
}

TEST_F(ProgramContent, OfWhatIsNoProgramIsAnError) {
  project_.write("text", "text");
  EXPECT_FALSE(ProgramContents("").of((project_.root() / "text").string()));
  EXPECT_FALSE(ProgramContents("").of((project_.root() / "nothing").string()));
}

}  // namespace
}  // namespace heddle
