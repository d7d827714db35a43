// Faults in the use of lock_guard and its kind.
#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "mutator.h"

namespace heddle::bench {
namespace {

constexpr std::array<std::string_view, 4> kGuards{"lock_guard", "unique_lock", "scoped_lock", "shared_lock"};
// A lock after one of these is never taken.
constexpr std::array<std::string_view, 5> kLeaving{"return", "throw", "break", "continue", "goto"};

template <size_t Size>
bool is_one_of(std::string_view word, const std::array<std::string_view, Size>& words) {
  return std::ranges::find(words, word) != words.end();
}

// `const std::lock_guard<std::mutex> lock(mutex_);`
struct Guard {
  uint32_t begin = 0;
  uint32_t name = 0;
  uint32_t open = 0;
  uint32_t close = 0;
  uint32_t end = 0;  // the semicolon
};

uint32_t after_template_arguments(const SourceText& source, uint32_t token) {
  if (source[token] != "<") return token;
  int depth = 0;
  for (; token < source.size() && source[token] != ";"; ++token) {
    if (source[token] == "<") ++depth;
    if (source[token] == ">") --depth;
    if (source[token] == ">>") depth -= 2;
    if (depth <= 0) return token + 1;
  }
  return kNoToken;
}

std::optional<Guard> guard_at(const SourceText& source, uint32_t token) {
  if (!is_one_of(source[token], kGuards)) return std::nullopt;
  Guard guard{.begin = token};
  guard.name = after_template_arguments(source, token + 1);
  if (guard.name == kNoToken || !source.at(guard.name).is_identifier()) return std::nullopt;
  guard.open = guard.name + 1;
  if ((source[guard.open] != "(" && source[guard.open] != "{") || source.at(guard.open).match == kNoToken)
    return std::nullopt;
  guard.close = source.at(guard.open).match;
  guard.end = guard.close + 1;
  if (source[guard.end] != ";") return std::nullopt;
  if (guard.begin >= 2 && source[guard.begin - 1] == "::") guard.begin -= 2;
  if (guard.begin >= 1 && source[guard.begin - 1] == "const") --guard.begin;
  if (!source.begins_statement(guard.begin)) return std::nullopt;
  return guard;
}

bool uses(const SourceText& source, std::string_view name, uint32_t first, uint32_t last) {
  for (uint32_t token = first; token <= last && token < source.size(); ++token) {
    const bool is_member = token > 0 && (source[token - 1] == "." || source[token - 1] == "->");
    if (source[token] == name && source.at(token).is_identifier() && !is_member) return true;
  }
  return false;
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
