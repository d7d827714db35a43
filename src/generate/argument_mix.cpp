#include "generate/argument_mix.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace heddle::generate {
namespace {

// Combinations that are looked at. What stands late in the pools is left out before there are more.
constexpr size_t kMostCombinations = 2048;

using Row = std::vector<size_t>;
using Pair = std::tuple<size_t, size_t, size_t, size_t>;  // parameter and index, twice

size_t product(const Row& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), size_t{1}, std::multiplies<>());
}

// All rows, those with small indices first.
std::vector<Row> graded_rows(Row sizes) {
  while (product(sizes) > kMostCombinations) --*std::max_element(sizes.begin(), sizes.end());
  std::vector<Row> rows;
  Row row(sizes.size(), 0);
  for (size_t i = 0, count = product(sizes); i < count; ++i) {
    size_t rest = i;
    for (size_t at = sizes.size(); at-- > 0; rest /= sizes[at]) row[at] = rest % sizes[at];
    rows.push_back(row);
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Row& one, const Row& two) {
    return std::accumulate(one.begin(), one.end(), size_t{0}) <
           std::accumulate(two.begin(), two.end(), size_t{0});
  });
  return rows;
}

// A single parameter is a pair with itself.
std::vector<Pair> pairs_of(const Row& row) {
  std::vector<Pair> pairs;
  if (row.size() == 1) return {{0, row[0], 0, row[0]}};
  for (size_t i = 0; i < row.size(); ++i)
    for (size_t j = i + 1; j < row.size(); ++j) pairs.emplace_back(i, row[i], j, row[j]);
  return pairs;
}

}  // namespace

std::vector<std::vector<size_t>> mix_arguments(const std::vector<size_t>& pool_sizes, size_t most) {
  if (std::find(pool_sizes.begin(), pool_sizes.end(), size_t{0}) != pool_sizes.end()) return {};
  if (pool_sizes.empty()) return most == 0 ? std::vector<Row>{} : std::vector<Row>{{}};
  std::vector<Row> left = graded_rows(pool_sizes);
  std::set<Pair> covered;
  std::vector<Row> chosen;
  while (chosen.size() < most) {
    size_t best_gain = 0;
    auto best = left.end();
    for (auto row = left.begin(); row != left.end(); ++row) {
      const std::vector<Pair> pairs = pairs_of(*row);
      const auto gain = static_cast<size_t>(std::count_if(
          pairs.begin(), pairs.end(), [&](const Pair& pair) { return !covered.contains(pair); }));
      if (gain > best_gain) {
        best_gain = gain;
        best = row;
      }
    }
    if (best == left.end()) break;
    for (const Pair& pair : pairs_of(*best)) covered.insert(pair);
    chosen.push_back(*best);
    left.erase(best);
  }
  return chosen;
}

}  // namespace heddle::generate
