// The operations of a rich class are C++: all of them compile, as functions that know the object, another
// one, fixtures and earlier results.
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "../trace/temp_folder.h"
#include "generate/operation_maker.h"
#include "generate/read_class.h"
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
  // As in drivers and tests, what callbacks do is known.
  std::string text = "#include <heddle/outcome.h>\n#include \"rich_subject.h\"\n";
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

void expect_all_compile(ClassModel model) {
  const MadeOperations made = make_operations(model, {}, 400);
  const trace::TempFolder folder;
  const std::string source = folder.file("operations.cpp");
  const std::string output = folder.file("operations.txt");
  std::ofstream(source) << program_of(model, made.table);
  const Expected<CommandEnd> end =
      run_process({.argv = {HEDDLE_TEST_CXX, "-std=c++20", "-fsyntax-only", "-I", HEDDLE_TEST_SOURCES, "-I",
                            HEDDLE_TEST_SOURCES "/../../include", source},
                   .output = output});
  ASSERT_TRUE(end) << end.error().message;
  std::ifstream messages(output);
  EXPECT_TRUE(end->ok()) << std::string(std::istreambuf_iterator<char>(messages), {});
}

TEST(OperationsCompile, OfARichClassAllDo) {
  expect_all_compile(rich_model());
}

TEST(OperationsCompile, OfARichClassAsItIsReadAllDo) {
  const ClassSources sources = {.headers = {"rich_subject.h"},
                                .flags = {"-std=c++20", "-I", HEDDLE_TEST_SOURCES}};
  const Expected<ClassModel> model = read_class("shop::Stock", sources, HEDDLE_CLASS_READER);
  ASSERT_TRUE(model) << model.error().message;
  expect_all_compile(*model);
}

}  // namespace
}  // namespace heddle::generate
