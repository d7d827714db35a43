// VersionMap: which node of the new program is which of the old one (DEJAVU's walk, where functions differ),
// and what the change has made of it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "change/source_change.h"
#include "program/program.h"
#include "select/shared_variable.h"

namespace heddle::select {

class VersionMap {
 public:
  // All must outlive this.
  VersionMap(const program::Program& base, const program::Program& head, const SourceChange& change);

  struct OldNode {
    const program::Function* function = nullptr;  // of the base; or of the head, whose text is the same
    uint32_t node = program::kNone;
    std::string file;       // its name in the base
    bool is_equal = false;  // else one that is executed when the new one is, or what it replaces
    bool is_of_base = true;
  };
  // Nothing: its function is not in the base, or nothing before it is.
  std::optional<OldNode> old_of(const program::NodeId& head) const;
  bool is_in_base(program::FunctionIndex head) const;
  // The change gives it another head: parameters, qualifiers.
  bool has_other_head(program::FunctionIndex head) const;
  // The base's, if it has been compared with the head's.
  program::FunctionIndex base_function(program::FunctionIndex head) const;
  // The base's, compared or known by its name; kNone if it has none.
  program::FunctionIndex partner(program::FunctionIndex head) const;
  // The node of the partner that is equal; kNone if there is none.
  uint32_t equal_node(const program::NodeId& head) const;
  bool is_compared(program::FunctionIndex head) const;
  // Of a compared function.
  const std::vector<std::optional<OldNode>>& nodes(program::FunctionIndex head) const;
  // Nodes of the base's function that have no equal in the head's.
  std::vector<uint32_t> removed_nodes(program::FunctionIndex head) const;

  // Why its statement counts as changed though its text is the same: a macro, a declaration.
  const StatementChange* change_of(const program::NodeId& head) const;
  const std::string& old_path(const std::string& head_file) const;
  // Of the head's, as the base has it.
  std::string old_name(const std::string& name) const { return change_.statements.under_old_names(name); }

 private:
  struct Place {
    std::string file;
    SourceRange range;
    auto operator<=>(const Place&) const = default;
  };
  struct Pairing {
    program::FunctionIndex base = program::kNone;     // if compared
    program::FunctionIndex by_name = program::kNone;  // if not
    bool is_compared = false;
    bool has_other_head = false;
    std::vector<std::optional<OldNode>> nodes;  // if compared
  };

  void index_changes();
  void index_functions();
  void index_base();
  void pair(program::FunctionIndex head);
  // Lambdas first: names of other functions contain theirs.
  void pair_lambda(program::FunctionIndex head);
  program::FunctionIndex find_lambda(program::FunctionIndex head);
  std::string base_linkage_name(program::FunctionIndex head) const;
  program::FunctionIndex find_by_name(program::FunctionIndex head) const;
  std::string old_linkage_name(const std::string& name) const;
  program::FunctionIndex find_base(program::FunctionIndex head) const;
  void translate(program::FunctionIndex head, Pairing& pairing) const;
  void compare(program::FunctionIndex head, Pairing& pairing) const;
  bool has_changed_head(const program::Function& function) const;

  const program::Program& base_;
  const program::Program& head_;
  const SourceChange& change_;
  std::map<std::string, std::string> old_paths_;     // of files that differ, by their new path
  std::map<Place, const StatementChange*> changed_;  // of the head
  std::map<Place, const StatementChange*> removed_;  // of the base
  std::map<Place, std::vector<program::NodeId>> base_nodes_;
  std::unordered_map<std::string_view, std::vector<program::FunctionIndex>> base_names_;  // by linkage name
  std::map<Place, std::vector<program::FunctionIndex>> base_lambdas_;  // by where they begin
  std::set<program::FunctionIndex> paired_lambdas_;                    // of the base
  // By unit and number in the head, the number in the base.
  std::map<std::pair<std::string, std::string>, std::string, std::less<>> lambda_numbers_;
  std::set<FunctionId> other_heads_;  // of the head
  std::vector<Pairing> pairings_;
};

}  // namespace heddle::select
