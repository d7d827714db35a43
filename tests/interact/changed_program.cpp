#include "changed_program.h"

#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "../program/small_project.h"

namespace heddle::interact {
namespace {

program::Program load(const Sources& sources) {
  program::SmallProject project;
  for (const auto& [path, text] : sources) {
    if (path.ends_with(".c"))
      project.add_unit(path, text, "-std=c11");
    else if (path.ends_with(".cpp"))
      project.add_unit(path, text);
    else
      project.write(path, text);
  }
  program::LoadReport report;
  Expected<program::Program> loaded = project.load(&report);
  if (!loaded) throw std::runtime_error(loaded.error().message);
  for (const std::string& unit : report.degraded_units) ADD_FAILURE() << unit;
  return std::move(*loaded);
}

StatementMap compare(const Sources& before, const Sources& after) {
  StatementMap::Files files;
  for (const auto& [path, text] : before) files.base.push_back(parse_source(path, text));
  for (const auto& [path, text] : after) files.head.push_back(parse_source(path, text));
  return StatementMap(std::move(files));
}

}  // namespace

ChangedProgram::ChangedProgram(const Sources& before, const Sources& after,
                               const ProgramGraphOptions& options)
    : after_(after) {
  Expected<ProgramGraph> built = build_program_graph(load(after), compare(before, after), options);
  if (!built) throw std::runtime_error(built.error().message);
  graph_.push_back(std::move(*built));
}

std::string ChangedProgram::name(StatementIndex statement) const {
  const ProgramStatement& at = graph().statements[statement];
  std::istringstream text(after_.at(at.file));
  std::string line;
  for (uint32_t i = 0; i < at.range.first_line; ++i) std::getline(text, line);
  const size_t comment = line.find("// ");
  return comment == std::string::npos ? fmt::format("{}:{}", at.file, at.range.first_line)
                                      : line.substr(comment + 3);
}

StatementIndex ChangedProgram::named(const std::string& name) const {
  for (StatementIndex s = 0; s < graph().statements.size(); ++s)
    if (graph().statements[s].is_own() && this->name(s) == name) return s;
  throw std::runtime_error("no statement " + name);
}

std::set<std::string> ChangedProgram::edges() const {
  std::set<std::string> edges;
  for (const ChangeEdge& edge : graph().graph.edges)
    edges.insert(name(graph().graph.nodes[edge.from].statement) + ">" +
                 name(graph().graph.nodes[edge.to].statement));
  return edges;
}

std::set<std::string> ChangedProgram::nodes(ChangeNode::Kind kind) const {
  std::set<std::string> nodes;
  for (const ChangeNode& node : graph().graph.nodes)
    if (node.kind == kind) nodes.insert(name(node.statement));
  return nodes;
}

std::set<std::string> ChangedProgram::starts() const {
  std::set<std::string> starts;
  for (const uint32_t node : graph().graph.starts) starts.insert(name(graph().graph.nodes[node].statement));
  return starts;
}

}  // namespace heddle::interact
