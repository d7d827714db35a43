// From what a build does to what a program is made of, and to its other forms.
#include "git_versions.h"

#include <functional>

#include "program/program.h"

namespace heddle::interact {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

using Recipes = GitVersions;

// A library, of which each program needs one file; generated sources; C and C++ in one program.
void write_cmake_project(const std::function<void(const std::string&, const std::string&)>& write) {
  write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.16)
project(small C CXX)
add_library(text STATIC lib/upper.c lib/count.c)
target_include_directories(text PUBLIC lib)
file(WRITE ${CMAKE_BINARY_DIR}/generated.c "const char* greeting(void) { return \"hello\"; }\n")
add_executable(shout app/shout.cpp ${CMAKE_BINARY_DIR}/generated.c)
target_link_libraries(shout text m)
add_executable(count app/count.c)
set_target_properties(count PROPERTIES OUTPUT_NAME text-count)
target_link_libraries(count text)
)");
  write("lib/text.h", R"(#ifdef __cplusplus
extern "C" {
#endif
void upper(char* text);
int count(const char* text, char which);
const char* greeting(void);
#ifdef __cplusplus
}
#endif
)");
  write("lib/upper.c",
        "#include \"text.h\"\n#include <ctype.h>\n"
        "void upper(char* text) {\n  for (; *text; ++text)\n    *text = toupper(*text);\n}\n");
  write("lib/count.c",
        "#include \"text.h\"\n"
        "int count(const char* text, char which) {\n  int n = 0;\n"
        "  for (; *text; ++text)\n    if (*text == which) ++n;\n  return n;\n}\n");
  write("app/shout.cpp",
        "#include <iostream>\n#include <string>\n#include \"text.h\"\n"
        "int main(int argc, char** argv) {\n  std::string word = argc > 1 ? argv[1] : greeting();\n"
        "  upper(word.data());\n  std::cout << word << '\\n';\n}\n");
  write("app/count.c",
        "#include <stdio.h>\n#include \"text.h\"\n"
        "int main(int argc, char** argv) {\n  if (argc < 2) return 2;\n"
        "  printf(\"%d\\n\", count(argv[1], 'a'));\n  return 0;\n}\n");
}

TEST_F(Recipes, OfAProjectOfCMakeWithoutConfiguration) {
  write_cmake_project([this](const std::string& path, const std::string& text) { write(path, text); });
  commit();
  ProgramVersion shout = make("shout");
  EXPECT_EQ(unit_names(shout), (Names{"generated.c", "shout.cpp", "upper.c"}));
  EXPECT_EQ(run(shout.plain, "abc").out, "ABC\n");
  EXPECT_EQ(run(shout.guarded).out, "HELLO\n");
  EXPECT_EQ(record(recordable(shout, "shout"), {{"xyz"}, "", ""}).out, "XYZ\n");

  // By target, file name and path.
  ProgramVersion count = make("count");
  EXPECT_EQ(unit_names(count), (Names{"count.c", "count.c"}));
  EXPECT_EQ(run(count.plain, "banana").out, "3\n");
  EXPECT_EQ(run(count.guarded, "banana").out, "3\n");
  EXPECT_EQ(make("text-count").plain, count.plain);
  EXPECT_EQ(make("build/text-count").plain, count.plain);
  const std::string wrong = error_of("shut");
  EXPECT_NE(wrong.find("HEAD: the project builds no program shut; there are shout, text-count"),
            std::string::npos)
      << wrong;

  // The library's code is instrumented, and the program of the version can be read.
  const fs::path library = count.source / "lib/count.c";
  const Recorded recorded =
      record(recordable(count, "count", false, {{library.string(), 5, 0}}), {{"bab"}, "", ""});
  EXPECT_EQ(recorded.out, "1\n");
  EXPECT_GE(recorded.branches, 3U);
  EXPECT_GE(recorded.marks, 1U);
  program::LoadReport report;
  const Expected<program::Program> program = program::load_program(
      {.compile_commands = count.compile_commands, .source = count.source, .cache = folder_ / "facts"},
      &report);
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(report.units, 2U);
  EXPECT_TRUE(report.degraded_units.empty());
  EXPECT_EQ(program->find("count").size(), 1U);
  EXPECT_TRUE(program->find("upper").empty());

  // What is left of a target that a revision does not have, where it is built in place of one that has, is
  // none of its programs.
  const fs::path source = count.source;
  shout = {};
  count = {};
  const std::string without =
      "cmake_minimum_required(VERSION 3.16)\nproject(small C CXX)\n"
      "add_executable(shout app/shout.cpp lib/upper.c app/greeting.c)\n"
      "target_include_directories(shout PRIVATE lib)\n";
  write("CMakeLists.txt", without);
  write("app/greeting.c", "const char* greeting(void) { return \"hi\"; }\n");
  EXPECT_EQ(
      error_of("count", false, "").find("the working tree: the project builds no program count; there are"),
      0U);
}

