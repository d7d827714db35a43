// Mutator: small faults in the synchronisation of a program, of the kinds that developers make.
//
//   lock removed      const std::lock_guard lock(mutex_);     gone
//   lock narrowed     the statement after it                  now before it
//   other lock        lock(mutex_)                            a lock of the function's own
//   notify dropped    changed_.notify_all();                  gone
//   atomic made plain std::atomic<int> count_; count_.load()  int count_; count_
//
// It reads tokens, not types: a mutant may not compile, and who uses it must see to that.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "source_text.h"

namespace heddle::bench {

enum class MutantKind : uint8_t {
  kLockRemoved,
  kLockNarrowed,
  kOtherLock,
  kNotifyDropped,
  kAtomicMadePlain,
};
inline constexpr std::array kMutantKinds{MutantKind::kLockRemoved, MutantKind::kLockNarrowed,
                                         MutantKind::kOtherLock, MutantKind::kNotifyDropped,
                                         MutantKind::kAtomicMadePlain};
const char* to_text(MutantKind kind);

struct Mutant {
  MutantKind kind = MutantKind::kLockRemoved;
  std::string file;
  uint32_t line = 0;
  std::string what;                          // the text that it is about, as it was
  std::map<std::string, std::string> texts;  // of the files that it changes
  // The functions in which something is another instruction than before. Lines are those of the original.
  std::vector<LineRange> functions;
};

using SourceTexts = std::map<std::string, std::string>;  // by path

// All that there are, in the order of the text.
std::vector<Mutant> make_mutants(const SourceTexts& sources);
// Those of one kind each, for the parts of the mutator.
std::vector<Mutant> make_lock_mutants(const SourceText& source);
std::vector<Mutant> make_notify_mutants(const SourceText& source);
std::vector<Mutant> make_atomic_mutants(const std::vector<SourceText>& sources);

// The same in an order of which every beginning has each kind equally often, as far as there are enough.
std::vector<Mutant> mixed(std::vector<Mutant> mutants, uint64_t seed);

}  // namespace heddle::bench
