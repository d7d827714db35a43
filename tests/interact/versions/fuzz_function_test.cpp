// Programs that are made around LLVMFuzzerTestOneInput.
#include "git_versions.h"

namespace heddle::interact {
namespace {

using Names = std::vector<std::string>;

class FuzzFunctions : public GitVersions {
 protected:
  void SetUp() override {
    GitVersions::SetUp();
    write("parse.c",
          "int parse(const unsigned char* data, unsigned long size) {\n"
          "  return size > 2 && data[0] == '{' && data[size - 1] == '}';\n}\n");
    write("other.c", "int other(void) { return 1; }\n");
    write("main.c",
          "int parse(const unsigned char*, unsigned long);\nint other(void);\n"
          "int main(void) { return parse((const unsigned char*)\"{}\", 2) + other(); }\n");
    write("fuzz/parse_fuzzer.cc",
          "#include <cstddef>\n#include <cstdint>\n#include <cstdio>\n"
          "extern \"C\" int parse(const unsigned char*, unsigned long);\n"
          "extern \"C\" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {\n"
          "  std::puts(parse(data, size) != 0 ? \"object\" : \"none\");\n"
          "  return 0;\n}\n");
  }
  void expect_all_forms(const ProgramVersion& version, const std::string& name) {
    EXPECT_EQ(unit_names(version), (Names{"parse.c", "parse_fuzzer.cc"}));
    EXPECT_EQ(run(version.plain, "</dev/null").out, "none\n");
    EXPECT_EQ(run("/bin/sh", "-c 'printf {x} | " + version.guarded.string() + "'").out, "object\n");
    const Recorded recorded = record(recordable(version, name, true), {{}, "{y}", ""});
    EXPECT_EQ(recorded.out, "object\n");
    EXPECT_GE(recorded.branches, 3U);
  }
};

TEST_F(FuzzFunctions, GetWhatTheyNeedOfTheProject) {
  build_by("gcc -c parse.c other.c main.c; gcc -o tool main.o parse.o other.o; g++ -c fuzz/parse_fuzzer.cc");
  commit();
  expect_all_forms(make("fuzz/parse_fuzzer.cc", true), "fuzz/parse_fuzzer.cc");
}

TEST_F(FuzzFunctions, AreCompiledIfTheBuildDoesNotDoSo) {
  write("more.cc", "#include <string>\nint more(const std::string& text) { return text.size(); }\n");
  build_by("gcc -c parse.c other.c main.c; g++ -c more.cc; gcc -o tool main.o parse.o other.o");
  commit();
  expect_all_forms(make("fuzz/parse_fuzzer.cc", true), "fuzz/parse_fuzzer.cc");
}

TEST_F(FuzzFunctions, TakeThePlaceOfAMain) {
  write("fuzz/alone.c",
        "#include <stddef.h>\nint LLVMFuzzerTestOneInput(const unsigned char*, size_t);\n"
        "int main(void) { return LLVMFuzzerTestOneInput((const unsigned char*)\"\", 0); }\n");
  build_by(
      "g++ -c fuzz/parse_fuzzer.cc; gcc -c parse.c fuzz/alone.c; "
      "g++ -o parse_fuzzer parse_fuzzer.o parse.o alone.o");
  commit();
  expect_all_forms(make("parse_fuzzer", true), "parse_fuzzer");
}

TEST_F(FuzzFunctions, AreNamedIfThereIsNoneOfTheName) {
  build_by("gcc -c parse.c; g++ -c fuzz/parse_fuzzer.cc");
  commit();
  EXPECT_EQ(error_of("parse.c", true),
            "HEAD: parse.c has no function LLVMFuzzerTestOneInput; these have: fuzz/parse_fuzzer.cc");
  EXPECT_EQ(error_of("parse_fuzz", true),
            "HEAD: the project has no source or target parse_fuzz with the function LLVMFuzzerTestOneInput; "
            "these have: fuzz/parse_fuzzer.cc");
}

TEST_F(FuzzFunctions, LackWhatNothingDefines) {
  write(
      "fuzz/parse_fuzzer.cc",
      "extern \"C\" int nowhere();\n"
      "extern \"C\" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return nowhere(); }\n");
  build_by("g++ -c fuzz/parse_fuzzer.cc");
  commit();
  const std::string error = error_of("fuzz/parse_fuzzer.cc", true);
  EXPECT_EQ(error.find("HEAD: cannot link plain: "), 0U) << error;
  EXPECT_NE(error.find("undefined reference to `nowhere'"), std::string::npos) << error;
}

}  // namespace
}  // namespace heddle::interact
