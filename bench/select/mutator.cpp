#include "mutator.h"

#include <algorithm>
#include <random>

namespace heddle::bench {

const char* to_text(MutantKind kind) {
  switch (kind) {
    case MutantKind::kLockRemoved:
      return "lock removed";
    case MutantKind::kLockNarrowed:
      return "lock narrowed";
    case MutantKind::kOtherLock:
      return "other lock";
    case MutantKind::kNotifyDropped:
      return "notify dropped";
    case MutantKind::kAtomicMadePlain:
      return "atomic made plain";
  }
  return "";
}

std::vector<Mutant> make_mutants(const SourceTexts& texts) {
  std::vector<SourceText> sources;
  for (const auto& [file, text] : texts) sources.emplace_back(file, text);
  std::vector<Mutant> mutants;
  const auto add = [&](std::vector<Mutant> more) { std::ranges::move(more, std::back_inserter(mutants)); };
  for (const SourceText& source : sources) {
    add(make_lock_mutants(source));
    add(make_notify_mutants(source));
  }
  add(make_atomic_mutants(sources));
  return mutants;
}

std::vector<Mutant> make_notify_mutants(const SourceText& source) {
  std::vector<Mutant> mutants;
  for (uint32_t token = 1; token + 3 < source.size(); ++token) {
    if (source[token] != "notify_one" && source[token] != "notify_all") continue;
    if (source[token - 1] != "." && source[token - 1] != "->") continue;
    if (source[token + 1] != "(" || source[token + 2] != ")" || source[token + 3] != ";") continue;
    const SourceFunction* function = source.function_around(token);
    if (function == nullptr) continue;
    const uint32_t begin = source.begin_of_receiver(token);
    // After a condition, something has to stay.
    const bool is_whole = source.begins_statement(begin);
    const Edit edit = source.replacement(begin, is_whole ? token + 3 : token + 2, "");
    mutants.push_back({MutantKind::kNotifyDropped,
                       source.file(),
                       source.at(token).line,
                       std::string(source.between(begin, token + 3)),
                       {{source.file(), edited(source.text(), {edit})}},
                       {source.lines_of(*function)}});
  }
  return mutants;
}

std::vector<Mutant> mixed(std::vector<Mutant> mutants, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::map<MutantKind, std::vector<Mutant>> by_kind;
  for (Mutant& mutant : mutants) by_kind[mutant.kind].push_back(std::move(mutant));
  for (auto& [kind, some] : by_kind)
    for (size_t i = some.size(); i > 1; --i) std::swap(some[i - 1], some[random() % i]);
  std::vector<Mutant> result;
  for (size_t round = 0; result.size() < mutants.size(); ++round)
    for (auto& [kind, some] : by_kind)
      if (round < some.size()) result.push_back(std::move(some[round]));
  return result;
}

}  // namespace heddle::bench
