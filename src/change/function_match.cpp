#include "change/function_match.h"

#include <algorithm>
#include <unordered_map>

namespace heddle {

namespace {

// A statement that stands in more functions than this tells nothing about where one has gone.
constexpr size_t kCommonStatement = 40;
// How alike bodies must be, and how far ahead of the second best.
constexpr double kAlike = 0.6;
constexpr double kAlikeWithName = 0.4;
constexpr double kAhead = 0.05;
constexpr uint32_t kEnoughToTell = 6;

std::string last_part(const std::string& scope) {
  return split_qualified(scope).second;
}

// What stands after the name: "(int) const".
std::string parameters_of(const IndexedFunction& function) {
  return function.source->signature.substr(
      std::min(function.source->name.size(), function.source->signature.size()));
}

class FunctionMatcher {
 public:
  FunctionMatcher(const StatementIndex& before, const StatementIndex& after,
                  const std::map<std::string, std::string>& renamed)
      : before_(before), after_(after), renamed_(renamed) {
    match_.to_after.assign(before.functions.size(), kNone);
    match_.to_before.assign(after.functions.size(), kNone);
  }

  FunctionMatch run() {
    by_signature();
    by_name();
    by_signature_in_another_file();
    by_body();
    by_scope();
    return std::move(match_);
  }

 private:
  const std::string& new_path(const std::string& path) const {
    const auto found = renamed_.find(path);
    return found == renamed_.end() ? path : found->second;
  }
  void pair(uint32_t i, uint32_t k) {
    match_.to_after[i] = k;
    match_.to_before[k] = i;
  }

  void by_signature() {
    for (uint32_t i = 0; i < before_.functions.size(); ++i) {
      const FunctionId& id = before_.functions[i].id;
      const auto found = after_.by_id.find({new_path(id.file), id.signature});
      if (found != after_.by_id.end() && match_.to_before[found->second] == kNone) pair(i, found->second);
    }
  }

  void by_name() {
    std::map<std::pair<std::string, std::string>, std::pair<std::vector<uint32_t>, std::vector<uint32_t>>>
        groups;
    for (uint32_t i = 0; i < before_.functions.size(); ++i) {
      const IndexedFunction& function = before_.functions[i];
      if (match_.to_after[i] == kNone)
        groups[{new_path(function.id.file), function.source->name}].first.push_back(i);
    }
    for (uint32_t k = 0; k < after_.functions.size(); ++k) {
      const IndexedFunction& function = after_.functions[k];
      if (match_.to_before[k] == kNone) groups[{function.id.file, function.source->name}].second.push_back(k);
    }
    for (const auto& [name, group] : groups) {
      const auto& [olds, news] = group;
      if (olds.size() == 1 && news.size() == 1) {
        pair(olds[0], news[0]);
        continue;
      }
      std::vector<Candidate> candidates;
      for (const uint32_t i : olds) {
        for (const uint32_t k : news) candidates.push_back({likeness(i, k), i, k});
      }
      std::ranges::stable_sort(candidates, std::greater(), &Candidate::score);
      for (const Candidate& candidate : candidates) {
        if (candidate.score >= kAlikeWithName && is_free(candidate)) pair(candidate.before, candidate.after);
      }
    }
  }

  void by_signature_in_another_file() {
    std::map<std::string, std::pair<std::vector<uint32_t>, std::vector<uint32_t>>> groups;
    for (uint32_t i = 0; i < before_.functions.size(); ++i) {
      if (match_.to_after[i] == kNone) groups[before_.functions[i].id.signature].first.push_back(i);
    }
    for (uint32_t k = 0; k < after_.functions.size(); ++k) {
      if (match_.to_before[k] == kNone) groups[after_.functions[k].id.signature].second.push_back(k);
    }
    for (const auto& [signature, group] : groups) {
      const auto& [olds, news] = group;
      if (olds.size() == 1 && news.size() == 1 && likeness(olds[0], news[0]) >= kAlikeWithName)
        pair(olds[0], news[0]);
    }
  }

  struct Candidate {
    double score;
    uint32_t before;
    uint32_t after;
  };
  bool is_free(const Candidate& candidate) const {
    return match_.to_after[candidate.before] == kNone && match_.to_before[candidate.after] == kNone;
  }

  // Share of the words that stand in statements of equal shape.
  double likeness(uint32_t i, uint32_t k, uint32_t* common_weight = nullptr) const {
    const IndexedFunction& a = before_.functions[i];
    const IndexedFunction& b = after_.functions[k];
    if (a.weight + b.weight == 0) return 1;
    std::unordered_map<uint64_t, uint32_t> shapes;
    for (const IndexedStatement& statement : a.statements) ++shapes[statement.shape];
    uint32_t common = 0;
    for (const IndexedStatement& statement : b.statements) {
      const auto found = shapes.find(statement.shape);
      if (found == shapes.end() || found->second == 0) continue;
      --found->second;
      common += statement.weight;
    }
    if (common_weight != nullptr) *common_weight = common;
    return 2.0 * common / (a.weight + b.weight);
  }

