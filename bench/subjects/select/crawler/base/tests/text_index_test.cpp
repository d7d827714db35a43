#include "text_index.h"

#include <gtest/gtest.h>

#include "threads.h"

namespace crawl {
namespace {

struct WordsCase {
  const char* text;
  std::vector<std::string> words;
};

class Words : public testing::TestWithParam<WordsCase> {};

TEST_P(Words, AreSplit) {
  EXPECT_EQ(TextIndex::words(GetParam().text), GetParam().words);
}

INSTANTIATE_TEST_SUITE_P(Table, Words,
                         testing::Values(WordsCase{"", {}}, WordsCase{"One two", {"one", "two"}},
                                         WordsCase{"a bc", {"bc"}}, WordsCase{"x-ray, 42!", {"ray", "42"}},
                                         WordsCase{"tail", {"tail"}}, WordsCase{"...", {}}));

void fill(TextIndex& index) {
  index.add("sea", "the heron stands in the sea and waits");
  index.add("lake", "a heron at the lake; the heron flies");
  index.add("town", "pigeons in town");
  index.add("empty", "");
}

struct SearchCase {
  const char* query;
  std::vector<std::string> documents;
};

class Search : public testing::TestWithParam<SearchCase> {};

TEST_P(Search, FindsTheBestFirst) {
  TextIndex index;
  fill(index);
  std::vector<std::string> documents;
  for (const TextIndex::Hit& hit : index.search(GetParam().query, 10)) documents.push_back(hit.document);
  EXPECT_EQ(documents, GetParam().documents);
}

INSTANTIATE_TEST_SUITE_P(Table, Search,
                         testing::Values(SearchCase{"heron", {"lake", "sea"}},
                                         SearchCase{"HERON lake", {"lake"}}, SearchCase{"pigeons", {"town"}},
                                         SearchCase{"heron pigeons", {}}, SearchCase{"unknown", {}},
                                         SearchCase{"", {}}, SearchCase{"in", {"town", "sea"}},
                                         SearchCase{"heron heron", {"lake", "sea"}}));

TEST(TextIndex, ANewVersionReplacesTheOld) {
  TextIndex index;
  fill(index);
  index.add("town", "sparrows");
  EXPECT_EQ(index.frequency("pigeons"), 0U);
  EXPECT_EQ(index.frequency("sparrows"), 1U);
  EXPECT_TRUE(index.remove("town"));
  EXPECT_FALSE(index.remove("town"));
  EXPECT_EQ(index.stats().documents, 3U);
}

TEST(TextIndex, SuggestsWords) {
  TextIndex index;
  fill(index);
  EXPECT_EQ(index.suggest("t", 10), (std::vector<std::string>{"the", "town"}));
  EXPECT_EQ(index.suggest("t", 1).size(), 1U);
  EXPECT_TRUE(index.suggest("zz", 10).empty());
}

class SearchLimit : public testing::TestWithParam<int> {};

TEST_P(SearchLimit, IsKept) {
  TextIndex index;
  for (int i = 0; i < 5; ++i) index.add(std::to_string(i), "same words here");
  EXPECT_EQ(index.search("words", GetParam()).size(), static_cast<std::size_t>(std::min(GetParam(), 5)));
  EXPECT_DOUBLE_EQ(index.stats().average_length, 3);
}

INSTANTIATE_TEST_SUITE_P(Limits, SearchLimit, testing::Values(0, 1, 5, 50));

enum class Operation { kAdd, kRemove, kSearch, kSuggest, kFrequency, kStats };
constexpr const char* kNames[] = {"Add", "Remove", "Search", "Suggest", "Frequency", "Stats"};

class IndexPairs : public testing::TestWithParam<Pair<Operation>> {};

TEST_P(IndexPairs, WorkTogether) {
  constexpr int kRounds = 10;
  TextIndex index;
  fill(index);
  std::vector<int> good(GetParam().threads);
  run_threads(GetParam().threads, [&](int thread) {
    for (int i = 0; i < kRounds; ++i) {
      const std::string own = std::to_string(thread) + "/" + std::to_string(i);
      switch (GetParam().of(thread)) {
        case Operation::kAdd:
          index.add(own, "more text with words " + std::to_string(i));
          ++good[thread];
          break;
        case Operation::kRemove:
          index.add(own, "short lived");
          good[thread] += index.remove(own);
          break;
        case Operation::kSearch:
          good[thread] += index.search("heron", 5).size() == 2;
          break;
        case Operation::kSuggest:
          good[thread] += index.suggest("her", 5).size() == 1;
          break;
        case Operation::kFrequency:
          good[thread] += index.frequency("heron") == 2;
          break;
        case Operation::kStats:
          good[thread] += index.stats().documents >= 4;
          break;
      }
    }
  });
  std::size_t documents = 4;
  for (int thread = 0; thread < GetParam().threads; ++thread) {
    EXPECT_EQ(good[thread], kRounds);
    if (GetParam().of(thread) == Operation::kAdd) documents += kRounds;
  }
  EXPECT_EQ(index.stats().documents, documents);
}

INSTANTIATE_TEST_SUITE_P(All, IndexPairs, testing::ValuesIn(all_pairs<Operation>(6, {2, 5})),
                         [](const auto& info) { return pair_name(kNames, info.param); });

}  // namespace
}  // namespace crawl
