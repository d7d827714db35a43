// A change sequence graph for people: as text, and as a drawing for graphviz.
#pragma once

#include <string>

#include "interact/program_graph.h"

namespace heddle::interact {

// Nodes are numbered in the order of the text, from 1; each with what it is, its place, and where to next:
//
//     1  change       cut.c:3   lhs = false              -> 2, 3, 5
//
// A change that the program cannot come to says so. Below: where sequences begin, and what was left out.
std::string describe_graph(const ProgramGraph& graph);

// Changes are boxes, interaction locations diamonds, outputs ellipses. Edges by dependence alone are dashed.
std::string draw_graph(const ProgramGraph& graph);

}  // namespace heddle::interact