TEST_F(Recipes, OfAMakefileWithArchivesAndVariants) {
  write("Makefile", R"(all: low high
one.o: one.c
	$(CC) -c one.c
lib/libone.a: one.o
	$(CC) -c two.c
	mkdir -p lib && ar rcs $@ two.o one.o && rm one.o two.o
low: lib/libone.a
	$(CC) -DLIMIT=1 -c main.c
	$(CC) -o low main.o -Llib -lone
lib/libthin.a:
	$(CC) -c -o lib/one.o one.c
	$(CC) -c -o lib/two.o two.c
	ar rcsT $@ lib/one.o lib/two.o
high: low lib/libthin.a
	$(CC) -DLIMIT=9 -c -o main.o main.c
	$(CC) -nostdlib -r -o all.o main.o
	echo '-o high all.o' >words
	$(CC) @words -Llib -lthin
)");
  write("two.c", "int two(void) { return 2; }\n");
  write("one.c", "int one(int value) { return value > 0 ? value : 0; }\n");
  write("main.c",
        "#include <stdio.h>\n#include <stdlib.h>\nint one(int);\n"
        "int main(int argc, char** argv) {\n  int value = one(argc > 1 ? atoi(argv[1]) : 0);\n"
        "  puts(value < LIMIT ? \"in\" : \"out\");\n  return 0;\n}\n");
  build_by("make CC=gcc");
  commit();
  const ProgramVersion low = make("low");
  const ProgramVersion high = make("high");
  for (const ProgramVersion* version : {&low, &high})
    EXPECT_EQ(unit_names(*version), (Names{"main.c", "one.c"}));
  // The objects of one were overwritten by the other's.
  EXPECT_EQ(run(low.plain, "5").out, "out\n");
  EXPECT_EQ(run(high.plain, "5").out, "in\n");
  EXPECT_EQ(run(low.guarded, "5").out, "out\n");
  EXPECT_EQ(run(high.guarded, "5").out, "in\n");
  EXPECT_EQ(record(recordable(low, "low"), {{"5"}, "", ""}).out, "out\n");
}

TEST_F(Recipes, OfOneCommandWithAssemblerAndASharedLibrary) {
  write("twice.s",
        ".globl twice\n.type twice, @function\ntwice:\n  lea (%rdi,%rdi), %eax\n  ret\n"
        ".section .note.GNU-stack,\"\",@progbits\n");
  write("add.c", "int add(int a, int b) { return a + b; }\n");
  write("tool.cpp",
        "#include <cstdio>\n#include <cmath>\nextern \"C\" int twice(int);\nextern \"C\" int add(int, int);\n"
        "int main(int argc, char** argv) { std::printf(\"%d\\n\", add(twice(argc), (int)std::sqrt(16.0))); "
        "}\n");
  build_by(
      "gcc -shared -fPIC -o libadd.so add.c; g++ -o tool tool.cpp twice.s -L. -ladd -Wl,-rpath,$PWD -lm");
  commit();
  const ProgramVersion tool = make("tool");
  EXPECT_EQ(unit_names(tool), (Names{"add.c", "tool.cpp"}));
  EXPECT_EQ(run(tool.plain).out, "6\n");
  EXPECT_EQ(run(tool.guarded).out, "6\n");
  EXPECT_EQ(record(recordable(tool, "tool"), {{}, "", ""}).out, "6\n");
}

}  // namespace
}  // namespace heddle::interact
