#include "select/coverage.h"

#include <algorithm>

namespace heddle::select {
namespace {

// Of OldBlock::lines: those of its statement and of its basic block.
constexpr size_t kOwnLevels = 2;

// One entry for each test.
void unite(std::vector<CoveringTest>& covering, ThreadSets& sets) {
  std::stable_sort(covering.begin(), covering.end(),
                   [](const CoveringTest& a, const CoveringTest& b) { return a.test < b.test; });
  size_t kept = 0;
  for (const CoveringTest& next : covering) {
    if (kept > 0 && covering[kept - 1].test == next.test) {
      covering[kept - 1].threads = sets.unite(covering[kept - 1].threads, next.threads);
    } else {
      covering[kept++] = next;
    }
  }
  covering.resize(kept);
}

}  // namespace

const ThreadSet* ThreadSets::unite(const ThreadSet* one, const ThreadSet* other) {
  if (one == other || other->count == 0) return one;
  const auto [known, is_new] = united_.try_emplace({one, other});
  if (is_new) known->second = add(united(*one, *other));
  return known->second;
}

void Coverage::add(TestIndex test, const TestRecord& record) {
  threads_.resize(std::max<size_t>(threads_.size(), test + 1));
  threads_[test] = record.threads;
  for (const auto& function : record.functions) {
    const auto [known, is_new] = sets_of_.try_emplace(function);
    std::vector<const ThreadSet*>& sets = known->second;
    for (size_t i = 0; is_new && i < function->thread_sets.size(); ++i) {
      ThreadSet set = function->thread_sets[i];
      std::sort(set.names.begin(), set.names.end());
      sets.push_back(thread_sets_->add(std::move(set)));
    }
    File& file = files_.try_emplace(function->file, *thread_sets_).first->second;
    for (const FunctionActivity::Block& block : function->blocks)
      file.executed[block.line].push_back({test, sets[block.threads]});
    for (const FunctionActivity::Access& access : function->accesses) {
      const CoveringTest by{test, sets[access.threads]};
      file.executed[access.line].push_back(by);
      if ((access.kinds & access_kind::kRead) != 0) file.read[access.line].push_back(by);
      if ((access.kinds & access_kind::kWrite) != 0) file.written[access.line].push_back(by);
    }
  }
}

void Coverage::finish() {
  for (auto& [name, file] : files_)
    for (Lines* lines : {&file.executed, &file.read, &file.written})
      for (auto& [line, covering] : *lines) unite(covering, *thread_sets_);
  sets_of_.clear();
}

std::vector<CoveringTest> Coverage::sharing(const OldBlock& block, bool is_write) const {
  const auto file = files_.find(block.file);
  if (file == files_.end()) return {};
  const Lines& lines = is_write ? file->second.written : file->second.read;
  std::vector<CoveringTest> covering;
  for (auto line = lines.lower_bound(block.line); line != lines.end() && line->first <= block.last_line;
       ++line)
    covering.insert(covering.end(), line->second.begin(), line->second.end());
  unite(covering, *thread_sets_);
  return covering;
}

std::vector<CoveringTest> Coverage::File::at(const std::vector<uint32_t>& lines) const {
  std::vector<CoveringTest> covering;
  for (const uint32_t line : lines)
    if (const auto found = executed.find(line); found != executed.end())
      covering.insert(covering.end(), found->second.begin(), found->second.end());
  unite(covering, thread_sets);
  return covering;
}

// Of the statement and of its basic block: instances of a template may be split into blocks elsewhere, and
// then one has been seen where the other has not.
std::vector<CoveringTest> Coverage::File::own(const OldBlock& block) const {
  std::vector<uint32_t> lines;
  for (size_t level = 0; level < std::min<size_t>(block.lines.size(), kOwnLevels); ++level)
    lines.insert(lines.end(), block.lines[level].begin(), block.lines[level].end());
  return at(lines);
}

std::vector<CoveringTest> Coverage::of(const OldBlock& block) const {
  const auto file = files_.find(block.file);
  if (file == files_.end()) return of_callers(block);
  std::vector<CoveringTest> covering = file->second.own(block);
  if (covering.empty()) covering = file->second.before(block);
  return covering.empty() ? of_callers(block) : covering;
}

std::vector<CoveringTest> Coverage::of_callers(const OldBlock& block) const {
  std::vector<CoveringTest> covering;
  for (const std::vector<OldBlock::Call>& level : block.calls) {
    for (const OldBlock::Call& call : level) {
      const auto file = files_.find(call.file);
      if (file == files_.end()) continue;
      const std::vector<CoveringTest> there = file->second.at({call.line});
      covering.insert(covering.end(), there.begin(), there.end());
    }
    if (!covering.empty()) break;
  }
  unite(covering, *thread_sets_);
  return covering;
}

// Where it branches off: the nearest of the blocks before that was ever seen, or else the function.
std::vector<CoveringTest> Coverage::File::before(const OldBlock& block) const {
  for (size_t level = kOwnLevels; level < block.lines.size(); ++level) {
    std::vector<CoveringTest> covering = at(block.lines[level]);
    if (!covering.empty()) return covering;
  }
  if (block.function_begin == 0) return {};
  std::vector<CoveringTest> covering;
  const auto end = executed.upper_bound(block.function_end);
  for (auto line = executed.lower_bound(block.function_begin); line != end; ++line)
    covering.insert(covering.end(), line->second.begin(), line->second.end());
  unite(covering, thread_sets);
  return covering;
}

std::vector<CoveringTest> Coverage::passing(const OldBlock& block) const {
  const auto file = files_.find(block.file);
  if (file == files_.end()) return {};
  // The statement's own lines only: what ends its basic block, as a `return`, compilers unite with others.
  const std::vector<CoveringTest> there = file->second.at(block.lines.front());
  std::vector<CoveringTest> before = file->second.before(block);
  std::erase_if(before, [&](const CoveringTest& test) {
    return std::binary_search(there.begin(), there.end(), test,
                              [](const CoveringTest& a, const CoveringTest& b) { return a.test < b.test; });
  });
  return before;
}

std::vector<CoveringTest> Coverage::reaching(const OldBlock& block) const {
  const auto file = files_.find(block.file);
  if (file == files_.end()) return of_callers(block);
  std::vector<CoveringTest> all = file->second.own(block);
  const std::vector<CoveringTest> before = file->second.before(block);
  all.insert(all.end(), before.begin(), before.end());
  if (all.empty()) return of_callers(block);
  unite(all, *thread_sets_);
  return all;
}

uint32_t Coverage::threads_of(TestIndex test) const {
  return threads_[test];
}

}  // namespace heddle::select
