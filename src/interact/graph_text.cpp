#include "interact/graph_text.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "change/readable_text.h"

namespace heddle::interact {
namespace {

using Kind = ChangeNode::Kind;

// Longer statements are cut in the table; the drawing has room.
constexpr size_t kLongestText = 60;
constexpr size_t kMostNext = 8;

std::string_view kind_of(const ChangeNode& node) {
  if (node.kind == Kind::kInteraction) return "interaction";
  if (node.kind == Kind::kOutput) return "output";
  return node.is_output ? "change, output" : "change";
}

std::string text_of(const ProgramStatement& statement) {
  if (!statement.text.empty() && statement.text != "}") return readable_text(statement.text);
  return "end of " + statement.function;
}

std::string place_of(const ProgramStatement& statement) {
  return fmt::format("{}:{}", statement.file, statement.range.first_line);
}

// Statements may hold bytes that are no whole characters when they are cut.
std::string shortened(std::string text) {
  if (text.size() <= kLongestText) return text;
  size_t end = kLongestText;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

std::string numbers(const std::vector<uint32_t>& nodes) {
  std::vector<uint32_t> from_one;
  for (const uint32_t node : nodes) from_one.push_back(node + 1);
  return fmt::format("{}", fmt::join(from_one, ", "));
}

// Between quotes. Control characters are nothing that graphviz would show.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return result;
}

std::string_view shape_of(Kind kind) {
  switch (kind) {
    case Kind::kChange:
      return "box";
    case Kind::kInteraction:
      return "diamond";
    case Kind::kOutput:
      return "ellipse";
  }
  return "box";
}

// All that comes next. Where changes influence much of a program, what merely depends on them is counted.
std::string next_of(const ChangeGraph& graph, uint32_t node) {
  const std::vector<uint32_t> all = graph.successors(node);
  if (all.empty()) return "";
  if (all.size() <= kMostNext) return "-> " + numbers(all);
  std::vector<uint32_t> next;
  for (const ChangeEdge& edge : graph.edges)
    if (edge.from == node && edge.is_next && next.size() < kMostNext) next.push_back(edge.to);
  return fmt::format("-> {}{}{} more", numbers(next), next.empty() ? "" : " and ", all.size() - next.size());
}

struct Row {
  std::string number;
  std::string kind;
  std::string place;
  std::string text;
  std::string next;
};

}  // namespace

std::string describe_graph(const ProgramGraph& graph) {
  std::vector<Row> rows;
  size_t kind_width = 0, place_width = 0, text_width = 0;
  for (uint32_t n = 0; n < graph.graph.nodes.size(); ++n) {
    const ChangeNode& node = graph.graph.nodes[n];
    const ProgramStatement& statement = graph.statements[node.statement];
    rows.push_back({std::to_string(n + 1), std::string(kind_of(node)), place_of(statement),
                    shortened(text_of(statement)),
                    node.is_reached ? next_of(graph.graph, n) : "never executed"});
    kind_width = std::max(kind_width, rows.back().kind.size());
    place_width = std::max(place_width, rows.back().place.size());
    text_width = std::max(text_width, rows.back().text.size());
  }
  std::string result;
  for (const Row& row : rows) {
    std::string line = fmt::format("{:>4}  {:{}}  {:{}}  {:{}}  {}", row.number, row.kind, kind_width,
                                   row.place, place_width, row.text, text_width, row.next);
    line.erase(line.find_last_not_of(' ') + 1);
    result += line + "\n";
  }
  if (!graph.graph.starts.empty())
    result += fmt::format("Sequences begin with {}.\n", numbers(graph.graph.starts));
  for (const ChangedStatement& changed : graph.changed.all)
    if (!changed.because.empty())
      result += fmt::format("{}: {}.\n", numbers({graph.graph.node_of(changed.statement)}), changed.because);
  for (const std::string& sentence : graph.changed.left_out) result += sentence + ".\n";
  return result;
}

std::string draw_graph(const ProgramGraph& graph) {
  std::string result = "digraph changes {\n";
  for (uint32_t n = 0; n < graph.graph.nodes.size(); ++n) {
    const ChangeNode& node = graph.graph.nodes[n];
    const ProgramStatement& statement = graph.statements[node.statement];
    result += fmt::format("  n{} [shape={}, label=\"{}\\n{}\"{}{}];\n", n + 1, shape_of(node.kind),
                          escaped(text_of(statement)), escaped(place_of(statement)),
                          node.is_output && node.kind == Kind::kChange ? ", peripheries=2" : "",
                          node.is_reached ? "" : ", style=dotted");
  }
  for (const ChangeEdge& edge : graph.graph.edges)
    result +=
        fmt::format("  n{} -> n{}{};\n", edge.from + 1, edge.to + 1, edge.is_next ? "" : " [style=dashed]");
  return result + "}\n";
}

}  // namespace heddle::interact
