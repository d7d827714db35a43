#include "risky_changes.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include <fmt/format.h>

#include "lock_guards.h"

namespace heddle::bench {
namespace {

RiskyKind kind_of(MutantKind kind) {
  switch (kind) {
    case MutantKind::kLockRemoved:
      return RiskyKind::kLockRemoved;
    case MutantKind::kLockNarrowed:
      return RiskyKind::kLockNarrowed;
    case MutantKind::kOtherLock:
      return RiskyKind::kLockReplaced;
    case MutantKind::kNotifyDropped:
      return RiskyKind::kNotifyRemoved;
    case MutantKind::kAtomicMadePlain:
      break;
  }
  return RiskyKind::kAtomicMadePlain;
}

bool is_test(const std::string& file) {
  return file == "test.cpp" || file.starts_with("tests/");
}

std::string_view last_name(std::string_view qualified) {
  const size_t colons = qualified.rfind("::");
  return colons == std::string_view::npos ? qualified : qualified.substr(colons + 2);
}

std::string_view scope_of(std::string_view qualified) {
  const size_t colons = qualified.rfind("::");
  return colons == std::string_view::npos ? std::string_view() : qualified.substr(0, colons);
}

// What the files declare together.
struct Declared {
  std::set<std::string, std::less<>> fields;
  std::set<std::string, std::less<>> atomics;
  std::vector<std::pair<std::string, std::string>> conditions;  // class and name

  explicit Declared(const std::vector<SourceText>& sources) {
    for (const SourceText& source : sources) {
      for (const SourceDeclaration& declared : source.parsed().declarations) {
        if (declared.kind != DeclarationKind::kField) continue;
        const std::string name(last_name(declared.name));
        fields.insert(name);
        if (declared.type.find("atomic<") != std::string::npos) atomics.insert(name);
        if (declared.type.find("condition_variable") != std::string::npos)
          conditions.emplace_back(scope_of(declared.name), name);
      }
    }
  }
};

class SourceChanger {
 public:
  SourceChanger(const SourceText& source, const Declared& declared) : source_(source), declared_(declared) {}

  std::vector<RiskyChange> run() {
    for (uint32_t token = 0; token < source_.size(); ++token) {
      if (source_.function_around(token) == nullptr) continue;
      move_join(token);
      if (is_test(source_.file())) continue;
      if (const std::optional<Guard> guard = guard_at(source_, token)) change_section(*guard);
      weaken_notify(token);
      weaken_order(token);
    }
    if (!is_test(source_.file())) add_notifies();
    return std::move(changes_);
  }

 private:
  void add(RiskyKind kind, uint32_t token, std::string what, std::vector<Edit> edits) {
    const SourceFunction* function = source_.function_around(token);
    Mutant mutant{MutantKind::kLockRemoved,
                  source_.file(),
                  source_.at(token).line,
                  std::move(what),
                  {{source_.file(), edited(source_.text(), std::move(edits))}},
                  {}};
    if (function != nullptr) mutant.functions.push_back(source_.lines_of(*function));
    changes_.push_back({kind, std::move(mutant)});
  }

  // First tokens of the statements that follow in the same block.
  std::vector<uint32_t> statements_after(uint32_t semicolon) const {
    std::vector<uint32_t> result;
    for (uint32_t token = semicolon + 1; token < source_.size() && source_[token] != "}";) {
      const uint32_t end = source_.end_of_statement(token);
      if (end == kNoToken) break;
      result.push_back(token);
      token = end + 1;
    }
    return result;
  }

  void change_section(const Guard& guard) {
    const std::vector<uint32_t> statements = statements_after(guard.end);
    split(guard, statements);
    swap_order(guard, statements);
    move_checks_out(guard, statements);
    cache_reads(guard);
  }

  bool has_one_lock(const Guard& guard) const {
    for (uint32_t token = guard.open + 1; token < guard.close; ++token)
      if (source_[token] == ",") return false;
    return guard.close > guard.open + 1;
  }

