// Faults in the use of lock_guard and its kind.
#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "lock_guards.h"
#include "mutator.h"

namespace heddle::bench {
namespace {

// A lock after one of these is never taken.
constexpr std::array<std::string_view, 5> kLeaving{"return", "throw", "break", "continue", "goto"};

template <size_t Size>
bool is_one_of(std::string_view word, const std::array<std::string_view, Size>& words) {
  return std::ranges::find(words, word) != words.end();
}

class GuardMutator {
 public:
  GuardMutator(const SourceText& source, const Guard& guard, const SourceFunction& function)
      : source_(source),
        guard_(guard),
        lines_(source.lines_of(function)),
        declaration_(source.between(guard.begin, guard.end)),
        name_(source[guard.name]) {}

  std::vector<Mutant> run() {
    remove();
    narrow();
    take_other();
    return std::move(mutants_);
  }

 private:
  void remove() {
    const uint32_t end = source_.end_of_block(guard_.end + 1);
    if (end == kNoToken || uses(source_, name_, guard_.end + 1, end)) return;
    add(MutantKind::kLockRemoved, {without_it()});
  }

  // What comes next is done before the lock is taken. If nothing is left to be done under it, that would be
  // the same as to remove it.
  void narrow() {
    const uint32_t next = guard_.end + 1;
    if (is_one_of(source_[next], kLeaving) || source_[next] == "}") return;
    const uint32_t end = source_.end_of_statement(next);
    if (end == kNoToken || source_[end + 1] == "}" || uses(source_, name_, next, end)) return;
    const size_t after = source_.end_of(end);
    add(MutantKind::kLockNarrowed,
        {without_it(), {after, after, "\n" + source_.indentation_of(guard_.begin) + declaration_}});
  }

  void take_other() {
    if (guard_.close == guard_.open + 1) return;
    for (uint32_t token = guard_.open + 1; token < guard_.close; ++token) {
      if (source_[token] == ",") return;  // several locks, or how to take it
      if (source_.at(token).match != kNoToken) token = source_.at(token).match;
    }
    const std::string mutex(source_.between(guard_.open + 1, guard_.close - 1));
    const size_t begin = source_.begin_of(guard_.begin);
    const std::string other = fmt::format("static std::remove_cvref_t<decltype({})> other_lock;\n{}", mutex,
                                          source_.indentation_of(guard_.begin));
    add(MutantKind::kOtherLock,
        {{begin, begin, other}, source_.replacement(guard_.open + 1, guard_.close - 1, "other_lock")});
  }

  Edit without_it() const { return source_.replacement(guard_.begin, guard_.end, ""); }

  void add(MutantKind kind, std::vector<Edit> edits) {
    mutants_.push_back({kind,
                        source_.file(),
                        source_.at(guard_.begin).line,
                        declaration_,
                        {{source_.file(), edited(source_.text(), std::move(edits))}},
                        {lines_}});
  }

  const SourceText& source_;
  const Guard guard_;
  const LineRange lines_;
  const std::string declaration_;
  const std::string_view name_;
  std::vector<Mutant> mutants_;
};

}  // namespace

std::vector<Mutant> make_lock_mutants(const SourceText& source) {
  std::vector<Mutant> mutants;
  for (uint32_t token = 0; token < source.size(); ++token) {
    const std::optional<Guard> guard = guard_at(source, token);
    const SourceFunction* function = guard ? source.function_around(token) : nullptr;
    if (function == nullptr) continue;
    std::ranges::move(GuardMutator(source, *guard, *function).run(), std::back_inserter(mutants));
  }
  return mutants;
}

}  // namespace heddle::bench
