// Whole programs: each solved input takes the branch that was predicted.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "program_generator.h"
#include "test_program.h"

namespace heddle::concolic {
namespace {

// Solves all branches of the path of an input; at least so many are solved and take the predicted side.
size_t solved_branches(const TestProgram& program, const ProgramInput& input, RunnerOptions options = {}) {
  ConcolicRunner runner = compile_test_program(program, std::move(options));
  PathSolver solver({});
  return expect_right_predictions(runner, solver, input);
}

TEST(ConcolicProgram, TakesTheOtherSideOfEachBranch) {
  const TestProgram program{"branches", R"(
    #include <stdio.h>
    #include <string.h>
    int main(int argc, char** argv) {
      if (argc < 2) return 2;
      const char* s = argv[1];
      if (s[0] == 'x' && s[1] == '7') { puts("found"); return 1; }
      int v = (s[0] - '0') * 10 + (s[1] - '0');
      switch (v) { case 42: puts("answer"); break; case 17: puts("17"); break; default: puts("other"); }
      if (strlen(s) == 5) puts("five");
      if (strcmp(s, "hello") == 0) puts("hello");
      return 0;
    })"};
  EXPECT_GE(solved_branches(program, {{"ab"}, "", ""}), 5U);
}

TEST(ConcolicProgram, KeepsConstraintsThroughOptionsAndNumbers) {
  const TestProgram program{"options", R"(
    #include <getopt.h>
    #include <stdio.h>
    #include <stdlib.h>
    int main(int argc, char** argv) {
      static const struct option options[] = {{"width", required_argument, NULL, 'w'},
                                              {"verbose", no_argument, NULL, 'v'}, {NULL, 0, NULL, 0}};
      long width = 10;
      int verbose = 0;
      for (int c; (c = getopt_long(argc, argv, "w:vn::", options, NULL)) != -1;) {
        if (c == 'w') width = strtol(optarg, NULL, 0);
        else if (c == 'v') ++verbose;
        else if (c == '?') return 2;
      }
      if (width > 100 && verbose) puts("wide");
      for (; optind < argc; ++optind) if (argv[optind][0] == '%') puts("percent");
      return 0;
    })"};
  EXPECT_GE(solved_branches(program, {{"-w", "17", "-v", "rest", "--width=3"}, "", ""}), 25U);
}

TEST(ConcolicProgram, ReadsStandardInputByAllTheirNames) {
  const TestProgram program{"input", R"(
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <unistd.h>
    int main(void) {
      int c = getchar();
      if (c == '#') puts("comment");
      ungetc(c, stdin);
      char line[16];
      if (fgets(line, sizeof line, stdin) == NULL) return 1;
      if (strncmp(line, "key=", 4) == 0) puts("key");
      char* text = NULL;
      size_t capacity = 0;
      while (getline(&text, &capacity, stdin) > 0) if (text[0] == '+') break;
      unsigned char block[8];
      const size_t count = fread(block, 1, sizeof block, stdin);
      if (count == 3 && block[2] == 0x80) puts("block");
      free(text);
      return feof(stdin) != 0;
    })"};
  EXPECT_GE(solved_branches(program, {{}, "ab\ncd\n+\nxyz", ""}), 20U);
}

TEST(ConcolicProgram, ReadsTheInputFile) {
  const TestProgram program{"file", R"(
    #include <fcntl.h>
    #include <stdio.h>
    #include <unistd.h>
    int main(void) {
      char text[8];
      const int file = open("data.txt", O_RDONLY);
      const ssize_t size = read(file, text, sizeof text);
      if (size > 3 && text[0] + text[1] == text[2] + 5) puts("sum");
      if (size == 7) puts("seven");
      return 0;
    })"};
  RunnerOptions options;
  options.file_name = "data.txt";
  EXPECT_GE(solved_branches(program, {{}, "", "abcd"}, options), 3U);
}

TEST(ConcolicProgram, FindsTheWayThroughTablesAndSortedLines) {
  const TestProgram program{"tables", R"(
    #include <ctype.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    static const unsigned short classes[128] = {['a'] = 1, ['b'] = 2, ['z'] = 9, ['0'] = 700};
    static int by_first(const void* a, const void* b) { return *(const char*)a - *(const char*)b; }
    int main(int argc, char** argv) {
      if (argc < 2 || strlen(argv[1]) < 3) return 2;
      char map[256];
      for (int i = 0; i < 256; ++i) map[i] = (char)(i ^ 0x15);
      const unsigned char* s = (const unsigned char*)argv[1];
      if (s[0] < 128 && classes[s[0]] == 700) puts("digit class");
      if (map[s[1]] == 'Q') puts("mapped");
      if (isupper(s[2]) && tolower(s[2]) == 'k') puts("upper");
      char sorted[4];
      memcpy(sorted, argv[1], 3);
      qsort(sorted, 3, 1, by_first);
      if (sorted[1] == 'm') puts("median");
      return 0;
    })"};
  EXPECT_GE(solved_branches(program, {{"abc"}, "", ""}), 10U);
}

TEST(ConcolicProgram, FollowsClassesOfCxx) {
  const TestProgram program{"classes",
                            R"(
    #include <cstdio>
    #include <map>
    #include <stdexcept>
    #include <string>
    #include <vector>
    struct Shape { virtual ~Shape() = default; virtual int area(int n) const = 0; };
    struct Square : Shape { int area(int n) const override { return n * n; } };
    struct Line : Shape { int area(int n) const override { if (n == 9) throw std::runtime_error("nine"); return 2 * n; } };
    int main(int argc, char** argv) {
      if (argc < 2) return 2;
      const std::string text = argv[1];
      std::vector<int> digits;
      for (const char c : text) if (c >= '0' && c <= '9') digits.push_back(c - '0');
      const Square square;
      const Line line;
      const Shape& shape = text.size() > 3 ? static_cast<const Shape&>(square) : line;
      int sum = 0;
      try { for (const int digit : digits) sum += shape.area(digit); } catch (const std::exception&) { std::puts("nine"); }
      if (sum == 50) std::puts("fifty");
      std::map<std::string, int> words{{"one", 1}, {"two", 2}};
      if (words.count(text) != 0) std::puts("word");
      return 0;
    })",
                            true};
  EXPECT_GE(solved_branches(program, {{"12a"}, "", ""}), 8U);
}

TEST(ConcolicProgram, ReadsTheInputStreamOfCxx) {
  const TestProgram program{"stream",
                            R"(
    #include <iostream>
    #include <string>
    int main() {
      std::ios::sync_with_stdio(false);
      int number = 0;
      std::string word, line;
      char c = 0;
      if (!(std::cin >> number >> c >> word)) return 2;
      if (number == 4711) std::cout << "number\n";
      if (c == '@' && word == "key") std::cout << "word\n";
      std::getline(std::cin, line);
      if (std::cin.get() == '$') std::cout << "dollar\n";
      while (std::getline(std::cin, line)) if (line.find("q=") != std::string::npos) std::cout << "query\n";
      return std::cin.eof();
    })",
                            true};
  EXPECT_GE(solved_branches(program, {{}, "12 x ab\nline\n", ""}), 30U);
  ConcolicRunner runner = compile_test_program(program);
  EXPECT_EQ(runner.run({{}, "4711@key", ""})->out, "number\nword\n");
  EXPECT_EQ(runner.run({{}, "-3 \n+ key rest\n$aq=\n\nq=", ""})->out, "dollar\nquery\nquery\n");
  EXPECT_EQ(runner.run({{}, "99999999999 x y", ""})->exit_code, 2);
  EXPECT_EQ(runner.run({{}, "x", ""})->exit_code, 2);
}

