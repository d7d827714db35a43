// Programs that are the same although they were built in different folders.
#include "history/program_content.h"

#include "execute/elf_file.h"
#include "project.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

class ProgramContent : public testing::Test {
 protected:
  // This test's own program, as if it had been built in that folder.
  std::string build_in(const std::string& folder, const std::string& more = "") {
    const fs::path home = project_.root() / folder;
    const std::string own = "/proc/self/exe";
    std::string bytes = read_bytes(own);
    const Expected<ElfFile> elf = ElfFile::open(own);
    const std::string id = elf ? elf->build_id() : "";
    std::string id_bytes;
    for (size_t i = 0; i + 1 < id.size(); i += 2)
      id_bytes += static_cast<char>(std::stoi(id.substr(i, 2), nullptr, 16));
    // Another folder, another build-id.
    const size_t at = id_bytes.empty() ? std::string::npos : bytes.find(id_bytes);
    if (at != std::string::npos) bytes[at] = folder[0];
    const std::string program = (home / "program").string();
    write_bytes(program, bytes + home.string() + "/source.cpp" + more);
    fs::permissions(program, fs::perms(0755));
    return program;
  }
  uint64_t content_of(const std::string& program, const fs::path& home) {
    const Expected<uint64_t> content = ProgramContents(home).of(program);
    EXPECT_TRUE(content) << content.error().message;
    return content.value_or(0);
  }

  Project project_;
};

TEST_F(ProgramContent, DoesNotDependOnTheFolderOfTheBuild) {
  const std::string a = build_in("a");
  const std::string b = build_in("b");
  const uint64_t content = content_of(a, project_.root() / "a");
  EXPECT_EQ(content_of(b, project_.root() / "b"), content);
  EXPECT_NE(content_of(build_in("b", "x"), project_.root() / "b"), content);
  // Of a build that is not heddle's, every byte counts.
  EXPECT_NE(content_of(a, ""), content_of(b, ""));
}

TEST_F(ProgramContent, OfWhatIsNoProgramIsAnError) {
  project_.write("text", "text");
  EXPECT_FALSE(ProgramContents("").of((project_.root() / "text").string()));
  EXPECT_FALSE(ProgramContents("").of((project_.root() / "nothing").string()));
}

}  // namespace
}  // namespace heddle