  // As a variable that can be let go.
  Edit made_flexible(const Guard& guard) const {
    for (uint32_t token = guard.begin; token < guard.name; ++token)
      if (source_[token] == "unique_lock" || source_[token] == "shared_lock")
        return {source_.begin_of(guard.begin), source_.begin_of(guard.begin), ""};
    return source_.replacement(guard.begin, guard.name,
                               fmt::format("std::unique_lock {}", source_[guard.name]));
  }

  void split(const Guard& guard, const std::vector<uint32_t>& statements) {
    if (!has_one_lock(guard)) return;
    for (size_t i = 1; i < statements.size(); ++i) {
      const size_t begin = source_.begin_of(statements[i]);
      add(RiskyKind::kLockSplit, statements[i], fmt::format("before `{}`", first_line(statements[i])),
          {made_flexible(guard),
           {begin, begin, fmt::format("{0}.unlock(); {0}.lock(); ", source_[guard.name])}});
    }
  }

  void swap_order(const Guard& guard, const std::vector<uint32_t>& statements) {
    const std::string declaration(source_.between(guard.begin, guard.end));
    for (const uint32_t statement : statements) {
      for (uint32_t token = statement; token < statement + 4; ++token) {
        const std::optional<Guard> other = guard_at(source_, token);
        if (!other || other->begin != statement) continue;
        add(RiskyKind::kLockOrderSwapped, statement, declaration,
            {source_.replacement(guard.begin, guard.end,
                                 std::string(source_.between(other->begin, other->end))),
             source_.replacement(other->begin, other->end, declaration)});
        break;
      }
    }
    swap_order_of_several(guard);
  }

  // scoped_lock takes several so that no order matters; one after the other, it does.
  void swap_order_of_several(const Guard& guard) {
    std::vector<std::string> locks;
    uint32_t begin = guard.open + 1;
    for (uint32_t token = begin; token <= guard.close; ++token) {
      if (source_.at(token).match != kNoToken && source_.at(token).match > token)
        token = source_.at(token).match;
      if (source_[token] != "," && token != guard.close) continue;
      if (token > begin) locks.emplace_back(source_.between(begin, token - 1));
      begin = token + 1;
    }
    bool is_scoped = false;
    for (uint32_t token = guard.begin; token < guard.name; ++token)
      is_scoped |= source_[token] == "scoped_lock";
    if (!is_scoped || locks.size() != 2) return;
    for (const bool is_reversed : {false, true})
      add(RiskyKind::kLockOrderSwapped, guard.begin, std::string(source_.between(guard.begin, guard.end)),
          {source_.replacement(
              guard.begin, guard.end,
              fmt::format("const std::lock_guard first_lock({}); const std::lock_guard second_lock({});",
                          locks[is_reversed ? 1 : 0], locks[is_reversed ? 0 : 1]))});
  }

  void move_checks_out(const Guard& guard, const std::vector<uint32_t>& statements) {
    for (const uint32_t statement : statements) {
      const uint32_t open = statement + 1;
      if (source_[statement] != "if" || source_[open] != "(" || source_.at(open).match == kNoToken) continue;
      const uint32_t close = source_.at(open).match;
      const std::string condition(source_.between(open + 1, close - 1));
      if (condition.find(';') != std::string::npos) continue;
      const size_t begin = source_.begin_of(guard.begin);
      add(RiskyKind::kCheckMovedOut, statement, condition,
          {{begin, begin,
            fmt::format("const bool was_checked = static_cast<bool>({});\n{}", condition,
                        source_.indentation_of(guard.begin))},
           source_.replacement(open + 1, close - 1, "was_checked")});
    }
  }

