// What is kept of a program between runs is what an analysis would find, or nothing.
#include "select/structure_store.h"

#include <gtest/gtest.h>

#include <fstream>

#include "../program/facts_builder.h"
#include "../trace/temp_folder.h"

namespace heddle::select {
namespace {

using program::FunctionBuilder;
using program::Program;
using program::UnitFacts;

// main calls first, under a lock, and second.
Program two_calls(const std::string& second) {
  UnitFacts unit;
  const uint32_t mutex = unit.global("mutex", 40);
  {
    FunctionBuilder f(unit, "first");
    f.node("return;");
    f.ret();
  }
  {
    FunctionBuilder f(unit, second);
    f.node("return;");
    f.ret();
  }
  FunctionBuilder f(unit, "main");
  f.node("lock();");
  f.call("pthread_mutex_lock", {f.symbol(mutex)});
  f.node("first();");
  f.call("first", {});
  f.node("unlock();");
  f.call("pthread_mutex_unlock", {f.symbol(mutex)});
  f.node("second();");
  f.call(second, {});
  f.ret();
  f.done();
  return unit.program();
}

void expect_the_same(const ProgramStructure& one, const ProgramStructure& other) {
  ASSERT_EQ(one.call_graph->sites().size(), other.call_graph->sites().size());
  for (size_t i = 0; i < one.call_graph->sites().size(); ++i) {
    EXPECT_EQ(one.call_graph->sites()[i].call, other.call_graph->sites()[i].call);
    EXPECT_EQ(one.call_graph->sites()[i].callees, other.call_graph->sites()[i].callees);
  }
  for (program::FunctionIndex f = 0; f < one.program.size(); ++f)
    EXPECT_EQ(one.call_graph->callers(f), other.call_graph->callers(f));
  ASSERT_EQ(one.regions.size(), other.regions.size());
  for (size_t i = 0; i < one.regions.size(); ++i) {
    EXPECT_EQ(one.regions[i].function, other.regions[i].function);
    EXPECT_EQ(one.regions[i].acquire, other.regions[i].acquire);
    EXPECT_EQ(one.regions[i].is_shared, other.regions[i].is_shared);
    EXPECT_EQ(one.regions[i].is_conditional, other.regions[i].is_conditional);
    EXPECT_EQ(one.regions[i].nodes, other.regions[i].nodes);
  }
}

TEST(StructureStore, WhatIsReadIsWhatWasWritten) {
  const Program program = two_calls("second");
  const AnalysedProgram analysed(program);
  ASSERT_EQ(analysed.call_graph->sites().size(), 2u);
  ASSERT_EQ(analysed.regions.size(), 1u);
  const auto read = decode_structure(encode_structure(analysed), program);
  ASSERT_NE(read, nullptr);
  expect_the_same(analysed, *read);
}

TEST(StructureStore, DamageIsSeen) {
  const Program program = two_calls("second");
  const std::string bytes = encode_structure(AnalysedProgram(program));
  for (size_t length = 0; length < bytes.size(); ++length)
    EXPECT_EQ(decode_structure(bytes.substr(0, length), program), nullptr) << length;
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    EXPECT_EQ(decode_structure(damaged, program), nullptr) << at;
  }
  UnitFacts other;
  FunctionBuilder(other, "main").ret();
  EXPECT_EQ(decode_structure(bytes, other.program()), nullptr);
}

TEST(StructureStore, AnalysesOnceAndAgainIfTheFileIsLost) {
  const trace::TempFolder folder;
  const std::filesystem::path structures = folder.path() / "structures";
  const Program program = two_calls("second");
  const AnalysedProgram analysed(program);
  expect_the_same(analysed, *known_structure(program, 1, structures));
  const auto file = std::filesystem::directory_iterator(structures)->path();
  expect_the_same(analysed, *known_structure(program, 1, structures));
  // It is read: a call less, and a call less is known.
  const ProgramStructure less(
      program, std::make_shared<program::CallGraph>(std::vector<program::CallGraph::Site>{}, program.size()),
      {});
  std::ofstream(file) << encode_structure(less);
  EXPECT_TRUE(known_structure(program, 1, structures)->call_graph->sites().empty());
  std::ofstream(file) << "damaged";
  expect_the_same(analysed, *known_structure(program, 1, structures));
  for (uint64_t content = 2; content < 30; ++content) known_structure(program, content, structures);
  const auto count = std::distance(std::filesystem::directory_iterator(structures), {});
  EXPECT_LE(count, 8) << "old ones go away";
}

TEST(StructureStore, WorksWhereNothingCanBeWritten) {
  const Program program = two_calls("second");
  expect_the_same(AnalysedProgram(program), *known_structure(program, 1, "/proc/no/such/folder"));
}

}  // namespace
}  // namespace heddle::select
