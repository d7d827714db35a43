// TestRecord: what one controlled execution of a test showed, for those who ask later which tests matter.
//
// Places are lines of the source tree that the test's program was built of, under names relative to its root,
// so they mean the same wherever the tree lies. Which line of another version they are, the statement map of
// the change model says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace heddle {

// So many threads of a set are named. Whether two places can be reached by different threads, two tell.
inline constexpr size_t kNamedThreads = 16;

// Threads that did something while others were there: what a thread does before it has created another, or
// after all have been joined, is ordered with everything, and no thread is named for it.
struct ThreadSet {
  std::vector<std::string> names;  // "main", "main/1", in the order of their creation; at most kNamedThreads
  uint32_t count = 0;              // of all that belong to it

  auto operator<=>(const ThreadSet&) const = default;
};

// Whether two different threads are in the two sets, one in each.
bool has_different_threads(const ThreadSet& a, const ThreadSet& b);

// Those of the first, then what the second has more. Sets with more threads than they name have at least as
// many as the larger one.
ThreadSet united(const ThreadSet& one, const ThreadSet& other);

namespace access_kind {
inline constexpr uint32_t kRead = 1;
inline constexpr uint32_t kWrite = 2;
inline constexpr uint32_t kAtomic = 4;
}  // namespace access_kind

// What a test did in one function. Sets of threads are named by their place in `thread_sets`.
struct FunctionActivity {
  // A basic block that was executed, by the position of its first statement.
  struct Block {
    uint32_t line = 0;
    uint32_t column = 0;
    uint32_t threads = 0;
    auto operator<=>(const Block&) const = default;
  };
  // An access to memory that several threads use.
  struct Access {
    uint32_t line = 0;
    uint32_t column = 0;
    uint32_t kinds = 0;    // access_kind
    uint32_t threads = 0;  // that made it
    std::string variable;  // "counter", "Cache::size_"; empty if it has no name
    auto operator<=>(const Access&) const = default;
  };

  std::string file;
  std::string function;
  std::vector<ThreadSet> thread_sets;
  std::vector<Block> blocks;     // sorted
  std::vector<Access> accesses;  // sorted

  bool operator==(const FunctionActivity&) const = default;
};

struct RecordedFinding {
  std::string fingerprint;
  std::string kind;
  std::string message;

  auto operator<=>(const RecordedFinding&) const = default;
};

// A test of a program. The same name may stand for another command later.
struct TestKey {
  std::string test;      // as its framework names it
  uint64_t command = 0;  // a hash of how it is run
  uint64_t program = 0;  // a hash of what is run

  bool operator==(const TestKey&) const = default;
};

struct TestRecord {
  TestKey key;
  std::string outcome;  // "ok", the kind of its failure, or kNotStarted
  std::string message;  // of a failure
  uint64_t microseconds = 0;
  uint32_t threads = 0;     // that it had, main included
  bool has_blocks = false;  // compiled with block coverage; else function entries and accesses stand in
  bool complete = false;    // it ended by itself, and all of it was seen
  uint64_t time = 0;        // when; seconds since 1970
  std::vector<RecordedFinding> findings;                           // sorted
  std::vector<std::shared_ptr<const FunctionActivity>> functions;  // sorted by file and name

  static constexpr const char* kNotStarted = "not-started";
  // What the test did is known, and would be the same another time.
  bool is_lasting() const;
};

// The source tree that a program was built of.
struct TreeVersion {
  uint64_t content = 0;  // Revision::content; 0: not known
  std::string revision;  // the commit; of a working tree, that which it is based on
  bool is_working_tree = false;

  bool operator==(const TreeVersion&) const = default;
};

}  // namespace heddle
