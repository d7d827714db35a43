#include "change/statement_align.h"

#include <algorithm>
#include <map>

#include "change/local_match.h"
#include "change/sequence_align.h"

namespace heddle {

namespace {

// Beyond this many cells a stretch is cut at anchors, or paired greedily: a function of 2,000 lines that has
// changed everywhere.
constexpr size_t kMaxCells = 4'000'000;
constexpr size_t kMaxGapCells = 40'000;

struct Side {
  const IndexedFunction* function;
  std::vector<std::vector<uint32_t>> words;  // per statement, under the old names
  std::vector<uint64_t> keys;                // of those
  std::vector<uint64_t> contexts;            // of the conditions around
  std::vector<uint64_t> insides;             // of all that is under it
};

// The condition of a `do` stands after its body, so that parents are followed each time; no code is nested
// deeper.
constexpr uint32_t kMaxConditions = 300;

uint64_t context_of(const Side& side, uint32_t statement) {
  uint64_t hash = 17;
  for (uint32_t steps = 0; steps < kMaxConditions; ++steps) {
    const SourceStatement& source = *side.function->statements[statement].source;
    if (source.parent == kNone) break;
    hash = mix(hash, side.keys[source.parent] * 2 + (source.otherwise ? 1 : 0));
    statement = source.parent;
  }
  return hash;
}

void hash_insides(Side& side) {
  side.insides.assign(side.keys.size(), 5);
  for (uint32_t i = 0; i < side.keys.size(); ++i) {
    const SourceStatement* source = side.function->statements[i].source;
    for (uint32_t steps = 0; source->parent != kNone && steps < kMaxConditions; ++steps) {
      uint64_t& inside = side.insides[source->parent];
      inside = mix(inside, side.keys[i] * 2 + (source->otherwise ? 1 : 0));
      source = side.function->statements[source->parent].source;
    }
  }
}

class Aligner {
 public:
  Aligner(const IndexedFunction& before, const IndexedFunction& after, const RenamedWords& renamed,
          WordTable& words)
      : words_(words), renamed_(renamed), names_(old_names_of_locals(before, after, words)) {
    prepare(before_, before, nullptr, {});
    prepare(after_, after, &names_, renamed);
    to_after_.assign(before.statements.size(), kNone);
    to_before_.assign(after.statements.size(), kNone);
    moved_.assign(after.statements.size(), false);
  }

  Alignment run() {
    pair_equal(0, size(before_), 0, size(after_));
    pair_gaps();
    pair_moved_within();
    match_locals();
    Alignment result;
    for (uint32_t k = 0; k < size(after_); ++k) {
      if (to_before_[k] != kNone) result.pairs.push_back(judge(to_before_[k], k));
    }
    result.old_local = old_local_;
    return result;
  }

  // Only equal statements out of those listed.
  std::vector<StatementPair> run_moved(const std::vector<uint32_t>& olds, const std::vector<uint32_t>& news) {
    std::vector<StatementPair> result;
    if (olds.size() * news.size() > kMaxCells) return result;
    uint32_t weight = 0;
    const auto score = [&](uint32_t i, uint32_t k) {
      const bool equal = before_.keys[olds[i]] == after_.keys[news[k]];
      return equal ? static_cast<int32_t>(before_.function->statements[olds[i]].weight) + 1 : 0;
    };
    for (const auto& [i, k] :
         best_pairing(static_cast<uint32_t>(olds.size()), static_cast<uint32_t>(news.size()), score)) {
      weight += before_.function->statements[olds[i]].weight;
      result.push_back({olds[i], news[k], false, ""});
    }
    constexpr uint32_t kEnoughWeight = 5;
    if (weight < kEnoughWeight) result.clear();
    return result;
  }

 private:
  static uint32_t size(const Side& side) { return static_cast<uint32_t>(side.keys.size()); }
  const SourceStatement& old_source(uint32_t i) const { return *before_.function->statements[i].source; }
  const SourceStatement& new_source(uint32_t k) const { return *after_.function->statements[k].source; }

  void prepare(Side& side, const IndexedFunction& function, const std::vector<uint32_t>* names,
               const RenamedWords& renamed) {
    side.function = &function;
    for (const IndexedStatement& statement : function.statements) {
      std::vector<uint32_t> canonical;
      uint64_t hash = static_cast<uint64_t>(statement.source->kind) + 11;
      for (const Word& word : statement.words) {
        uint32_t text = word.text;
        if (word.local != 0 && names != nullptr) {
          text = (*names)[word.local - 1];
        } else if (const auto found = renamed.find(text); word.local == 0 && found != renamed.end()) {
          text = found->second;
        }
        canonical.push_back(text);
        hash = mix(hash, text * 2 + (word.local != 0 ? 1 : 0));
      }
      side.words.push_back(std::move(canonical));
      side.keys.push_back(hash);
    }
    for (uint32_t i = 0; i < side.keys.size(); ++i) side.contexts.push_back(context_of(side, i));
    hash_insides(side);
  }

