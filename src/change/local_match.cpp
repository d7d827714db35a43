#include "change/local_match.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace heddle {

namespace {

// More candidates than this are not compared each with each.
constexpr size_t kMaxCandidates = 300;

struct Candidate {
  uint32_t local = 0;          // from 0
  uint32_t order = 0;          // among the parameters; ~0u: none
  std::vector<uint64_t> uses;  // sorted: what statements look like with this local marked
};

std::vector<Candidate> collect(const IndexedFunction& function, const std::vector<bool>& wanted) {
  std::vector<Candidate> candidates;
  std::unordered_map<uint32_t, uint32_t> position;  // local, from 1 → candidate
  uint32_t parameter = 0;
  for (uint32_t local = 0; local < wanted.size(); ++local) {
    const bool is_parameter = function.source->locals[local].declared_by == ~0u;
    if (wanted[local]) {
      position[local + 1] = static_cast<uint32_t>(candidates.size());
      candidates.push_back({local, is_parameter ? parameter : ~0u, {}});
    }
    parameter += is_parameter;
  }
  for (const IndexedStatement& statement : function.statements) {
    std::vector<uint32_t> present;
    for (const Word& word : statement.words) {
      if (word.local != 0 && position.contains(word.local) &&
          std::ranges::find(present, word.local) == present.end()) {
        present.push_back(word.local);
      }
    }
    for (const uint32_t local : present) {
      uint64_t hash = 7;
      for (const Word& word : statement.words) {
        hash = mix(hash, word.local == local ? 1 : word.local != 0 ? 2 : word.text + 3);
      }
      candidates[position[local]].uses.push_back(hash);
    }
  }
  for (Candidate& candidate : candidates) std::ranges::sort(candidate.uses);
  return candidates;
}

double likeness(const Candidate& a, const Candidate& b, bool same_type) {
  size_t common = 0;
  for (size_t i = 0, k = 0; i < a.uses.size() && k < b.uses.size();) {
    if (a.uses[i] == b.uses[k]) {
      ++common, ++i, ++k;
    } else {
      a.uses[i] < b.uses[k] ? ++i : ++k;
    }
  }
  const size_t most = std::max<size_t>({a.uses.size(), b.uses.size(), 1});
  double score = static_cast<double>(common) / static_cast<double>(most);
  if (a.order != ~0u && a.order == b.order) score += 0.5;
  return same_type ? score + 0.1 : score * 0.7;
}

}  // namespace

std::vector<uint32_t> old_names_of_locals(const IndexedFunction& before, const IndexedFunction& after,
                                          WordTable& words) {
  const std::vector<SourceLocal>& olds = before.source->locals;
  const std::vector<SourceLocal>& news = after.source->locals;
  std::map<std::string_view, int> balance;  // how many more the old version has
  for (const SourceLocal& local : olds) ++balance[local.name];
  std::map<std::string_view, int> in_old = balance;
  for (const SourceLocal& local : news) --balance[local.name];

  std::vector<uint32_t> result(news.size());
  std::vector<bool> old_wanted(olds.size());
  std::vector<bool> new_wanted(news.size());
  for (size_t i = 0; i < news.size(); ++i) {
    result[i] = words.number(news[i].name);
    new_wanted[i] = !in_old.contains(news[i].name);
  }
  for (size_t i = 0; i < olds.size(); ++i) old_wanted[i] = balance[olds[i].name] > 0;

  const std::vector<Candidate> gone = collect(before, old_wanted);
  const std::vector<Candidate> fresh = collect(after, new_wanted);
  if (gone.empty() || fresh.empty() || gone.size() > kMaxCandidates || fresh.size() > kMaxCandidates)
    return result;
  struct Pair {
    double score;
    size_t gone;
    size_t fresh;
  };
  std::vector<Pair> pairs;
  for (size_t i = 0; i < gone.size(); ++i) {
    for (size_t k = 0; k < fresh.size(); ++k) {
      const bool same_type = olds[gone[i].local].type == news[fresh[k].local].type;
      const double score = likeness(gone[i], fresh[k], same_type);
      if (score > 0.4) pairs.push_back({score, i, k});
    }
  }
  std::ranges::stable_sort(pairs, std::greater(), &Pair::score);
  std::vector<bool> gone_taken(gone.size());
  std::vector<bool> fresh_taken(fresh.size());
  for (const Pair& pair : pairs) {
    if (gone_taken[pair.gone] || fresh_taken[pair.fresh]) continue;
    gone_taken[pair.gone] = fresh_taken[pair.fresh] = true;
    result[fresh[pair.fresh].local] = words.number(olds[gone[pair.gone].local].name);
  }
  return result;
}

}  // namespace heddle
