#include "select/unanalysed.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>

#include "change/readable_text.h"

namespace heddle::select {
namespace {

struct Place {
  std::string file;
  SourceRange range;
  auto operator<=>(const Place&) const = default;
};

std::set<Place> places_with_facts(const program::Program& program) {
  std::set<Place> places;
  for (program::FunctionIndex f = 0; f < program.size(); ++f) {
    const program::Function& function = program.function(f);
    if (!function.degraded.empty() || function.file.starts_with('/')) continue;
    for (const program::Node& node : function.nodes) places.insert({node.file, node.range});
  }
  return places;
}

bool has_degraded_code(const program::Program& program) {
  for (const program::Unit& unit : program.units())
    if (!unit.degraded.empty()) return true;
  for (program::FunctionIndex f = 0; f < program.size(); ++f)
    if (!program.function(f).degraded.empty()) return true;
  return false;
}

// The place of the base that stands for a changed statement: itself, or what comes before it in its function.
std::optional<StatementId> old_place(const StatementMap& statements, const StatementChange& change) {
  if (change.old_statement) return change.old_statement;
  StatementId before = *change.new_statement;
  while (before.index-- > 0)
    if (std::optional<StatementId> old = statements.to_old(before)) return old;
  // The first that it has in common with the base.
  for (StatementId after = *change.new_statement; statements.find_head(after) != nullptr; ++after.index)
    if (std::optional<StatementId> old = statements.to_old(after)) return old;
  return std::nullopt;
}

uint32_t add_block(ChangedProgram& changed, const std::string& file, const std::string& function,
                   uint32_t line, uint32_t last_line) {
  std::vector<uint32_t> lines;
  for (uint32_t at = line; at <= last_line; ++at) lines.push_back(at);
  changed.old_blocks.push_back({file, function, line, {std::move(lines)}, last_line});
  return static_cast<uint32_t>(changed.old_blocks.size() - 1);
}

}  // namespace

size_t add_unanalysed_changes(const program::Program& base, const program::Program& head,
                              const SourceChange& change, ChangedProgram& changed) {
  if (!has_degraded_code(base) && !has_degraded_code(head)) return 0;
  const std::set<Place> in_base = places_with_facts(base);
  const std::set<Place> in_head = places_with_facts(head);
  size_t count = 0;
  for (const StatementChange& statement : change.statements.changes()) {
    if (!statement.old_statement && !statement.new_statement) continue;
    const SourceStatement* now =
        statement.new_statement ? change.statements.find_head(*statement.new_statement) : nullptr;
    const SourceStatement* before =
        statement.old_statement ? change.statements.find_base(*statement.old_statement) : nullptr;
    if (now != nullptr && in_head.contains({statement.new_statement->function.file, now->range})) continue;
    if (now == nullptr && before != nullptr &&
        in_base.contains({statement.old_statement->function.file, before->range}))
      continue;
    const std::optional<StatementId> old = old_place(change.statements, statement);
    const SourceStatement* at = old ? change.statements.find_base(*old) : nullptr;
    if (at == nullptr) continue;
    ++count;
    SharedVariable variable;
    variable.function = old->function.signature;
    variable.old_function = old->function.signature;
    variable.file = old->function.file;
    variable.line = (now != nullptr ? now : at)->range.first_line;
    variable.is_write = true;
    variable.rule = Rule::kAssumed;
    variable.cause = static_cast<uint32_t>(changed.causes.size());
    variable.old_block = add_block(changed, old->function.file, old->function.signature, at->range.first_line,
                                   at->range.last_line);
    changed.causes.push_back(fmt::format("touches `{}`, which could not be analysed",
                                         readable_text((now != nullptr ? now : at)->text)));
    changed.orderings.push_back(static_cast<uint32_t>(changed.variables.size()));
    changed.variables.push_back(std::move(variable));
  }
  return count;
}

void add_seen_accesses(const std::vector<KnownTest>& history, ChangedProgram& changed) {
  struct Line {
    std::string file;
    uint32_t line;
    bool is_write;
    auto operator<=>(const Line&) const = default;
  };
  std::map<Line, std::vector<uint32_t>> found;  // by the analyses
  uint32_t next = 1;
  for (uint32_t i = 0; i < changed.variables.size(); ++i) {
    const SharedVariable& variable = changed.variables[i];
    for (const Location& location : variable.locations)
      next = std::max({next, location.leaf + 1, location.root + 1});
    if (variable.old_block == kNone || !variable.is_as_before()) continue;
    const OldBlock& block = changed.old_blocks[variable.old_block];
    for (uint32_t line = block.line; line <= block.last_line; ++line)
      found[{block.file, line, variable.is_write}].push_back(i);
  }
  std::map<std::string, uint32_t> names;
  std::set<const FunctionActivity*> told;  // tests have many in common
  std::set<std::pair<Line, std::string>> seen;
  for (const KnownTest& test : history) {
    if (!test.is_of_tree) continue;
    for (const auto& function : test.record.functions) {
      if (!told.insert(function.get()).second) continue;
      for (const FunctionActivity::Access& access : function->accesses) {
        for (const bool is_write : {false, true}) {
          if ((access.kinds & (is_write ? access_kind::kWrite : access_kind::kRead)) == 0) continue;
          const Line line{function->file, access.line, is_write};
          if (access.variable.empty() || !seen.insert({line, access.variable}).second) continue;
          const Location location{names.try_emplace(access.variable, next + names.size()).first->second, 0,
                                  true};
          std::vector<uint32_t>& here = found[line];
          if (here.empty()) {
            SharedVariable variable;
            variable.function = variable.old_function = function->function;
            variable.name = access.variable;
            variable.file = function->file;
            variable.line = access.line;
            variable.is_write = is_write;
            variable.is_atomic = (access.kinds & access_kind::kAtomic) != 0;
            variable.old_block =
                add_block(changed, function->file, function->function, access.line, access.line);
            here.push_back(static_cast<uint32_t>(changed.variables.size()));
            changed.variables.push_back(std::move(variable));
          }
          for (const uint32_t i : here) changed.variables[i].locations.push_back(location);
        }
      }
    }
  }
  for (SharedVariable& variable : changed.variables) {
    std::sort(variable.locations.begin(), variable.locations.end());
    variable.locations.erase(std::unique(variable.locations.begin(), variable.locations.end()),
                             variable.locations.end());
  }
}

}  // namespace heddle::select
