// Functions and statements of one version, prepared for comparison: words as numbers, so that equality is
// cheap.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "change/statement_map.h"

namespace heddle {

// In place of a function or a statement that there is not.
inline constexpr uint32_t kNone = ~0u;

// Gives equal words equal numbers, in both versions.
class WordTable {
 public:
  uint32_t number(std::string_view word);
  std::string_view word(uint32_t number) const { return words_[number]; }
  // Brackets, commas and semicolons: they say nothing about likeness.
  bool is_layout(uint32_t number) const { return layout_[number]; }

 private:
  std::unordered_map<std::string, uint32_t> numbers_;
  std::vector<std::string_view> words_;  // keys of numbers_: they stay where they are
  std::vector<bool> layout_;
};

struct Word {
  uint32_t text = 0;
  uint32_t local = 0;  // its number in SourceFunction::locals, from 1; 0: it is none
};

struct IndexedStatement {
  const SourceStatement* source = nullptr;
  std::vector<Word> words;
  uint64_t shape = 0;   // equal if all but the names of locals is
  uint32_t weight = 0;  // words that say something
};

struct IndexedFunction {
  const SourceFile* file = nullptr;
  const SourceFunction* source = nullptr;
  FunctionId id;
  std::string scope;  // "ns::Queue", of "ns::Queue::push"
  std::string plain;  // "push"
  std::vector<IndexedStatement> statements;
  uint32_t weight = 0;
};

struct StatementIndex {
  std::vector<IndexedFunction> functions;
  std::map<FunctionId, uint32_t> by_id;
};

StatementIndex index_statements(const std::vector<SourceFile>& files, WordTable& words);

// "ns::Queue::push(int)" → {"ns::Queue", "push(int)"}; colons within brackets do not separate.
std::pair<std::string, std::string> split_qualified(std::string_view name);

// "was compiled always, is compiled if defined ( X )": conditions of the preprocessor.
std::string change_of_condition(const std::string& before, const std::string& after);

constexpr uint64_t mix(uint64_t hash, uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15ull + (hash << 6) + (hash >> 2);
  hash *= 0xff51afd7ed558ccdull;
  return hash ^ (hash >> 33);
}

}  // namespace heddle