  bool same_place(uint32_t i, uint32_t k) const {
    return before_.keys[i] == after_.keys[k] && before_.contexts[i] == after_.contexts[k] &&
           before_.insides[i] == after_.insides[k];
  }
  // Under the same condition but on the other side of its `else`.
  bool other_branch(uint32_t i, uint32_t k) const {
    const SourceStatement& a = old_source(i);
    const SourceStatement& b = new_source(k);
    return a.parent != kNone && b.parent != kNone && before_.keys[a.parent] == after_.keys[b.parent] &&
           a.otherwise != b.otherwise;
  }
  void pair(uint32_t i, uint32_t k) {
    to_after_[i] = k;
    to_before_[k] = i;
  }

  int32_t equal_score(uint32_t i, uint32_t k, uint32_t first_old, uint32_t first_new) const {
    if (before_.keys[i] != after_.keys[k] || other_branch(i, k)) return 0;
    const bool scope_end = old_source(i).kind == StatementKind::kScopeEnd;
    int32_t score = scope_end ? 4 : before_.function->statements[i].weight <= 1 ? 12 : 20;
    if (before_.contexts[i] == after_.contexts[k]) score += 6;
    if (before_.insides[i] == after_.insides[k]) score += 4;
    if (i > first_old && k > first_new && before_.keys[i - 1] == after_.keys[k - 1]) ++score;
    if (i + 1 < size(before_) && k + 1 < size(after_) && before_.keys[i + 1] == after_.keys[k + 1]) ++score;
    return score;
  }

  // The main step: equal statements of two stretches.
  void pair_equal(uint32_t i, uint32_t i_end, uint32_t k, uint32_t k_end) {
    while (i < i_end && k < k_end && same_place(i, k)) pair(i++, k++);
    while (i < i_end && k < k_end && same_place(i_end - 1, k_end - 1)) pair(--i_end, --k_end);
    if (i == i_end || k == k_end) return;
    if (size_t{i_end - i} * (k_end - k) <= kMaxCells) {
      for (const auto& [a, b] : best_pairing(i_end - i, k_end - k, [&](uint32_t a, uint32_t b) {
             return equal_score(i + a, k + b, i, k);
           })) {
        pair(i + a, k + b);
      }
      return;
    }
    const std::vector<uint64_t> first(before_.keys.begin() + i, before_.keys.begin() + i_end);
    const std::vector<uint64_t> second(after_.keys.begin() + k, after_.keys.begin() + k_end);
    const auto anchors = unique_anchors(first, second);
    if (anchors.empty()) {
      pair_greedily(i, i_end, k, k_end);
      return;
    }
    uint32_t from_i = i;
    uint32_t from_k = k;
    for (const auto& [a, b] : anchors) {
      if (i + a > from_i && k + b > from_k) pair_equal(from_i, i + a, from_k, k + b);
      pair(i + a, k + b);
      from_i = i + a + 1;
      from_k = k + b + 1;
    }
    pair_equal(from_i, i_end, from_k, k_end);
  }

  void pair_greedily(uint32_t i, uint32_t i_end, uint32_t k, uint32_t k_end) {
    std::unordered_map<uint64_t, std::vector<uint32_t>> places;
    for (uint32_t b = k_end; b-- > k;) places[mix(after_.keys[b], after_.contexts[b])].push_back(b);
    uint32_t from = k;
    for (; i < i_end; ++i) {
      const auto found = places.find(mix(before_.keys[i], before_.contexts[i]));
      if (found == places.end()) continue;
      while (!found->second.empty() && found->second.back() < from) found->second.pop_back();
      if (found->second.empty() || found->second.back() - from > 200) continue;
      from = found->second.back() + 1;
      pair(i, from - 1);
    }
  }

