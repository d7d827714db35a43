// Coverage: which test has executed which line, in which threads; what the history knows, turned round.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "history/test_record.h"
#include "select/shared_variable.h"

namespace heddle::select {

using TestIndex = uint32_t;

// Sets of threads, each once: they are many, and mostly the same few.
class ThreadSets {
 public:
  const ThreadSet* add(ThreadSet set) { return &*sets_.insert(std::move(set)).first; }
  const ThreadSet* unite(const ThreadSet* one, const ThreadSet* other);

 private:
  std::set<ThreadSet> sets_;
  std::map<std::pair<const ThreadSet*, const ThreadSet*>, const ThreadSet*> united_;
};

// A test that has executed a block, and the threads that did while others were there. The set is the
// Coverage's.
struct CoveringTest {
  TestIndex test = 0;
  const ThreadSet* threads = nullptr;
};

class Coverage {
 public:
  // What `test` did. Lines are of the old program.
  void add(TestIndex test, const TestRecord& record);
  // Call it once all tests have been added.
  void finish();

  // In the order of the tests.
  std::vector<CoveringTest> of(const OldBlock& block) const;
  // Those that have come to where it branches off, but not there.
  std::vector<CoveringTest> passing(const OldBlock& block) const;
  // Those that have come there, or to where it branches off, with the threads of both.
  std::vector<CoveringTest> reaching(const OldBlock& block) const;
  // Those that were seen to read (or write) memory there which several threads use. In the order of the
  // tests.
  std::vector<CoveringTest> sharing(const OldBlock& block, bool is_write) const;
  // The number of threads that the test had, main included.
  uint32_t threads_of(TestIndex test) const;
  size_t tests() const { return threads_.size(); }

 private:
  using Lines = std::map<uint32_t, std::vector<CoveringTest>>;
  struct File {
    explicit File(ThreadSets& sets) : thread_sets(sets) {}

    std::vector<CoveringTest> at(const std::vector<uint32_t>& lines) const;
    std::vector<CoveringTest> own(const OldBlock& block) const;
    std::vector<CoveringTest> before(const OldBlock& block) const;
    Lines executed;
    Lines read;  // shared memory
    Lines written;
    ThreadSets& thread_sets;
  };
  // Of a function of which nothing was ever seen: those that were where it is called.
  std::vector<CoveringTest> of_callers(const OldBlock& block) const;

  std::unique_ptr<ThreadSets> thread_sets_ = std::make_unique<ThreadSets>();
  // Most tests do the same in most functions.
  std::unordered_map<std::shared_ptr<const FunctionActivity>, std::vector<const ThreadSet*>> sets_of_;
  std::map<std::string, File> files_;
  std::vector<uint32_t> threads_;
};

}  // namespace heddle::select