  // A field that is read under the lock, and not at once changed.
  void cache_reads(const Guard& guard) {
    static const std::set<std::string_view> kNotRead{
        ".", "->", "[", "(", "=", "+=", "-=", "++", "--", "|=", "&=", "::", "{"};
    static const std::set<std::string_view> kNotAfter{".", "->", "++", "--", "&", "::"};
    const uint32_t end = source_.end_of_block(guard.end + 1);
    if (end == kNoToken) return;
    std::set<std::string_view> done;
    for (uint32_t token = guard.end + 1; token < end; ++token) {
      const std::string_view name = source_[token];
      if (!source_.at(token).is_identifier() || !declared_.fields.contains(name) || done.contains(name))
        continue;
      if (kNotRead.contains(source_[token + 1]) || kNotAfter.contains(source_[token - 1])) continue;
      done.insert(name);
      const size_t begin = source_.begin_of(guard.begin);
      add(RiskyKind::kReadCached, token, std::string(name),
          {{begin, begin,
            fmt::format("const auto was_read = {};\n{}", name, source_.indentation_of(guard.begin))},
           source_.replacement(token, token, "was_read")});
    }
  }

  void weaken_notify(uint32_t token) {
    if (source_[token] == "notify_all" && source_[token + 1] == "(")
      add(RiskyKind::kNotifyRemoved, token, "notify_all", {source_.replacement(token, token, "notify_one")});
  }

  void weaken_order(uint32_t token) {
    static const std::set<std::string_view> kOrders{"memory_order_acquire", "memory_order_release",
                                                    "memory_order_acq_rel", "memory_order_seq_cst"};
    static const std::set<std::string_view> kOperations{"load",      "store",    "exchange", "fetch_add",
                                                        "fetch_sub", "fetch_or", "fetch_and"};
    if (kOrders.contains(source_[token]))
      add(RiskyKind::kOrderWeakened, token, std::string(source_[token]),
          {source_.replacement(token, token, "memory_order_relaxed")});
    if (!declared_.atomics.contains(source_[token]) || source_[token + 1] != "." ||
        !kOperations.contains(source_[token + 2]) || source_[token + 3] != "(")
      return;
    const uint32_t close = source_.at(token + 3).match;
    if (close == kNoToken) return;
    const std::string arguments(source_.between(token + 4, close - 1));
    if (arguments.find("memory_order") != std::string::npos) return;
    const size_t at = source_.begin_of(close);
    add(RiskyKind::kOrderWeakened, token, std::string(source_.between(token, close)),
        {{at, at, arguments.empty() ? "std::memory_order_relaxed" : ", std::memory_order_relaxed"}});
  }

  // `thread.join();`, or the loop around it.
  void move_join(uint32_t token) {
    if (source_[token] != "join" || (source_[token - 1] != "." && source_[token - 1] != "->")) return;
    if (source_[token + 1] != "(" || source_[token + 2] != ")" || source_[token + 3] != ";") return;
    const uint32_t end = token + 3;
    uint32_t begin = source_.begin_of_receiver(token);
    if (!source_.begins_statement(begin)) {
      while (begin > 0 && !source_.begins_statement(begin)) --begin;
      if (source_[begin] != "for" || source_.end_of_statement(begin) != end) return;
    }
    const std::string text(source_.between(begin, end));
    // Where the block's statements begin.
    const std::vector<uint32_t> after = statements_after(end);
    if (!after.empty()) {
      uint32_t last = after.back();
      const bool is_return = source_[last] == "return";
      const uint32_t last_end = source_.end_of_statement(last);
      const size_t at = is_return ? source_.begin_of(last) : source_.end_of(last_end);
      if (!is_return || after.size() > 1)
        add(RiskyKind::kJoinMoved, begin, text + " to the end",
            {source_.replacement(begin, end, ""), {at, at, " " + text + " "}});
      const uint32_t next_end = source_.end_of_statement(after.front());
      if (after.size() > 1)
        add(RiskyKind::kJoinMoved, begin, text + " down",
            {source_.replacement(begin, end, ""),
             {source_.end_of(next_end), source_.end_of(next_end), " " + text}});
    }
  }

