// ProgramStatements: the source statements of a program, each once.
//
// A statement of a template or of an inline function is compiled into several functions: here it is one.
#pragma once

#include <string>
#include <vector>

#include "interact/flow.h"
#include "program/program.h"

namespace heddle::interact {

struct ProgramStatement {
  std::string file;
  SourceRange range;
  std::string text;      // empty: a line where no statement is known
  std::string function;  // the first that has it
  std::vector<program::NodeId> nodes;

  // Whether it is the project's own, and one that a reader would call a statement.
  bool is_own() const { return !file.empty() && file.front() != '/'; }
  bool is_readable() const { return is_own() && !text.empty() && text != "}"; }
};

class ProgramStatements {
 public:
  explicit ProgramStatements(const program::Program& program);

  uint32_t size() const { return static_cast<uint32_t>(all_.size()); }
  const ProgramStatement& operator[](StatementIndex index) const { return all_[index]; }
  // kNone for node kNone: what the compiler has made.
  StatementIndex of(const program::NodeId& node) const;
  // kNone: there is no code of such a statement.
  StatementIndex at(const std::string& file, const SourceRange& range) const;

 private:
  std::vector<ProgramStatement> all_;                  // by file and place
  std::vector<std::vector<StatementIndex>> of_nodes_;  // by function
};

}  // namespace heddle::interact
