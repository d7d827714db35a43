// `heddle interact` on real projects: which inputs a change makes a program treat differently, and which
// changes it takes for that.
#include <fstream>
#include <set>

#include <nlohmann/json.hpp>

#include "git_project.h"

namespace heddle {
namespace {

using Json = nlohmann::json;

class InteractCommand : public GitProjectTest {
 protected:
  void SetUp() override {
    GitProjectTest::SetUp();
    write("heddle.toml", "[build]\ncommands = [\"$CC -g -O1 -o tool tool.c\"]\n");
  }

  void write_tool(const std::string& text) const { write("tool.c", text); }

  ToolResult interact(const std::string& arguments, const std::string& base = "main") {
    const ToolResult told =
        shell("heddle interact --program tool --json result.json --base " + base + " " + arguments);
    std::ifstream file(folder_ / "result.json");
    json_ = Json::parse(file, nullptr, false);
    return told;
  }

  // Of the statements in a field of the result.
  static std::vector<std::string> texts(const Json& statements) {
    std::vector<std::string> texts;
    for (const Json& statement : statements) texts.push_back(statement["text"]);
    return texts;
  }

  Json json_;
};

// The example of the paper, as ALGORITHMS, section 7 has it.
std::string minus_parser(bool is_head, bool is_fixed = false) {
  const auto only = [&](const std::string& text) { return is_head ? text : ""; };
  return "#include <assert.h>\n"
         "int main(int argc, char** argv) {\n"
         "  const char* at = argc > 1 ? argv[1] : \"\";\n"
         "  int v = 1, c = 0, lhs = 7, init = 1;\n" +
         only("  lhs = 0;\n") +
         "  for (; *at != 0; at++) {\n"
         "    if (*at >= '0' && *at <= '9') {\n"
         "      v = *at - '0';\n" +
         only("      lhs = 1;\n") +
         "    }\n"
         "    if (*at == '-') {\n" +
         std::string(is_head ? "      c = lhs;\n" : "      c = v;\n") +
         "      init = " + (is_fixed ? "c && v" : "c") +
         " ? v : 1;\n"
         "    }\n"
         "    assert(init != 0);\n"
         "  }\n"
         "  return lhs == 99;\n"
         "}\n";
}

TEST_F(InteractCommand, NamesTheChangesThatAnErrorTakes) {
  write_tool(minus_parser(false));
  commit();
  write_tool(minus_parser(true));
  const ToolResult told = interact("--args @2 --stdin 0 --budget 8s --out tests");
  EXPECT_EQ(told.exit_code, 1) << told.err;
  ASSERT_EQ(json_["interaction_errors"].size(), 1u) << told.out << told.err;
  const Json& error = json_["interaction_errors"][0];
  EXPECT_EQ(texts(error["critical"]), (std::vector<std::string>{"lhs = 0;", "lhs = 1;", "c = lhs;"}));
  EXPECT_EQ(error["locations"][0]["text"], "init = c ? v : 1;");
  bool has_witness = false;
  for (const Json& difference : json_["differences"]) {
    if (difference["class"] != "error") continue;
    has_witness |= difference["args"] == Json({"0-"}) && difference["interaction_error"] == 0;
  }
  EXPECT_TRUE(has_witness) << json_["differences"];
  EXPECT_EQ(json_["findings"][0]["kind"], "assertion");
  EXPECT_EQ(json_["findings"][0]["status"], "new");
  EXPECT_NE(told.out.find("change interaction error"), std::string::npos) << told.out;
  // What it has written fails on the head and passes on the base.
  run("cc -o head tool.c && git show main:tool.c >base.c && cc -o base base.c");
  EXPECT_EQ(shell("sh tests/tool_1.sh ./base").exit_code, 0);
  EXPECT_EQ(shell("sh tests/tool_1.sh ./head").exit_code, 1);
}

TEST_F(InteractCommand, TellsRegressionsByAGoldenVersion) {
  write_tool(minus_parser(false));
  commit();
  run("git checkout -q -b golden");
  write_tool(minus_parser(true, true));
  commit();
  run("git checkout -q -b head main");
  write_tool(minus_parser(true));
  commit();
  const ToolResult told = interact("--head head --golden golden --args @2 --stdin 0 --budget 8s");
  EXPECT_EQ(told.exit_code, 1) << told.err;
  ASSERT_FALSE(json_["differences"].empty()) << told.err;
  for (const Json& difference : json_["differences"]) EXPECT_EQ(difference["class"], "regression");
  EXPECT_EQ(json_["interaction_errors"][0]["failure"], "not as golden");
}

TEST_F(InteractCommand, FindsANumberBehindALongOption) {
  const auto tool = [](const std::string& limit) {
    return "#include <getopt.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
           "static const struct option longs[] = {{\"width\", required_argument, 0, 'w'}, {0, 0, 0, 0}};\n"
           "int main(int argc, char** argv) {\n"
           "  long width = 0;\n"
           "  for (int c; (c = getopt_long(argc, argv, \"w:\", longs, 0)) != -1;) {\n"
           "    if (c == 'w') width = strtol(optarg, 0, 10);\n"
           "    else return 2;\n"
           "  }\n"
           "  if (" +
           limit +
           ") puts(\"too wide\");\n"
           "  printf(\"%d\\n\", argc - optind);\n"
           "  return 0;\n"
           "}\n";
  };
  write_tool(tool("width > 500000000"));
  commit();
  write_tool(tool("width > 400000000"));
  const ToolResult told = interact("--budget 60s --max-differences 1");
  EXPECT_EQ(told.exit_code, 1) << told.err;
  ASSERT_FALSE(json_["differences"].empty()) << told.err;
  EXPECT_EQ(json_["differences"][0]["class"], "difference");
  EXPECT_EQ(json_["findings"][0]["kind"], "output-difference");
}

TEST_F(InteractCommand, LeavesOutWhatAUserIgnores) {
  write_tool("#include <stdio.h>\nint main(void) { puts(\"version 1\"); return 0; }\n");
  commit();
  write_tool("#include <stdio.h>\nint main(void) { puts(\"version 2\"); return 0; }\n");
  EXPECT_EQ(interact("--args '' --budget 5s").exit_code, 1);
  EXPECT_EQ(interact("--args '' --budget 5s --ignore '^version [0-9]+$'").exit_code, 0);
  EXPECT_TRUE(json_["findings"].empty());
}

TEST_F(InteractCommand, SaysThatNothingHasChanged) {
  write_tool("int main(void) { return 0; }\n");
  commit();
  write_tool("// a comment\nint main(void) { return 0; }\n");
  const ToolResult told = interact("--budget 5s");
  EXPECT_EQ(told.exit_code, 0) << told.err;
  EXPECT_EQ(json_["graph"]["changes"], 0);
  EXPECT_NE(told.err.find("no statement has changed"), std::string::npos) << told.err;
}

TEST_F(InteractCommand, TellsWhichChangesNoInputCameTo) {
  const auto tool = [](const std::string& change) {
    return "#include <stdio.h>\nint main(int argc, char** argv) {\n  float f = 0;\n"
           "  if (argc > 1) sscanf(argv[1], \"%f\", &f);\n  if (f == 1.25f) puts(\"" +
           change + "\");\n  return 0;\n}\n";
  };
  write_tool(tool("one"));
  commit();
  write_tool(tool("two"));
  const ToolResult told = interact("--args @4 --stdin 0 --budget 4s --tier symbolic");
  EXPECT_EQ(told.exit_code, 0) << told.err;
  EXPECT_NE(told.err.find("were executed by no input"), std::string::npos) << told.err;
  EXPECT_EQ(texts(json_["changes_not_executed"]), (std::vector<std::string>{"puts(\"two\");"}));
  EXPECT_EQ(json_["complete"], false);
}

// Ctrl-C is heddle's, also while a solver is at work.
TEST_F(InteractCommand, EndsAtOnceWhenItIsInterrupted) {
  write_tool(minus_parser(false));
  commit();
  write_tool(minus_parser(true));
  // Long enough to be at it; it is heddle that says 130.
  const ToolResult told = shell(
      "timeout --preserve-status -s INT -k 40 5 heddle interact --base main --program tool --args '@9 @9' "
      "--budget 60s 2>err.txt");
  EXPECT_EQ(told.exit_code, 130) << read("err.txt");
}

TEST_F(InteractCommand, LooksAtWhatStandsBesideARemovedStatement) {
  write_tool(
      "#include <stdio.h>\nint main(int argc, char** argv) {\n  int n = 0;\n  if (argc > 1 && argv[1][0] == "
      "'x') {\n"
      "    n = 1;\n    n += 2;\n  }\n  printf(\"%d\\n\", n);\n  return 0;\n}\n");
  commit();
  write_tool(
      "#include <stdio.h>\nint main(int argc, char** argv) {\n  int n = 0;\n  if (argc > 1 && argv[1][0] == "
      "'x') {\n"
      "    n += 2;\n  }\n  printf(\"%d\\n\", n);\n  return 0;\n}\n");
  const ToolResult told = interact("--args @2 --budget 5s");
  EXPECT_EQ(told.exit_code, 1) << told.err;
  EXPECT_NE(shell("heddle interact --base main --program tool --graph").out.find("removed"),
            std::string::npos);
  EXPECT_EQ(json_["differences"][0]["args"][0], "x");
}

TEST_F(InteractCommand, ShowsAndDrawsTheGraphAlone) {
  write_tool(minus_parser(false));
  commit();
  write_tool(minus_parser(true));
  const ToolResult told = interact("--graph --dot graph.dot");
  EXPECT_EQ(told.exit_code, 0) << told.err;
  EXPECT_NE(told.out.find("-> "), std::string::npos) << told.out;
  EXPECT_EQ(read("graph.dot").rfind("digraph", 0), 0u);
  EXPECT_EQ(json_["executions"], 0);
}

TEST_F(InteractCommand, KeepsItsBudgetWhateverTheProgramDoes) {
  const auto tool = [](const std::string& change) {
    return "#include <stdio.h>\n#include <string.h>\n#include <unistd.h>\n"
           "int main(int argc, char** argv) {\n"
           "  const char* what = argc > 1 ? argv[1] : \"\";\n"
           "  if (what[0] == 'w') for (;;) pause();\n"
           "  if (what[0] == 'p') for (;;) puts(\"more\");\n"
           "  if (what[0] == 'l') for (volatile int i = 0;; ++i) {}\n"
           "  if (what[0] == 'c') close(0);\n" +
           change + "  return 0;\n}\n";
  };
  write_tool(tool("  puts(\"a\");\n"));
  commit();
  write_tool(tool("  puts(what[0] == 'z' ? \"b\" : \"a\");\n"));
  const ToolResult told = interact("--args @1 --stdin 0 --budget 8s --timeout 200ms");
  EXPECT_EQ(told.exit_code, 1) << told.err;
  EXPECT_LT(json_["seconds"].get<double>(), 60) << "building included";
  std::set<std::string> differing;
  for (const Json& difference : json_["differences"])
    differing.insert(difference["args"][0].get<std::string>());
  EXPECT_EQ(differing, std::set<std::string>{"z"});
}

TEST_F(InteractCommand, CallsAFunctionOfAFuzzer) {
  write("heddle.toml", "[build]\ncommands = [\"$CC -g -O1 -c parse.c\"]\n");
  const auto parse = [](const std::string& limit) {
    return "#include <stddef.h>\n#include <stdint.h>\n#include <stdlib.h>\n"
           "int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {\n"
           "  char text[4] = {0};\n"
           "  if (size > 2 && data[0] == '<' && data[1] == '!') {\n"
           "    for (size_t i = 2; i < size && i < " +
           limit +
           "; ++i) text[i - 2] = (char)data[i];\n"
           "  }\n"
           "  return text[0] == 1 && text[1] == 2;\n"
           "}\n";
  };
  write("parse.c", parse("6"));
  commit();
  write("parse.c", parse("60"));
  const ToolResult told = shell(
      "heddle interact --function parse.c --base main --stdin 12 --budget 30s --max-differences 1 --json "
      "result.json");
  EXPECT_EQ(told.exit_code, 1) << told.err;
  const Json json = Json::parse(read("result.json"), nullptr, false);
  ASSERT_FALSE(json["differences"].empty()) << told.err;
  EXPECT_EQ(json["differences"][0]["class"], "error");
  EXPECT_NE(json["differences"][0]["head"]["report"].get<std::string>().find("overflow"), std::string::npos);
}

TEST_F(InteractCommand, SaysWhatIsWrong) {
  write_tool("int main(void) { return 0; }\n");
  commit();
  write_tool("int main(void) { return 1; }\n");
  const auto expect = [&](const ToolResult& told, const std::string& words) {
    EXPECT_EQ(told.exit_code, 2) << told.err;
    EXPECT_NE(told.err.find(words), std::string::npos) << told.err;
  };
  expect(shell("heddle interact --program took --base main"), "tool");  // which there are
  expect(shell("heddle interact --program tool --base nowhere"), "nowhere");
  expect(shell("heddle interact --program tool --base main --args @"), "--args");
  expect(shell("heddle interact --program tool --base main --file x"), "--file");
  expect(shell("heddle interact --program tool --base main --budget soon"), "soon");
  expect(shell("heddle interact --program tool --base main --golden nowhere"), "nowhere");
  expect(shell("heddle interact --program tool --function f.c --base main"), "--function");
  run("mkdir tests && echo precious >tests/mine");
  expect(shell("heddle interact --program tool --base main --out tests"), "--force");
  write_tool("int main(void) { return broken; }\n");
  expect(shell("heddle interact --program tool --base main"), "broken");
}

}  // namespace
}  // namespace heddle
