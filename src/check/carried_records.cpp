#include "check/carried_records.h"

#include <algorithm>
#include <tuple>

#include "check/test_inputs.h"

namespace heddle {
namespace {

// Each tree costs a comparison of sources; those that most tests were recorded on come first.
constexpr size_t kMaxTrees = 8;

// So far above a line the statement is looked for whose move it shares: closing braces, heads of functions.
constexpr uint32_t kReach = 200;

}  // namespace

RecordCarrier::RecordCarrier(SourceChange since) : change_(std::move(since)), changed_(change_, {}) {
  for (const FileChange& file : change_.files)
    if (!file.old_path.empty()) files_.insert(file.old_path);
  for (const std::string& file : change_.opaque)
    is_usable_ &= !may_be_read_by_tests(file) && !may_steer_the_build(file);
  // What a variable or field is from the start is in no statement.
  for (const DeclarationChange& changed : change_.statements.declarations()) {
    const SourceDeclaration& either = changed.after ? *changed.after : *changed.before;
    const bool is_set = changed.before && changed.after && changed.before->text != changed.after->text;
    is_usable_ &=
        either.kind != DeclarationKind::kVariable && !(either.kind == DeclarationKind::kField && is_set);
  }
}

std::optional<TestRecord> RecordCarrier::carry(const TestRecord& record) {
  if (!is_usable_) return std::nullopt;
  TestRecord carried = record;
  for (Activity& function : carried.functions) {
    function = moved_activity(function);
    if (function == nullptr) return std::nullopt;
  }
  std::sort(carried.functions.begin(), carried.functions.end(), [](const Activity& a, const Activity& b) {
    return std::tie(a->file, a->function) < std::tie(b->file, b->function);
  });
  return carried;
}

// Many records share one.
const RecordCarrier::Activity& RecordCarrier::moved_activity(const Activity& activity) {
  const auto [known, is_new] = moved_.try_emplace(activity);
  if (is_new) known->second = move(activity);
  return known->second;
}

RecordCarrier::Activity RecordCarrier::move(const Activity& activity) const {
  if (changed_.is_reached_by(*activity)) return nullptr;
  if (!files_.contains(activity->file)) return activity;
  auto moved = std::make_shared<FunctionActivity>(*activity);
  const auto move_all = [&](auto& places) {
    for (auto& place : places) {
      std::string file = activity->file;
      if (!move_line(place.column, &place.line, &file)) return false;
      moved->file = std::move(file);
    }
    std::sort(places.begin(), places.end());
    return true;
  };
  return move_all(moved->blocks) && move_all(moved->accesses) ? moved : nullptr;
}

// False if it is no longer there.
bool RecordCarrier::move_line(uint32_t column, uint32_t* line, std::string* file) const {
  const StatementMap& map = change_.statements;
  std::optional<StatementId> at = map.base_statement_at(*file, *line, column);
  for (uint32_t up = 1; !at && up < std::min(*line, kReach); ++up)
    at = map.base_statement_at(*file, *line - up, 0);
  if (!at) return true;  // nothing above it that could have moved it
  const std::optional<StatementId> now = map.to_new(*at);
  if (!now) return false;
  const SourceStatement* before = map.find_base(*at);
  const SourceStatement* after = map.find_head(*now);
  if (before == nullptr || after == nullptr) return false;
  *line = *line + after->range.first_line - before->range.first_line;
  *file = now->function.file;
  return true;
}

size_t carry_records(const Repository& repository, const Revision& base, std::vector<KnownTest>& tests) {
  std::map<std::string, std::vector<KnownTest*>> by_commit;
  for (KnownTest& test : tests)
    if (!test.is_of_tree && !test.tree.is_working_tree && !test.tree.revision.empty() && test.record.complete)
      by_commit[test.tree.revision].push_back(&test);
  std::vector<std::pair<std::string, std::vector<KnownTest*>>> trees(by_commit.begin(), by_commit.end());
  std::stable_sort(trees.begin(), trees.end(),
                   [](const auto& a, const auto& b) { return a.second.size() > b.second.size(); });
  if (trees.size() > kMaxTrees) trees.resize(kMaxTrees);
  size_t carried = 0;
  for (auto& [commit, known] : trees) {
    const Expected<Revision> revision = repository.resolve(commit);
    if (!revision) continue;  // no longer there
    Expected<SourceChange> change = compare_sources(repository, *revision, base);
    if (!change) continue;
    RecordCarrier carrier(std::move(*change));
    for (KnownTest* test : known) {
      std::optional<TestRecord> record = carrier.carry(test->record);
      if (!record) continue;
      test->record = std::move(*record);
      test->is_of_tree = true;
      ++carried;
    }
  }
  return carried;
}

}  // namespace heddle
