// The operations of a rich class are C++: all of them compile, as functions that know the object, another
// one, fixtures and earlier results.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "generate/operation_maker.h"
#include "rich_model.h"
#include "support/process.h"

namespace heddle::generate {
namespace {

// "$7" as a variable.
std::string with_results(std::string code) {
  for (char& c : code)
    if (c == '$') c = 'R';
  return code;
}

std::string program_of(const ClassModel& model, const OperationTable& table) {
  std::string text = "#include \"rich_subject.h\"\n";
  for (const std::string& include : table.includes) text += "#include " + include + "\n";
  for (const Fixture& fixture : table.fixtures) text += fixture.definition + "\n";
  // As members and as variables.
  for (const Fixture& fixture : table.fixtures)
    text += fmt::format("struct Holds_{0} {{ {1} }};\n{1}\n", fixture.name, fixture.declaration);
  for (const Operation& operation : table.operations) {
    const auto id = static_cast<uint32_t>(operation.id);
    if (operation.is_constructor) {
      text += fmt::format("void construct_{}() {{ {} object{}; }}\n", id, model.spelled, operation.code);
      continue;
    }
    std::string parameters = fmt::format("{0}& object, {0}& other", model.name);
    for (const uint32_t method : operation.needs)
      parameters += fmt::format(", std::decay_t<{}>& R{}", model.methods[method].result, method);
    text += fmt::format("auto call_{}({}) -> decltype(auto) {{ (void)object; (void)other; return {}; }}\n",
                        id, parameters, with_results(operation.code));
  }
  return text;
}

TEST(OperationsCompile, OfARichClassAllDo) {
  ClassModel model = rich_model();
  const MadeOperations made = make_operations(model, {}, 400);
  const char* folder = std::getenv("TEST_TMPDIR");
  const std::filesystem::path base = folder == nullptr ? "." : folder;
  const std::string source = base / "operations.cpp";
  const std::string output = base / "operations.txt";
  std::ofstream(source) << program_of(model, made.table);
  std::filesystem::remove(output);
  const Expected<CommandEnd> end = run_process(
      {.argv = {HEDDLE_TEST_CXX, "-std=c++20", "-fsyntax-only", "-I", HEDDLE_TEST_SOURCES, source},
       .output = output});
  ASSERT_TRUE(end) << end.error().message;
  std::ifstream messages(output);
  EXPECT_TRUE(end->ok()) << std::string(std::istreambuf_iterator<char>(messages), {});
}

}  // namespace
}  // namespace heddle::generate
