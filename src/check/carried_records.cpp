#include "check/carried_records.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "change/source_change.h"
#include "check/test_inputs.h"

namespace heddle {
namespace {

// Each tree costs a comparison of sources; those that most tests were recorded on come first.
constexpr size_t kMaxTrees = 8;

// So far above a line the statement is looked for whose move it shares: closing braces, heads of functions.
constexpr uint32_t kReach = 200;

// "ns::Queue<int>::push(int)" → "push"
std::string simple_name(const std::string& signature) {
  std::string name;
  int depth = 0;
  for (const char c : signature) {
    if (c == '(' && depth == 0) break;
    if (c == '<') ++depth;
    if (depth == 0) name += c;
    if (c == '>' && depth > 0) --depth;
  }
  const size_t colon = name.rfind("::");
  return colon == std::string::npos ? name : name.substr(colon + 2);
}

// From the tree of some records to the base.
class Carrier {
 public:
  explicit Carrier(SourceChange change) : change_(std::move(change)) {
    const StatementMap& map = change_.statements;
    for (const FileChange& file : change_.files) files_.insert(file.old_path);
    files_.erase("");
    for (const StatementChange& changed : map.changes()) {
      if (changed.old_statement) changed_.insert(changed.old_statement->function);
      if (!changed.new_statement) continue;
      if (const auto old = map.to_old(changed.new_statement->function)) changed_.insert(*old);
    }
    // A new function is called by changed ones, or instead of another of its name.
    for (const FunctionChange& function : map.functions()) {
      if (function.renamed) continue;
      names_.insert(simple_name(function.old_function ? function.old_function->signature
                                                      : function.new_function->signature));
    }
    for (const std::string& file : change_.opaque) is_usable_ &= !may_be_read_by_tests(file);
  }

  // Nothing if what the test executed has changed.
  std::optional<TestRecord> carry(const TestRecord& record) {
    if (!is_usable_) return std::nullopt;
    TestRecord carried = record;
    for (auto& function : carried.functions) {
      const std::shared_ptr<const FunctionActivity>& moved = moved_activity(function);
      if (moved == nullptr) return std::nullopt;
      function = moved;
    }
    std::sort(carried.functions.begin(), carried.functions.end(), [](const auto& a, const auto& b) {
      return std::tie(a->file, a->function) < std::tie(b->file, b->function);
    });
    return carried;
  }

 private:
  using Activity = std::shared_ptr<const FunctionActivity>;

  // Many records share one. Null: it has changed.
  const Activity& moved_activity(const Activity& activity) {
    const auto [known, is_new] = moved_.try_emplace(activity.get());
    if (is_new) known->second = move(activity);
    return known->second;
  }

  Activity move(const Activity& activity) {
    if (names_.contains(simple_name(activity->function))) return nullptr;
    if (!has_changes(activity->file)) return activity;
    auto moved = std::make_shared<FunctionActivity>(*activity);
    for (FunctionActivity::Block& block : moved->blocks)
      if (!move_line(activity->file, block.column, &block.line, &moved->file)) return nullptr;
    for (FunctionActivity::Access& access : moved->accesses)
      if (!move_line(activity->file, access.column, &access.line, &moved->file)) return nullptr;
    std::sort(moved->blocks.begin(), moved->blocks.end());
    std::sort(moved->accesses.begin(), moved->accesses.end());
    return moved;
  }

  // Also of files that are the same but mean something else now.
  bool has_changes(const std::string& file) const {
    return files_.contains(file) || std::any_of(changed_.begin(), changed_.end(),
                                                [&](const FunctionId& id) { return id.file == file; });
  }

  bool move_line(const std::string& file, uint32_t column, uint32_t* line, std::string* new_file) const {
    const StatementMap& map = change_.statements;
    std::optional<StatementId> at = map.base_statement_at(file, *line, column);
    for (uint32_t up = 1; !at && up < std::min(*line, kReach); ++up)
      at = map.base_statement_at(file, *line - up, 0);
    if (!at) return true;  // nothing above it that could have moved it
    if (changed_.contains(at->function)) return false;
    const std::optional<StatementId> now = map.to_new(*at);
    if (!now) return false;
    const SourceStatement* before = map.find_base(*at);
    const SourceStatement* after = map.find_head(*now);
    if (before == nullptr || after == nullptr) return false;
    *line = *line + after->range.first_line - before->range.first_line;
    *new_file = now->function.file;
    return true;
  }

  SourceChange change_;
  std::set<std::string> files_;  // that differ, as the records name them
  std::set<FunctionId> changed_;
  std::set<std::string> names_;  // of functions that are added or removed
  bool is_usable_ = true;
  std::map<const FunctionActivity*, Activity> moved_;
};

}  // namespace

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
    Carrier carrier(std::move(*change));
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