TEST(ConcolicProgram, MarksWatchedStatementsAndNamesPlaces) {
  ConcolicRunner runner = compile_test_program({"marks",
                                                "#include <string.h>\n"
                                                "int main(int argc, char** argv) {\n"
                                                "  int n = 0;\n"
                                                "  if (argc > 1 &&\n"
                                                "      strcmp(argv[1], \"go\") == 0)\n"
                                                "    n = argc;\n"
                                                "  else\n"
                                                "    n = 7;\n"
                                                "  return n;\n"
                                                "}\n",
                                                false,
                                                {{"", 6}, {"", 8}}});
  const Expected<ConcolicRun> run = runner.run({{"ga"}, "", ""});
  ASSERT_TRUE(run);
  std::vector<uint32_t> lines;
  for (const Event& event : run->recording.events) {
    const Site& site = runner.program_site(event);
    EXPECT_EQ(site.function, "main");
    EXPECT_EQ(std::filesystem::path(site.file).filename(), "program.c");
    lines.push_back(site.place.line);
  }
  // The comparisons of strcmp are in the call of line 5; what they decide is the branch there.
  EXPECT_EQ(lines.front(), 5U);
  EXPECT_EQ(lines.back(), 8U);
  EXPECT_EQ(run->recording.events.back().kind, SiteKind::kMark);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), 6U), 0);
}

