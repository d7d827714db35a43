#include "interact/changed_statements.h"

#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "change/readable_text.h"
#include "select/initial_values.h"

namespace heddle::interact {
namespace {

using ChangedKind = ChangedStatement::Kind;

class Finder {
 public:
  Finder(const program::Program& head, const ProgramStatements& statements, const StatementMap& change)
      : head_(head), statements_(statements), change_(change) {}

  ChangedStatements find() {
    for (const StatementChange& one : change_.changes())
      if (one.new_statement) add_present(one);
    for (const StatementChange& one : change_.changes())
      if (!one.new_statement && one.old_statement) add_removed(*one.old_statement);
    const select::InitialValues initial_values(head_, change_);
    for (const auto& [node, variable] : initial_values.users()) {
      const StatementIndex user = statements_.of(node);
      if (user != kNone && statements_[user].is_readable())
        add(user, ChangedKind::kBeginsOtherwise,
            fmt::format("uses {}, which begins with another value", variable));
    }
    for (auto& [statement, changed] : found_) result_.all.push_back(std::move(changed));
    return std::move(result_);
  }

 private:
  void add(StatementIndex statement, ChangedKind kind, std::string because) {
    const auto [known, is_new] = found_.try_emplace(statement, ChangedStatement{statement, kind, because});
    if (!is_new && known->second.kind == ChangedKind::kBesideRemoved && kind == ChangedKind::kBesideRemoved)
      known->second.because += ", and " + because;
  }

  StatementIndex index_of(const StatementId& id) const {
    const SourceStatement* source = change_.find_head(id);
    return source == nullptr ? kNone : statements_.at(id.function.file, source->range);
  }

  void add_present(const StatementChange& one) {
    const StatementIndex statement = index_of(*one.new_statement);
    if (statement != kNone)
      return add(statement, one.old_statement ? ChangedKind::kModified : ChangedKind::kAdded, one.because);
    if (const SourceStatement* source = change_.find_head(*one.new_statement))
      result_.left_out.push_back(fmt::format("`{}` ({}) has changed, but the program has no code of it",
                                             readable_text(source->text),
                                             place(*one.new_statement, *source)));
  }

  void add_removed(const StatementId& removed) {
    const SourceStatement* source = change_.find_base(removed);
    if (source == nullptr || source->text == "}") return;
    const std::string name = fmt::format("`{}` ({})", readable_text(source->text), place(removed, *source));
    std::vector<StatementIndex> neighbours;
    for (const auto& neighbour : {following(removed), parent(removed)})
      if (neighbour) neighbours.push_back(*neighbour);
    if (const auto before = preceding(removed); before && neighbours.empty()) neighbours.push_back(*before);
    for (const StatementIndex neighbour : neighbours)
      add(neighbour, ChangedKind::kBesideRemoved, "stands for the removed " + name);
    if (neighbours.empty()) result_.left_out.push_back(name + " was removed, and nothing beside it is left");
  }

  // What is left of the statements after it, in the order of the text.
  std::optional<StatementIndex> following(StatementId at) const {
    for (++at.index; change_.find_base(at) != nullptr; ++at.index)
      if (const auto here = in_head(at)) return here;
    return std::nullopt;
  }
  std::optional<StatementIndex> preceding(StatementId at) const {
    while (at.index-- > 0)
      if (const auto here = in_head(at)) return here;
    return std::nullopt;
  }
  std::optional<StatementIndex> parent(StatementId at) const {
    while (const SourceStatement* source = change_.find_base(at)) {
      if (source->parent == kNone) break;
      at.index = source->parent;
      if (const auto here = in_head(at)) return here;
    }
    return std::nullopt;
  }
  std::optional<StatementIndex> in_head(const StatementId& old) const {
    const auto id = change_.to_new(old);
    const StatementIndex statement = id ? index_of(*id) : kNone;
    return statement == kNone || !statements_[statement].is_readable() ? std::nullopt
                                                                       : std::optional(statement);
  }

  static std::string place(const StatementId& id, const SourceStatement& source) {
    return fmt::format("{}:{}", id.function.file, source.range.first_line);
  }

  const program::Program& head_;
  const ProgramStatements& statements_;
  const StatementMap& change_;
  std::map<StatementIndex, ChangedStatement> found_;
  ChangedStatements result_;
};

}  // namespace

ChangedStatements find_changed_statements(const program::Program& head, const ProgramStatements& statements,
                                          const StatementMap& change) {
  return Finder(head, statements, change).find();
}

}  // namespace heddle::interact
