// `heddle list`: the tests in a test program.
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "cli/command_line.h"
#include "execute/binary.h"
#include "execute/shell_words.h"
#include "suite/case_list.h"
#include "suite/ctest_script.h"

namespace heddle {
namespace {

struct ListOptions {
  std::string format = "names";
  std::string with;
  CTestScriptOptions script;
};

Expected<int> run(const ListOptions& options, const std::vector<std::string>& words) {
  SuiteTest test;
  test.command.argv = words;
  const Expected<std::string> program = resolve_program(test.command);
  if (!program) return tl::unexpected(program.error());
  test.program = *program;
  test.name = std::filesystem::path(*program).filename().string();
  const std::vector<SuiteTest> cases = cases_of(test);
  if (options.format == "ctest") {
    CTestScriptOptions script = options.script;
    script.command = split_words(options.with);
    fmt::print("{}", ctest_script(cases, script));
  } else if (options.format == "commands") {
    for (const SuiteTest& one : cases) fmt::print("{}\n", shell_line(one.command.argv));
  } else {
    for (const SuiteTest& one : cases) fmt::print("{}\n", one.name);
  }
  return exit_code::kClean;
}

}  // namespace

void add_list_command(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "list",
      "the cases of a GoogleTest, Catch2 or doctest program: heddle list [options] -- PROGRAM [arguments]");
  auto options = std::make_shared<ListOptions>();
  command
      ->add_option("--format", options->format,
                   "names, commands (command lines for a shell), ctest (a script for TEST_INCLUDE_FILES)")
      ->check(CLI::IsMember({"names", "commands", "ctest"}))
      ->capture_default_str();
  command->add_option("--with", options->with,
                      "ctest: the words before each command line, say 'heddle explore --budget 10s --'");
  command->add_option("--prefix", options->script.prefix, "ctest: of the tests' names");
  command->add_option("--label", options->script.labels, "ctest: a label of the tests; again for more")
      ->expected(1)
      ->take_all();
  command->callback([&invocation, options] {
    invocation.action = [&invocation, options]() -> Expected<int> {
      const Expected<std::vector<std::string>> words = test_words(invocation, "list");
      if (!words) return tl::unexpected(words.error());
      return run(*options, *words);
    };
  });
}

}  // namespace heddle