TEST(ConcolicProgram, KnowsWhereBothSidesOfABranchGo) {
  ConcolicRunner runner = compile_test_program({"sides",
                                                "int main(int argc, char** argv) {\n"
                                                "  int n = 1;\n"
                                                "  if (argv[1][0] == 'a')\n"
                                                "    n = argc;\n"
                                                "  else\n"
                                                "    n += argc * 3;\n"
                                                "  return n;\n"
                                                "}\n"});
  const Expected<ConcolicRun> run = runner.run({{"b"}, "", ""});
  ASSERT_TRUE(run);
  ASSERT_EQ(run->recording.events.size(), 1U);
  const Site& site = runner.program_site(run->recording.events[0]);
  EXPECT_EQ(site.place.line, 3U);
  EXPECT_EQ(site.if_not_taken.line, 6U);
}

TEST(ConcolicProgram, ExploresTheNumberOfArguments) {
  RunnerOptions options;
  options.symbolic = symbolic::kArguments | symbolic::kArgumentCount;
  ConcolicRunner runner = compile_test_program(
      {"count", "int main(int argc, char** argv) { return argc > 3 && argv[3][0] == 'q'; }"}, options);
  PathSolver solver({});
  const ProgramInput input{{}, "", ""};
  const Expected<ConcolicRun> run = runner.run(input);
  ASSERT_TRUE(run);
  const PathIndex path(run->recording);
  ASSERT_EQ(branches_of(path.recording()).size(), 1U);
  const Solution solution = solver.other_side(path, branches_of(path.recording())[0]);
  ASSERT_EQ(solution.kind, Solution::Kind::kSolved);
  EXPECT_GE(with_values(input, solution.values, {}).arguments.size(), 3U);
}

TEST(ConcolicProgram, TriesDivisorsAndIndices) {
  const TestProgram program{"divisors", R"(
    #include <stdlib.h>
    int main(int argc, char** argv) {
      static int places[4];
      const int n = atoi(argv[1]);
      return places[n] + 100 / (n - 7);
    })"};
  ConcolicRunner runner = compile_test_program(program);
  PathSolver solver({});
  const ProgramInput input{{"2"}, "", ""};
  const Expected<ConcolicRun> run = runner.run(input);
  ASSERT_TRUE(run);
  const PathIndex path(run->recording);
  bool found_bounds = false;
  for (const size_t event : branches_of(path.recording())) {
    if (path.recording().events[event].kind != SiteKind::kBounds) continue;
    const Solution solution = solver.other_side(path, event);
    ASSERT_EQ(solution.kind, Solution::Kind::kSolved);
    const int index = std::atoi(with_values(input, solution.values, {}).arguments[0].c_str());
    EXPECT_TRUE(index < 0 || index > 3);
    found_bounds = true;
  }
  EXPECT_TRUE(found_bounds);
}

TEST(ConcolicProgram, RecordsTheMainThreadOfTheFirstProcessOnly) {
  const TestProgram program{"processes", R"(
    #include <pthread.h>
    #include <setjmp.h>
    #include <stdlib.h>
    #include <sys/wait.h>
    #include <unistd.h>
    static char copy[8];
    static jmp_buf place;
    static void* look(void* text) {
      for (int i = 0; i < 4; ++i) copy[i] = ((char*)text)[i];
      return copy[0] == 'z' ? text : NULL;
    }
    static int leave(int c) { if (c == 'j') longjmp(place, 5); return c; }
    int main(int argc, char** argv) {
      pthread_t thread;
      void* result;
      pthread_create(&thread, NULL, look, argv[1]);
      pthread_join(thread, &result);
      const pid_t child = fork();
      if (child == 0) _exit(argv[1][1] == 'c');
      int status;
      waitpid(child, &status, 0);
      if (setjmp(place) == 0) leave(argv[1][0]);
      return argv[1][2] == 'x' ? WEXITSTATUS(status) + 10 : copy[3];
    })"};
  ConcolicRunner runner = compile_test_program(program);
  EXPECT_EQ(runner.run({{"jcx"}, "", ""})->exit_code, 11);
  PathSolver solver({});
  EXPECT_EQ(expect_right_predictions(runner, solver, {{"abcd"}, "", ""}), 2U);
}

