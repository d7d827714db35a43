#include "program/facts_file.h"

#include <gtest/gtest.h>

namespace heddle::program {
namespace {

Unit small_unit() {
  Unit unit;
  unit.file = "src/a.cpp";
  unit.symbols.push_back({.linkage_name = "_Z1fv",
                          .name = "f",
                          .file = "src/a.cpp",
                          .line = 3,
                          .is_function = true,
                          .is_defined = true,
                          .is_merged = true});
  unit.symbols.push_back({.linkage_name = "table",
                          .name = "table",
                          .is_thread_local = true,
                          .is_constant = true,
                          .type = 0,
                          .size = 16,
                          .initial_pointers = {0}});
  Type type{.name = "T", .size = 16, .bases = {}, .vtable = {0, kNone}, .is_atomic = true};
  type.fields.push_back({.name = "x", .offset = 8, .size = 4, .type = kNone});
  type.other_vtables.push_back({8, {0}});
  unit.types.push_back(type);
  Function function{.symbol = 0,
                    .name = "f",
                    .file = "src/a.cpp",
                    .line = 3,
                    .parameters = 1,
                    .parameter_names = {"p"},
                    .values = 3,
                    .is_variadic = true};
  function.nodes.push_back({"src/a.cpp", {4, 3, 5, 9}, "x = 1 ;", "$1 = 1 ;"});
  Block block;
  block.ops.push_back({.kind = OpKind::kLocal, .node = 0, .result = 1, .type = 0, .size = 16, .name = "x"});
  block.ops.push_back({.kind = OpKind::kOffset, .result = 2, .operands = {1}, .offset = -8});
  block.ops.push_back({.kind = OpKind::kStore, .order = MemoryOrder::kRelease, .operands = {2, 0}});
  block.ops.push_back({.kind = OpKind::kCall, .operands = {0, 1}, .callee = 0, .vtable_slot = 2, .type = 0});
  block.edges.push_back({.to = 0, .label = "case 3", .exceptional = true});
  function.blocks.push_back(block);
  unit.functions.push_back(function);
  unit.functions.push_back({.name = "g", .degraded = "text only"});
  return unit;
}

TEST(FactsFile, WhatIsReadIsWhatWasWritten) {
  const Unit unit = small_unit();
  const std::string bytes = encode_facts(unit);
  const Expected<Unit> read = decode_facts(bytes);
  ASSERT_TRUE(read.has_value()) << read.error().message;
  // The encoding holds everything, so equal bytes are equal units; members are looked at below.
  EXPECT_EQ(encode_facts(*read), bytes);
  ASSERT_EQ(read->functions.size(), 2u);
  const Function& f = read->functions[0];
  EXPECT_EQ(f.parameter_names, std::vector<std::string>{"p"});
  EXPECT_EQ(f.nodes[0].range, (SourceRange{4, 3, 5, 9}));
  EXPECT_EQ(f.nodes[0].normal, "$1 = 1 ;");
  EXPECT_TRUE(f.is_variadic);
  const std::vector<Op>& ops = f.blocks[0].ops;
  EXPECT_EQ(ops[0].name, "x");
  EXPECT_EQ(ops[1].offset, -8);
  EXPECT_EQ(ops[2].order, MemoryOrder::kRelease);
  EXPECT_EQ(ops[2].node, kNone);
  EXPECT_EQ(ops[3].vtable_slot, 2u);
  EXPECT_EQ(ops[3].callee, 0u);
  EXPECT_TRUE(f.blocks[0].edges[0].exceptional);
  EXPECT_EQ(read->functions[1].degraded, "text only");
  EXPECT_EQ(read->functions[1].symbol, kNone);
  EXPECT_EQ(read->types[0].other_vtables[0].slots, std::vector<uint32_t>{0});
  EXPECT_EQ(read->types[0].vtable[1], kNone);
  EXPECT_TRUE(read->types[0].is_atomic);
  EXPECT_TRUE(read->symbols[0].is_merged && read->symbols[0].is_function && read->symbols[0].is_defined);
  EXPECT_TRUE(read->symbols[1].is_thread_local && read->symbols[1].is_constant &&
              !read->symbols[1].is_function);
  EXPECT_EQ(read->symbols[1].initial_pointers, std::vector<uint32_t>{0});
}

TEST(FactsFile, UnwantedBodiesAreLeftOut) {
  const std::string bytes = encode_facts(small_unit());
  const Expected<Unit> read = decode_facts(bytes, [](const Symbol& symbol) { return symbol.name != "f"; });
  ASSERT_TRUE(read.has_value());
  ASSERT_EQ(read->functions.size(), 1u);
  EXPECT_EQ(read->functions[0].name, "g");
  EXPECT_EQ(read->symbols.size(), 2u);
}

TEST(FactsFile, DamageIsNoticedWhereverItIs) {
  const std::string bytes = encode_facts(small_unit());
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x41);
    EXPECT_FALSE(decode_facts(damaged).has_value()) << "byte " << i;
    EXPECT_FALSE(decode_facts(std::string_view(bytes).substr(0, i)).has_value()) << "length " << i;
  }
}

TEST(FactsFile, IndicesOutsideTheirTablesAreRejected) {
  const auto rejects = [](auto change) {
    Unit unit = small_unit();
    change(unit);
    return !decode_facts(encode_facts(unit)).has_value();
  };
  EXPECT_TRUE(rejects([](Unit& unit) { unit.symbols[1].initial_pointers = {9}; }));
  EXPECT_TRUE(rejects([](Unit& unit) { unit.symbols[1].type = 1; }));
  EXPECT_TRUE(rejects([](Unit& unit) { unit.types[0].vtable = {2}; }));
  EXPECT_TRUE(rejects([](Unit& unit) { unit.types[0].bases = {1}; }));
  EXPECT_TRUE(rejects([](Unit& unit) { unit.types[0].fields[0].type = 4; }));
  EXPECT_TRUE(rejects([](Unit& unit) { unit.functions[0].symbol = 2; }));
  EXPECT_TRUE(rejects([](Unit& unit) { unit.functions[0].values = 2; }));
  EXPECT_TRUE(rejects([](Unit& unit) { unit.functions[0].nodes.clear(); }));
  EXPECT_TRUE(rejects([](Unit& unit) { unit.functions[0].blocks[0].edges[0].to = 1; }));
  EXPECT_TRUE(rejects([](Unit& unit) { unit.functions[0].blocks.clear(); }));
}

}  // namespace
}  // namespace heddle::program
