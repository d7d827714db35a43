// `heddle cc` and `heddle c++` with the real compilers.
#include "tool.h"

namespace heddle {
namespace {

constexpr const char* kCounter = R"(
#include <thread>
int counter;
int main() {
  std::thread other([] { ++counter; });
  ++counter;
  other.join();
  return counter == 2 ? 0 : 1;
}
)";

constexpr const char* kCProgram = R"(
#include <pthread.h>
static int counter;
static void* work(void* unused) { ++counter; return unused; }
int main(void) {
  pthread_t other;
  pthread_create(&other, 0, work, 0);
  pthread_join(other, 0);
  return counter - 1;
}
)";

class Compiler : public ToolTest, public ::testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    if (shell(std::string("command -v ") + cxx()).exit_code != 0)
      GTEST_SKIP() << cxx() << " is not installed";
  }

  static std::string cxx() { return GetParam(); }
  static std::string cc() { return cxx() == "g++" ? "gcc" : "clang-19"; }
  std::string with_compiler(const std::string& line) const {
    return "export HEDDLE_CXX=" + cxx() + " HEDDLE_CC=" + cc() + "; " + line;
  }
};

// gtest's parameter names must be identifiers.
std::string name_of(const ::testing::TestParamInfo<const char*>& info) {
  return std::string(info.param) == "g++" ? "gcc" : "clang";
}

TEST_P(Compiler, BuiltProgramRunsUnderHeddleAndStartsWithoutIt) {
  write("counter.cpp", kCounter);
  const ToolResult built = shell(with_compiler("heddle c++ -Werror -O1 counter.cpp -o counter"));
  ASSERT_EQ(built.exit_code, 0) << built.err;
  EXPECT_EQ(built.err, "");
  const ToolResult loaded = shell("LD_TRACE_LOADED_OBJECTS=1 ./counter | grep -c 'not found'");
  EXPECT_EQ(loaded.out, "0\n");
  const ToolResult run =
      shell("heddle run --policy nonpreemptive --record t.trace -- ./counter && heddle trace stats t.trace");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out.find(" 0 covered blocks"), std::string::npos) << run.out;
  const ToolResult doctor = shell("heddle doctor ./counter");
  EXPECT_NE(doctor.out.find("it has block coverage"), std::string::npos) << doctor.out;
}

TEST_P(Compiler, FencesAreNotWarnedOf) {
  write("fence.cpp",
        "#include <atomic>\nint main() { std::atomic_thread_fence(std::memory_order_seq_cst); }\n");
  const ToolResult built = shell(with_compiler("heddle c++ -Wall -Wextra -Werror -O1 fence.cpp -o fence"));
  EXPECT_EQ(built.exit_code, 0) << built.err;
  EXPECT_EQ(built.err, "");
}

TEST_P(Compiler, CProgramsAndSharedLibrariesWork) {
  write("work.c", kCProgram);
  write("part.c", "int part(int x) { return x + 1; }\n");
  const ToolResult built = shell(with_compiler(
      "heddle cc -Werror -c part.c -fPIC -o part.o && heddle cc -shared part.o -o libpart.so && "
      "heddle cc -Werror work.c -L. -lpart -o work"));
  EXPECT_EQ(built.exit_code, 0) << built.err;
  EXPECT_EQ(built.err, "");
}

TEST_P(Compiler, BehavesLikeTheCompilerWhenProbed) {
  write("a.cpp", "int main() {}\n");
  EXPECT_EQ(shell(with_compiler("heddle c++ --version")).out, shell(cxx() + " --version").out);
  EXPECT_EQ(shell(with_compiler("heddle-c++ -dumpmachine")).out, shell(cxx() + " -dumpmachine").out);
  for (const std::string flags : {"-E a.cpp", "-M a.cpp", "-S -o - a.cpp", "-c a.cpp -o /dev/null",
                                  "-fsyntax-only a.cpp", "-x c++ - -o out <a.cpp", "@response -o out"}) {
    write("response", "a.cpp\n");
    const ToolResult result = shell(with_compiler("heddle c++ -Werror " + flags));
    EXPECT_EQ(result.exit_code, 0) << flags << ": " << result.err;
    EXPECT_EQ(result.err, "") << flags;
  }
  EXPECT_NE(shell(with_compiler("heddle c++ missing.cpp")).exit_code, 0);
}

TEST_P(Compiler, ServesAsACMakeCompiler) {
  write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.20)
project(sample C CXX)
include(CheckCXXSourceCompiles)
check_cxx_source_compiles("#include <vector>\nint main() {}" HAS_VECTOR)
if(NOT HAS_VECTOR)
  message(FATAL_ERROR "the compiler cannot be probed")
endif()
find_package(Threads REQUIRED)
add_library(part SHARED part.c)
add_executable(counter counter.cpp)
target_link_libraries(counter PRIVATE part Threads::Threads)
)");
  write("counter.cpp", kCounter);
  write("part.c", "int part(int x) { return x + 1; }\n");
  const ToolResult built = shell(with_compiler(
      HEDDLE_CMAKE
      " -S . -B build -DCMAKE_C_COMPILER=heddle-cc -DCMAKE_CXX_COMPILER=heddle-c++ && " HEDDLE_CMAKE
      " --build build"));
  ASSERT_EQ(built.exit_code, 0) << built.out << built.err;
  EXPECT_NE(built.out.find(cxx() == "g++" ? "CXX compiler identification is GNU"
                                          : "CXX compiler identification is Clang"),
            std::string::npos)
      << built.out;
  EXPECT_EQ(shell("heddle run --policy nonpreemptive -- build/counter").exit_code, 0);
}

INSTANTIATE_TEST_SUITE_P(Real, Compiler, ::testing::Values("g++", "clang++-19"), name_of);

using CompilerChoice = ToolTest;

// The runtime that clang links in has the hooks of block coverage, which no code calls then.
TEST_F(CompilerChoice, DoctorDoesNotTakeTheRuntimesHooksForCoverage) {
  if (shell("command -v clang++-19").exit_code != 0) GTEST_SKIP() << "clang++-19 is not installed";
  write("counter.cpp", kCounter);
  const std::string compile = "clang++-19 -g -fsanitize=thread counter.cpp ";
  const ToolResult built =
      shell(compile + "-o plain && " + compile + "-fsanitize-coverage=trace-pc-guard -o covered");
  ASSERT_EQ(built.exit_code, 0) << built.err;
  const ToolResult plain = shell("heddle doctor ./plain");
  EXPECT_EQ(plain.exit_code, 2);
  EXPECT_NE(plain.out.find("it has no block coverage"), std::string::npos) << plain.out;
  const ToolResult covered = shell("heddle doctor ./covered");
  EXPECT_NE(covered.out.find("it has block coverage"), std::string::npos) << covered.out;
}

TEST_F(CompilerChoice, MissingCompilerIsAUsageError) {
  const ToolResult result = shell("heddle c++ --heddle-compiler=no-such-compiler a.cpp");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("no-such-compiler"), std::string::npos);
}

TEST_F(CompilerChoice, WrapperThatIsToldToCallItselfSaysSo) {
  const ToolResult result = shell("HEDDLE_CXX=heddle-c++ heddle c++ a.cpp");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("heddle itself"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace heddle
