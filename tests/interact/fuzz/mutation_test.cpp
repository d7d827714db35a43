// What inputs are made of other inputs, without a program.
#include <cstring>
#include <set>

#include <gtest/gtest.h>

#include "interact/fuzz/coverage.h"
#include "interact/fuzz/loop_messages.h"
#include "interact/fuzz/mutation.h"
#include "interact/fuzz/replacement.h"

namespace heddle::fuzz {
namespace {

using concolic::ProgramInput;
using Arguments = std::vector<std::string>;

ProgramInput input_of(Arguments arguments, std::string standard_input = {}) {
  ProgramInput input;
  input.arguments = std::move(arguments);
  input.standard_input = std::move(standard_input);
  return input;
}

// "-w @6 [@4]", 8 bytes of standard input.
InputRoom small_room() {
  InputRoom room;
  room.limits.arguments = {{2, 2}, {0, 6}, {0, 4}};
  room.limits.least_arguments = 2;
  room.limits.most_arguments = 3;
  room.limits.longest_standard_input = 8;
  room.limits.longest_file = 0;
  room.fixed = {"-w", "", ""};
  return room;
}

TEST(Mutation, StaysWithinWhatMayBeChosen) {
  const InputRoom room = small_room();
  Dictionary dictionary;
  dictionary.add_word("--much-too-long");
  Random random(1);
  Mutation mutation(room, dictionary, random);
  ProgramInput input = input_of({"-w", "0"});
  for (int i = 0; i < 5'000; ++i) {
    input = mutation.mutate(input, input_of({"-w", "77", "x"}, "a\nb\n"));
    ASSERT_TRUE(room.allows(input)) << i;
    ASSERT_TRUE(input.file.empty());
  }
}

// Each of these takes one change or two; a loop makes a hundred thousand in a second.
TEST(Mutation, MakesWhatProgramsAskFor) {
  InputRoom room;
  room.limits.longest_argument = 16;
  Dictionary dictionary;
  dictionary.add_word("--width=");
  Random random(1);
  Mutation mutation(room, dictionary, random);
  std::set<Arguments> made;
  for (int i = 0; i < 60'000; ++i)
    made.insert(mutation.mutate(input_of({"-w5", "7"}), input_of({"-b", "x"})).arguments);
  for (const Arguments& wanted :
       {Arguments{"-w", "5", "7"}, Arguments{"-w2147483648", "7"}, Arguments{"-w6", "7"},
        Arguments{"-w4", "7"}, Arguments{"-w05", "7"}, Arguments{"7", "-w5"}, Arguments{"-w5", "7", "7"},
        Arguments{"-w5"}, Arguments{"-w57"}, Arguments{"-b", "7"}, Arguments{"--width=", "7"},
        Arguments{"-w5", "--width=7"}, Arguments{"-w7", "7"}})
    EXPECT_TRUE(made.contains(wanted)) << wanted.front();
}

TEST(Mutation, IsTheSameForASeed) {
  const InputRoom room = small_room();
  const Dictionary dictionary;
  const auto made = [&](uint64_t seed) {
    Random random(seed);
    Mutation mutation(room, dictionary, random);
    std::vector<ProgramInput> result;
    for (int i = 0; i < 200; ++i)
      result.push_back(mutation.mutate(input_of({"-w", "1"}), input_of({"-w", "x"})));
    return result;
  };
  EXPECT_EQ(made(3), made(3));
  EXPECT_NE(made(3), made(4));
}

HeddleFastCompare comparison(uint64_t left, uint64_t right, uint32_t size) {
  HeddleFastCompare compare = {};
  compare.left = left;
  compare.right = right;
  compare.size = size;
  compare.is_constant = 1;
  return compare;
}

TEST(Replacement, PutsOperandsWhereTheOtherStands) {
  InputRoom room;
  HeddleFastTexts texts = {};
  texts.left_size = 3;
  texts.right_size = 4;
  std::memcpy(texts.left, "abc", 3);
  std::memcpy(texts.right, "size", 4);
  const std::vector<HeddleFastCompare> numbers = {comparison(100'000'000, 77, 8),
                                                  comparison(0x12345678, 0x64636261, 4),
                                                  comparison(static_cast<uint32_t>(-5), 31, 4)};
  Random random(1);
  const ProgramInput input = input_of({"-w77", "abcd", "x1f"});
  std::set<Arguments> made;
  for (const ProgramInput& one : replacements(input, {numbers, {&texts, 1}}, room, 1000, random))
    made.insert(one.arguments);
  for (const Arguments& wanted :
       {Arguments{"-w100000000", "abcd", "x1f"}, Arguments{"-w100000001", "abcd", "x1f"},
        Arguments{"-w99999999", "abcd", "x1f"}, Arguments{"-w77", "sized", "x1f"},
        Arguments{"-w77", "\x78\x56\x34\x12", "x1f"}, Arguments{"-w77", "abcd", "xfffffffb"}})
    EXPECT_TRUE(made.contains(wanted)) << wanted[0] << ' ' << wanted[1] << ' ' << wanted[2];
}

TEST(Replacement, LearnsConstantsAndTexts) {
  HeddleFastTexts texts = {};
  texts.left_size = 4;
  std::memcpy(texts.left, "size", 4);
  const std::vector<HeddleFastCompare> numbers = {comparison(4'242, 1, 8)};
  Dictionary dictionary;
  learn_words(input_of({"x"}), {numbers, {&texts, 1}}, &dictionary);
  EXPECT_EQ(dictionary.words(), Arguments{"size"});
  Random random(1);
  std::set<std::string> drawn;
  for (int i = 0; i < 5'000; ++i) drawn.insert(dictionary.number(random));
  EXPECT_TRUE(drawn.contains("4241") && drawn.contains("4242") && drawn.contains("4243"));
}

TEST(DictionaryFile, IsReadAsOtherFuzzersHaveIt) {
  const auto words = parse_dictionary("# a comment\n\nkeyword=\"if\"\n  \"a\\x00\\\\\\\"\"\r\n");
  ASSERT_TRUE(words);
  EXPECT_EQ(*words, (Arguments{"if", std::string("a\0\\\"", 4)}));
  for (const char* const wrong : {"word", "\"\"", "\"a", "\"\\y\"", "\"\\x4\""}) {
    const auto read = parse_dictionary(std::string("\"fine\"\n") + wrong);
    ASSERT_FALSE(read) << wrong;
    EXPECT_TRUE(read.error().message.starts_with("line 2 is no word")) << read.error().message;
  }
}

TEST(Coverage, TellsNewEdgesFromNewCounts) {
  Coverage coverage(20);
  std::vector<uint8_t> counters(20);
  counters[3] = 1;
  counters[17] = 5;
  EXPECT_EQ(coverage.look(counters).edges, 2U);
  counters[17] = 6;
  EXPECT_FALSE(coverage.look(counters).any());
  counters[17] = 8;
  EXPECT_EQ(coverage.look(counters).counts, 1U);
  EXPECT_EQ(coverage.reached_edges(), 2U);
  EXPECT_EQ(coverage.executions_of(3), 3U);
  EXPECT_EQ(edges_of(counters), (std::vector<uint32_t>{3, 17}));
}

// Nodes 0, 1 are changes, 2 is an output; marks are nodes, but for 3.
GraphView small_graph() {
  GraphView graph;
  graph.nodes = {{.is_change = true}, {.is_change = true}, {.is_flat = true}};
  graph.edges = {{0, 1}, {1, 2}};
  graph.starts = {0, 1};
  graph.node_of_mark = {0, 1, 2, kNoNode};
  return graph;
}

TEST(TracesOfMarks, BeginWithTheFirstChangeAndFoldLoops) {
  const GraphView graph = small_graph();
  Traces traces(graph);
  const std::vector<uint32_t> marks = {2, 3, 0, 1, 0, 1, 0, 1, 0, 1, 1, 2};
  const TraceNumber number = traces.of(marks);
  EXPECT_EQ(traces[number].changes, (std::vector<uint32_t>{0, 1, 0, 1}));
  EXPECT_EQ(traces[number].nodes.back(), 2U);
  EXPECT_EQ(traces[number].repeated, std::vector<uint32_t>{1});
  // Longer, but with the same steps.
  EXPECT_EQ(traces.of(std::vector<uint32_t>{0, 1, 0, 1, 1, 2}), number);
  EXPECT_NE(traces.of(std::vector<uint32_t>{0, 1, 2}), number);
  EXPECT_TRUE(traces.take(number).step);
  EXPECT_TRUE(traces.is_reached({0, 1}));
  EXPECT_FALSE(traces.take(number).step);
}

TEST(InputsOfACorpus, ThatAreNearToAnUnreachedEdgeComeFirst) {
  const GraphView graph = small_graph();
  const DistanceTable table{.nodes = 3, .distances = {9, 9, 9, 1, 1, 1}};  // of edges 0 and 1
  const Coverage coverage(2);
  Traces traces(graph);
  Corpus corpus(Guidance::kGraph, graph, table, coverage, traces);
  for (const uint32_t edge : {0U, 1U}) {
    CorpusEntry entry;
    entry.input = input_of({std::to_string(edge)});
    entry.edges = {edge};
    corpus.add(std::move(entry));
  }
  EXPECT_EQ(corpus.nearest(1).front()->input.arguments.front(), "1");
  Random random(1);
  size_t near = 0;
  for (int i = 0; i < 1000; ++i) near += corpus.choose(random, 1).input.arguments.front() == "1";
  EXPECT_GT(near, 600U);
}

TEST(LoopMessages, ComeAsTheyWereSent) {
  LoopSettings settings;
  settings.guidance = Guidance::kTargets;
  settings.room = small_room();
  settings.graph = small_graph();
  settings.distances = {2, {1, 2, 3, 4}};
  settings.words = {"a", std::string("b\0", 2)};
  settings.avoided = {input_of({"x"}, "y")};
  const auto same = settings_from(to_text(settings));
  ASSERT_TRUE(same);
  EXPECT_EQ(to_text(*same), to_text(settings));
  EXPECT_EQ(same->room.fixed, settings.room.fixed);
  EXPECT_EQ(same->distances.distances, settings.distances.distances);
  EXPECT_EQ(same->avoided, settings.avoided);
  EXPECT_FALSE(settings_from(to_text(settings).substr(0, 40)));
  SliceReport report;
  report.counts = {{1, 2, 3}};
  report.new_traces = {{{1}, {2}, {3}}};
  report.since_new = 7;
  const auto told = report_from(to_text(report));
  ASSERT_TRUE(told);
  EXPECT_EQ(told->counts.front().inputs, 3U);
  EXPECT_EQ(told->new_traces.front().changes, std::vector<uint32_t>{2});
  EXPECT_EQ(told->since_new, 7U);
}

}  // namespace
}  // namespace heddle::fuzz