  void add_notifies() {
    for (const SourceFunction& function : source_.parsed().functions) {
      const std::string_view scope =
          scope_of(std::string_view(function.name).substr(0, function.name.find('(')));
      for (const auto& [of, condition] : declared_.conditions) {
        if (scope.empty() || (scope != of && !std::string_view(of).ends_with(fmt::format("::{}", scope))))
          continue;
        const uint32_t body = body_of(function);
        if (body == kNoToken) continue;
        const size_t at = source_.end_of(body);
        for (const char* call : {"notify_one", "notify_all"})
          add(RiskyKind::kNotifyAdded, body, fmt::format("{}.{}() in {}", condition, call, function.name),
              {{at, at, fmt::format(" {}.{}();", condition, call)}});
      }
    }
  }

  uint32_t body_of(const SourceFunction& function) const {
    for (uint32_t token = 0; token < source_.size(); ++token)
      if (source_[token] == "{" && source_.at(token).match != kNoToken &&
          source_.function_around(token) == &function &&
          source_.at(source_.at(token).match).line == function.range.last_line &&
          source_.at(source_.at(token).match).column == function.range.last_column)
        return token;
    return kNoToken;
  }

  std::string first_line(uint32_t token) const {
    const std::string_view text = source_.text().substr(source_.begin_of(token));
    return std::string(text.substr(0, std::min<size_t>(text.find('\n'), 60)));
  }

  const SourceText& source_;
  const Declared& declared_;
  std::vector<RiskyChange> changes_;
};

}  // namespace

const char* to_text(RiskyKind kind) {
  switch (kind) {
    case RiskyKind::kLockRemoved:
      return "lock removed";
    case RiskyKind::kLockNarrowed:
      return "lock narrowed";
    case RiskyKind::kLockSplit:
      return "lock split";
    case RiskyKind::kLockReplaced:
      return "other lock";
    case RiskyKind::kLockOrderSwapped:
      return "lock order swapped";
    case RiskyKind::kNotifyAdded:
      return "notify added";
    case RiskyKind::kNotifyRemoved:
      return "notify removed";
    case RiskyKind::kJoinMoved:
      return "join moved";
    case RiskyKind::kAtomicMadePlain:
      return "atomic made plain";
    case RiskyKind::kOrderWeakened:
      return "order weakened";
    case RiskyKind::kCheckMovedOut:
      return "check moved out of the lock";
    case RiskyKind::kReadCached:
      return "read cached outside";
  }
  return "";
}

std::string RiskyChange::name() const {
  return fmt::format("{} at {}:{}: {}", to_text(kind), mutant.file, mutant.line, mutant.what);
}

std::vector<RiskyChange> make_risky(const SourceTexts& texts) {
  SourceTexts code;  // without tests
  for (const auto& [file, text] : texts)
    if (!is_test(file)) code.emplace(file, text);
  std::vector<RiskyChange> changes;
  for (Mutant& mutant : make_mutants(code)) {
    const RiskyKind kind = kind_of(mutant.kind);
    changes.push_back({kind, std::move(mutant)});
  }
  std::vector<SourceText> sources;
  for (const auto& [file, text] : texts) sources.emplace_back(file, text);
  const Declared declared(sources);
  for (const SourceText& source : sources)
    std::ranges::move(SourceChanger(source, declared).run(), std::back_inserter(changes));
  return changes;
}

std::vector<RiskyChange> mixed(std::vector<RiskyChange> changes, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::map<RiskyKind, std::vector<RiskyChange>> by_kind;
  const size_t all = changes.size();
  for (RiskyChange& change : changes) by_kind[change.kind].push_back(std::move(change));
  for (auto& [kind, some] : by_kind)
    for (size_t i = some.size(); i > 1; --i) std::swap(some[i - 1], some[random() % i]);
  std::vector<RiskyChange> result;
  for (size_t round = 0; result.size() < all; ++round)
    for (auto& [kind, some] : by_kind)
      if (round < some.size()) result.push_back(std::move(some[round]));
  return result;
}

}  // namespace heddle::bench
