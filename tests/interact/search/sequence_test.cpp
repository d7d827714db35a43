#include "interact/search/sequence.h"

#include <gtest/gtest.h>

namespace heddle::interact {
namespace {

std::vector<StatementIndex> folded(const std::vector<StatementIndex>& all) {
  FoldedSequence sequence;
  for (const StatementIndex statement : all) sequence.add(statement);
  return sequence.statements();
}

using Statements = std::vector<StatementIndex>;

TEST(FoldedSequence, AStatementThatIsRepeatedIsThereOnce) {
  EXPECT_EQ(folded({1, 1, 1, 5, 5, 1}), (Statements{1, 5, 1}));
}

TEST(FoldedSequence, ALoopIsThereTwiceHoweverOftenItRuns) {
  Statements all = {1};
  for (int i = 0; i < 1000; ++i) all.insert(all.end(), {5, 7, 8});
  all.push_back(9);
  EXPECT_EQ(folded(all), (Statements{1, 5, 7, 8, 5, 7, 8, 9}));
  EXPECT_EQ(folded({5, 7, 5}), (Statements{5, 7, 5}));
}

TEST(FoldedSequence, LoopsInLoopsAreFolded) {
  Statements all;
  for (int i = 0; i < 50; ++i) {
    for (int k = 0; k < 20; ++k) all.insert(all.end(), {1, 2});
    all.push_back(3);
  }
  EXPECT_EQ(folded(all), (Statements{1, 2, 1, 2, 3, 1, 2, 1, 2, 3}));
}

TEST(SequenceKey, TheSameStepsGiveTheSameKey) {
  const uint64_t key = sequence_key({1, 5, 7});
  EXPECT_EQ(key, sequence_key({1, 5, 5, 7, 7}));
  EXPECT_NE(key, sequence_key({1, 7, 5}));
  EXPECT_NE(key, sequence_key({1, 5}));
  EXPECT_NE(key, sequence_key({1, 5, 7, 5}));
  EXPECT_EQ(sequence_key({1, 5, 7, 5, 7}), sequence_key({1, 5, 7, 5, 7, 5}));
}

TEST(SequenceKey, OfTheFoldedSequenceIsThatOfTheWhole) {
  Statements all = {3};
  for (uint32_t i = 0; i < 300; ++i) all.push_back(i * i % 7 + i / 100);
  EXPECT_EQ(sequence_key(folded(all)), sequence_key(all));
}

}  // namespace
}  // namespace heddle::interact