  // From 0 to 100.
  int32_t likeness(uint32_t i, uint32_t k) const {
    const SourceStatement& a = old_source(i);
    const SourceStatement& b = new_source(k);
    if (a.kind != b.kind || a.kind == StatementKind::kScopeEnd) return 0;
    std::vector<uint32_t> first = telling_words(before_.words[i]);
    std::vector<uint32_t> second = telling_words(after_.words[k]);
    if (first.empty() || second.empty()) return 0;
    std::ranges::sort(first);
    std::ranges::sort(second);
    std::vector<uint32_t> common;
    std::ranges::set_intersection(first, second, std::back_inserter(common));
    return static_cast<int32_t>(200 * common.size() / (first.size() + second.size()));
  }
  std::vector<uint32_t> telling_words(const std::vector<uint32_t>& all) const {
    std::vector<uint32_t> result;
    for (const uint32_t word : all) {
      if (!words_.is_layout(word)) result.push_back(word);
    }
    return result;
  }

  // Conditions around two statements that may be one another: those that are paired must be around both.
  bool may_be_modified(uint32_t i, uint32_t k) const {
    const uint32_t a = old_source(i).parent;
    const uint32_t b = new_source(k).parent;
    if (a != kNone && b != kNone && to_after_[a] == b)
      return old_source(i).otherwise == new_source(k).otherwise;
    const bool a_open = a == kNone || to_after_[a] == kNone;
    const bool b_open = b == kNone || to_before_[b] == kNone;
    return a_open && b_open;
  }

  void pair_gaps() {
    uint32_t i = 0;
    uint32_t k = 0;
    while (i < size(before_) || k < size(after_)) {
      uint32_t i_end = i;
      uint32_t k_end = k;
      while (i_end < size(before_) && to_after_[i_end] == kNone) ++i_end;
      while (k_end < size(after_) && to_before_[k_end] == kNone) ++k_end;
      pair_gap(i, i_end, k, k_end);
      i = i_end + 1;
      k = k_end + 1;
    }
  }
  void pair_gap(uint32_t i, uint32_t i_end, uint32_t k, uint32_t k_end) {
    if (i == i_end || k == k_end || size_t{i_end - i} * (k_end - k) > kMaxGapCells) return;
    const bool alone = i_end - i == 1 && k_end - k == 1;
    // Outer conditions first: what they enclose follows them.
    for (const bool conditions : {true, false}) {
      const auto pairs = best_pairing(i_end - i, k_end - k, [&](uint32_t a, uint32_t b) -> int32_t {
        if ((old_source(i + a).kind == StatementKind::kCondition) != conditions) return 0;
        if (to_after_[i + a] != kNone || to_before_[k + b] != kNone || !may_be_modified(i + a, k + b))
          return 0;
        const int32_t alike = likeness(i + a, k + b);
        return alike >= (alone ? 30 : 50) ? alike - 20 : 0;
      });
      for (const auto& [a, b] : pairs) pair(i + a, k + b);
    }
  }

  // What is left over and unique on both sides has been moved.
  void pair_moved_within() {
    struct Left {
      uint32_t count = 0, statement = 0;
    };
    std::map<uint64_t, std::pair<Left, Left>> left;
    for (uint32_t i = 0; i < size(before_); ++i) {
      if (to_after_[i] == kNone) left[before_.keys[i]].first = {left[before_.keys[i]].first.count + 1, i};
    }
    for (uint32_t k = 0; k < size(after_); ++k) {
      if (to_before_[k] == kNone) left[after_.keys[k]].second = {left[after_.keys[k]].second.count + 1, k};
    }
    for (const auto& [key, both] : left) {
      if (both.first.count != 1 || both.second.count != 1) continue;
      const uint32_t i = both.first.statement;
      if (old_source(i).kind == StatementKind::kScopeEnd || before_.function->statements[i].weight < 2)
        continue;
      pair(i, both.second.statement);
      moved_[both.second.statement] = true;
    }
  }

  // Callers pass parameters by their place; only if there are others now does the name tell more.
  static bool same_parameters(const std::vector<SourceLocal>& olds, const std::vector<SourceLocal>& news) {
    for (size_t i = 0; i < olds.size() || i < news.size(); ++i) {
      const bool old_one = i < olds.size() && olds[i].declared_by == kNone;
      const bool new_one = i < news.size() && news[i].declared_by == kNone;
      if (!old_one && !new_one) break;
      if (old_one != new_one || olds[i].type != news[i].type) return false;
    }
    return true;
  }

