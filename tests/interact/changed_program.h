// Two versions of a small program: the second is compiled, and its change sequence graph built.
#pragma once

#include <map>
#include <set>
#include <string>

#include "interact/program_graph.h"

namespace heddle::interact {

using Sources = std::map<std::string, std::string>;  // path → text; .c and .cpp files are units

class ChangedProgram {
 public:
  ChangedProgram(const Sources& before, const Sources& after, const ProgramGraphOptions& options = {});
  // Of one file, main.c.
  ChangedProgram(const std::string& before, const std::string& after, const ProgramGraphOptions& options = {})
      : ChangedProgram(Sources{{"main.c", before}}, Sources{{"main.c", after}}, options) {}

  const ProgramGraph& graph() const { return graph_.front(); }

  // Statements are named by a comment at the end of their line: "limit = 5;  // LIMIT".
  std::set<std::string> edges() const;  // "LIMIT>USE"
  std::set<std::string> nodes(ChangeNode::Kind kind) const;
  std::set<std::string> starts() const;
  std::string name(StatementIndex statement) const;
  StatementIndex named(const std::string& name) const;

 private:
  Sources after_;
  std::vector<ProgramGraph> graph_;  // one
};

}  // namespace heddle::interact