  void by_body() {
    std::unordered_map<uint64_t, std::vector<uint32_t>>
        places;  // of statements and of names, among what is left
    for (uint32_t k = 0; k < after_.functions.size(); ++k) {
      if (match_.to_before[k] != kNone) continue;
      for (const uint64_t key : keys_of(after_.functions[k])) {
        std::vector<uint32_t>& where = places[key];
        if (where.size() <= kCommonStatement && (where.empty() || where.back() != k)) where.push_back(k);
      }
    }
    std::vector<Candidate> candidates;
    for (uint32_t i = 0; i < before_.functions.size(); ++i) {
      if (match_.to_after[i] != kNone) continue;
      std::vector<uint32_t> others;
      for (const uint64_t key : keys_of(before_.functions[i])) {
        const auto found = places.find(key);
        if (found == places.end() || found->second.size() > kCommonStatement) continue;
        others.insert(others.end(), found->second.begin(), found->second.end());
      }
      std::ranges::sort(others);
      const auto rest = std::ranges::unique(others);
      others.erase(rest.begin(), rest.end());
      for (const uint32_t k : others) {
        if (const double score = score_of(i, k); score > 0) candidates.push_back({score, i, k});
      }
    }
    std::ranges::stable_sort(candidates, std::greater(), &Candidate::score);
    std::unordered_map<uint32_t, std::vector<const Candidate*>> of_old;
    std::unordered_map<uint32_t, std::vector<const Candidate*>> of_new;
    for (const Candidate& candidate : candidates) {
      of_old[candidate.before].push_back(&candidate);
      of_new[candidate.after].push_back(&candidate);
    }
    for (const Candidate& candidate : candidates) {
      if (!is_free(candidate)) continue;
      // Another free candidate that is as good makes it a guess.
      const auto rivals = [&](const Candidate* other) {
        return other != &candidate && other->score > candidate.score - kAhead && is_free(*other);
      };
      if (std::ranges::none_of(of_old[candidate.before], rivals) &&
          std::ranges::none_of(of_new[candidate.after], rivals)) {
        pair(candidate.before, candidate.after);
      }
    }
  }

  std::vector<uint64_t> keys_of(const IndexedFunction& function) const {
    std::vector<uint64_t> keys;
    for (const IndexedStatement& statement : function.statements) {
      if (statement.weight > 1) keys.push_back(statement.shape);
    }
    keys.push_back(mix(std::hash<std::string>()(function.plain), 3));
    return keys;
  }

  double score_of(uint32_t i, uint32_t k) const {
    const IndexedFunction& a = before_.functions[i];
    const IndexedFunction& b = after_.functions[k];
    uint32_t common = 0;
    const double alike = likeness(i, k, &common);
    const bool same_name = a.plain == b.plain;
    const bool enough = common >= kEnoughToTell ? alike >= (same_name ? kAlikeWithName : kAlike)
                                                : same_name && alike >= 0.999 && common > 0;
    if (!enough) return 0;
    double score = alike;
    if (same_name) score += 0.3;
    if (parameters_of(a) == parameters_of(b)) score += 0.1;
    if (a.scope == b.scope) score += 0.1;
    if (last_part(a.scope) == last_part(b.scope)) score += 0.1;
    if (new_path(a.id.file) == b.id.file) score += 0.1;
    return score;
  }

  // Scopes that were renamed, by most votes of the functions in them; then the rest of their functions.
  void by_scope() {
    std::map<std::string, std::map<std::string, uint32_t>> votes;
    for (uint32_t i = 0; i < before_.functions.size(); ++i) {
      if (match_.to_after[i] == kNone) continue;
      ++votes[before_.functions[i].scope][after_.functions[match_.to_after[i]].scope];
    }
    for (const auto& [scope, targets] : votes) {
      const auto best =
          std::ranges::max_element(targets, {}, [](const auto& target) { return target.second; });
      if (best->first != scope) match_.scopes[scope] = best->first;
    }
    std::map<std::pair<std::string, std::string>, uint32_t> left;  // scope, name and parameters
    for (uint32_t k = 0; k < after_.functions.size(); ++k) {
      const IndexedFunction& function = after_.functions[k];
      if (match_.to_before[k] == kNone)
        left.emplace(std::pair{function.scope, function.plain + parameters_of(function)}, k);
    }
    for (uint32_t i = 0; i < before_.functions.size(); ++i) {
      const IndexedFunction& function = before_.functions[i];
      const auto scope = match_.scopes.find(function.scope);
      if (match_.to_after[i] != kNone || scope == match_.scopes.end()) continue;
      std::string plain = function.plain;
      const std::string old_class = last_part(function.scope);
      if (plain == old_class) plain = last_part(scope->second);
      if (plain == "~" + old_class) plain = "~" + last_part(scope->second);
      const auto found = left.find({scope->second, plain + parameters_of(function)});
      if (found != left.end() && match_.to_before[found->second] == kNone) pair(i, found->second);
    }
  }

  const StatementIndex& before_;
  const StatementIndex& after_;
  const std::map<std::string, std::string>& renamed_;
  FunctionMatch match_;
};

}  // namespace

FunctionMatch match_functions(const StatementIndex& before, const StatementIndex& after,
                              const std::map<std::string, std::string>& renamed_files) {
  return FunctionMatcher(before, after, renamed_files).run();
}

}  // namespace heddle