  // Locals are the same if what declares them is, and then by name or place.
  void match_locals() {
    const std::vector<SourceLocal>& olds = before_.function->source->locals;
    const std::vector<SourceLocal>& news = after_.function->source->locals;
    const bool parameters_by_place = same_parameters(olds, news);
    old_local_.assign(news.size(), 0);
    std::vector<bool> taken(olds.size());
    std::map<uint32_t, std::vector<uint32_t>> declared;  // by statement of the old version
    for (uint32_t o = 0; o < olds.size(); ++o) declared[olds[o].declared_by].push_back(o);
    for (const bool by_name : {true, false}) {
      std::map<uint32_t, uint32_t> place;  // among those of its statement
      for (uint32_t n = 0; n < news.size(); ++n) {
        const uint32_t statement = news[n].declared_by;
        const uint32_t order = place[statement]++;
        if (old_local_[n] != 0 || (by_name && statement == kNone && parameters_by_place)) continue;
        const uint32_t old_statement = statement == kNone ? kNone : to_before_[statement];
        if (statement != kNone && old_statement == kNone) continue;
        const auto found = declared.find(old_statement);
        if (found == declared.end()) continue;
        for (uint32_t position = 0; position < found->second.size(); ++position) {
          const uint32_t o = found->second[position];
          const bool fits = by_name ? words_.number(olds[o].name) == names_[n] : position == order;
          if (taken[o] || !fits) continue;
          taken[o] = true;
          old_local_[n] = o + 1;
          break;
        }
      }
    }
  }

  StatementPair judge(uint32_t i, uint32_t k) const {
    StatementPair result{i, k, false, ""};
    const std::vector<Word>& a = before_.function->statements[i].words;
    const std::vector<Word>& b = after_.function->statements[k].words;
    if (a.size() != b.size()) {
      result.modified = true;
      return result;
    }
    for (size_t w = 0; w < a.size(); ++w) {
      const bool locals = a[w].local != 0 && b[w].local != 0;
      if (locals && old_local_[b[w].local - 1] == a[w].local) continue;
      if (locals && old_local_[b[w].local - 1] == 0 && a[w].text == b[w].text) continue;
      if (!locals && a[w].text == old_word(b[w]) && a[w].local == b[w].local) continue;
      result.modified = true;
      if (a[w].text == b[w].text) {
        result.because = std::string(words_.word(b[w].text)) + " is another variable";
      }
      return result;
    }
    if (old_source(i).compiled_if != new_source(k).compiled_if) {
      result.modified = true;
      result.because = change_of_condition(old_source(i).compiled_if, new_source(k).compiled_if);
    } else if (moved_[k]) {
      result.modified = true;
      result.because = "was moved within the function";
    } else if (old_source(i).kind != StatementKind::kScopeEnd && !same_conditions(i, k)) {
      result.modified = true;
      result.because = "is under other conditions";
    }
    return result;
  }

  uint32_t old_word(const Word& word) const {
    const auto found = word.local == 0 ? renamed_.find(word.text) : renamed_.end();
    return found == renamed_.end() ? word.text : found->second;
  }

  // Every condition around the one that has a partner must be around the other, on the same side of its
  // `else`. Conditions that were added or removed are changes of their own.
  bool same_conditions(uint32_t i, uint32_t k) const {
    std::vector<std::pair<uint32_t, bool>> around_old;
    std::vector<std::pair<uint32_t, bool>> around_new;
    for (uint32_t s = i; old_source(s).parent != kNone && around_old.size() < kMaxConditions;
         s = old_source(s).parent) {
      const uint32_t partner = to_after_[old_source(s).parent];
      if (partner != kNone) around_old.emplace_back(partner, old_source(s).otherwise);
    }
    for (uint32_t s = k; new_source(s).parent != kNone && around_new.size() < kMaxConditions;
         s = new_source(s).parent) {
      if (to_before_[new_source(s).parent] != kNone)
        around_new.emplace_back(new_source(s).parent, new_source(s).otherwise);
    }
    return around_old == around_new;
  }

  WordTable& words_;
  const RenamedWords& renamed_;
  std::vector<uint32_t> names_;  // per local of the new version
  Side before_;
  Side after_;
  std::vector<uint32_t> to_after_;
  std::vector<uint32_t> to_before_;
  std::vector<uint32_t> old_local_;
  std::vector<bool> moved_;
};

}  // namespace

Alignment align_statements(const IndexedFunction& before, const IndexedFunction& after,
                           const RenamedWords& renamed, WordTable& words) {
  return Aligner(before, after, renamed, words).run();
}

std::vector<StatementPair> align_moved(const IndexedFunction& before,
                                       const std::vector<uint32_t>& before_left, const IndexedFunction& after,
                                       const std::vector<uint32_t>& after_left, WordTable& words) {
  return Aligner(before, after, {}, words).run_moved(before_left, after_left);
}

}  // namespace heddle
