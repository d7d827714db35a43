// StatementMap: which statement of the base is which statement of the head, and what has changed.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "change/renamed_names.h"
#include "change/statements.h"

namespace heddle {

struct FunctionId {
  std::string file;
  std::string signature;

  auto operator<=>(const FunctionId&) const = default;
};
struct StatementId {
  FunctionId function;
  uint32_t index = 0;  // in SourceFunction::statements

  auto operator<=>(const StatementId&) const = default;
};

enum class ChangeKind : uint8_t { kAdded, kRemoved, kModified };

// Why a statement counts as changed.
enum class ChangeReason : uint8_t {
  kText,         // it is new, gone, or differs after normalisation
  kDeclaration,  // a variable or field it uses has another type, guard, atomic or volatile
  kMacro,        // a macro it uses is defined otherwise
  kUnknown,      // lies in text that was not understood and differs
};

struct StatementChange {
  ChangeKind kind;
  ChangeReason reason = ChangeReason::kText;
  std::optional<StatementId> old_statement;
  std::optional<StatementId> new_statement;
  std::string because;  // "field Queue::size_ was std::atomic<int>, is int"
};

struct FunctionChange {
  std::optional<FunctionId> old_function;  // missing: added
  std::optional<FunctionId> new_function;  // missing: removed
  bool renamed = false;                    // or moved to another file or class
};

struct DeclarationChange {
  std::optional<SourceDeclaration> before;
  std::optional<SourceDeclaration> after;
  bool is_only_renamed = false;
};

// Two versions of a project's files. Built from the files that differ, and those that use what has changed.
class StatementMap {
 public:
  struct Files {
    std::vector<SourceFile> base;
    std::vector<SourceFile> head;
    std::map<std::string, std::string> renamed;  // base path → head path
    NamesElsewhere names_elsewhere;
  };
  explicit StatementMap(Files files);

  const std::vector<StatementChange>& changes() const;
  const std::vector<FunctionChange>& functions() const;  // those that are not the same in both
  const std::vector<DeclarationChange>& declarations() const;
  // Whether nothing has changed but, perhaps, names.
  bool has_changed_names_only() const;

  // Across versions. Of a file that was not given, everything is itself.
  std::optional<StatementId> to_new(const StatementId& old_statement) const;
  std::optional<StatementId> to_old(const StatementId& new_statement) const;
  std::optional<FunctionId> to_new(const FunctionId& old_function) const;
  std::optional<FunctionId> to_old(const FunctionId& new_function) const;
  // A name of the head, or a text with such names, as the base has it.
  std::string under_old_names(const std::string& text) const;
  // "queue.items_": a part of a local variable. Locals of different functions that were renamed in different
  // ways keep their names.
  std::string local_under_old_names(const std::string& path) const;
  // "Queue::size_" → "Queue::count_", for fields whose class and place correspond.
  std::optional<std::string> field_to_new(const std::string& old_field) const;

  // What executes at a place: the innermost statement that contains it. Column 0: the first of the line.
  std::optional<StatementId> base_statement_at(const std::string& file, uint32_t line, uint32_t column) const;
  std::optional<StatementId> head_statement_at(const std::string& file, uint32_t line, uint32_t column) const;
  // Whether the file is one of those that it was built from.
  bool has_base_file(const std::string& file) const;
  bool has_head_file(const std::string& file) const;
  bool is_changed(const StatementId& new_statement) const;
  const SourceStatement* find_base(const StatementId& id) const;
  const SourceStatement* find_head(const StatementId& id) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace heddle