TEST(ConcolicProgram, ScansNumbers) {
  const TestProgram program{"scan", R"(
    #include <stdio.h>
    int main(void) {
      int a, b;
      char word[8];
      if (scanf("%d,%x %7s", &a, &b, word) != 3) return 2;
      if (a * 3 == b) puts("triple");
      return word[0] == '!' ;
    })"};
  EXPECT_GE(solved_branches(program, {{}, "17,2b ok", ""}), 20U);
}

TEST(ConcolicProgram, CallsItsOwnFunctionsOfLibraryNames) {
  TestProgram program{"own",
                      "char* index(const char* text, int c);\n"
                      "int main(int argc, char** argv) { return index(argv[1], 'x') == 0 ? 3 : 4; }\n"};
  program.second_unit = "char* index(const char* text, int c) { return *text == 'q' ? 0 : (char*)text; }\n";
  ConcolicRunner runner = compile_test_program(program);
  EXPECT_EQ(runner.run({{"a"}, "", ""})->exit_code, 4);
  EXPECT_EQ(runner.run({{"qx"}, "", ""})->exit_code, 3);
  PathSolver solver({});
  EXPECT_EQ(expect_right_predictions(runner, solver, {{"ab"}, "", ""}), 1U);
}

TEST(ConcolicProgram, RunsFuzzTargets) {
  TestProgram program{"fuzz", R"(
    #include <stddef.h>
    #include <stdint.h>
    #include <stdlib.h>
    int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
      if (size > 4 && data[0] == 'F' && data[4] == data[0] + 3) abort();
      return 0;
    })"};
  program.is_fuzz_target = true;
  EXPECT_GE(solved_branches(program, {{}, "Fuzzy", ""}), 2U);
}

TEST(ConcolicProgram, EndsWhatDoesNotEnd) {
  RunnerOptions options;
  options.timeout = std::chrono::milliseconds(300);
  ConcolicRunner runner = compile_test_program(
      {"endless", "int main(int argc, char** argv) { for (volatile int i = 0;; ++i) {} }"}, options);
  const Expected<ConcolicRun> run = runner.run({{"a"}, "", ""});
  ASSERT_TRUE(run);
  EXPECT_TRUE(run->timed_out);
}

TEST(ConcolicProgram, CannotDeleteWhatIsNotItsOwn) {
  const std::filesystem::path canary = temporary_folder("canary") / "keep";
  std::ofstream(canary) << "precious";
  ConcolicRunner runner = compile_test_program({"deleting",
                                                "#include <stdio.h>\n#include <stdlib.h>\n"
                                                "int main(int argc, char** argv) {\n"
                                                "  FILE* file = fopen(argv[1], \"w\");\n"
                                                "  int removed = remove(argv[1]) == 0;\n"
                                                "  FILE* own = fopen(\"own\", \"w\");\n"
                                                "  return (file != NULL) + 2 * removed + 4 * (own != NULL);\n"
                                                "}"});
  const Expected<ConcolicRun> run = runner.run({{canary.string()}, "", ""});
  ASSERT_TRUE(run);
  EXPECT_EQ(run->damage, "");
  EXPECT_EQ(run->exit_code, 4);
  EXPECT_EQ(std::filesystem::file_size(canary), 8U);
}

TEST(ConcolicProgram, StopsRecordingWhenThePathIsTooLong) {
  RunnerOptions options;
  options.most_events = 10;
  ConcolicRunner runner = compile_test_program(
      {"long",
       "int main(int argc, char** argv) { int n = 0; for (char* s = argv[1]; *s; ++s) n += *s; return n; }"},
      options);
  const Expected<ConcolicRun> run = runner.run({{"abcdefghijklmnop"}, "", ""});
  ASSERT_TRUE(run);
  EXPECT_EQ(run->recording.stop, Stop::kEvents);
  EXPECT_EQ(run->recording.events.size(), 10U);
}

class GeneratedProgram : public testing::TestWithParam<int> {};

TEST_P(GeneratedProgram, TakesTheOtherSideOfEachBranch) {
  const auto seed = static_cast<uint64_t>(GetParam());
  const TestProgram program{"generated" + std::to_string(seed), generate_program(seed)};
  EXPECT_GE(solved_branches(program, {{"abK9"}, "", ""}), 8U);
}
INSTANTIATE_TEST_SUITE_P(Seeds, GeneratedProgram, testing::Range(1, 9));

}  // namespace
}  // namespace heddle::concolic
