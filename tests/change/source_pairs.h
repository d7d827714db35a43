// Two versions of sources as strings, and what a StatementMap says of them as lines that a person can read.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "change/statement_map.h"

namespace heddle {

using Sources = std::map<std::string, std::string>;  // path → text

StatementMap map_of(const Sources& before, const Sources& after,
                    std::map<std::string, std::string> renamed = {});

// One line per change, sorted, without spaces:
//   "+f:x++;"  "-f:x++;"  "~f:x++;→x+=2;"  "decl~f:x++;"  "macro~f:x++;"  "unknown+"
// where f is the name of the function (of the new version, if it is in both).
std::vector<std::string> change_lines(const StatementMap& map);

// The same for one file, whose name is a.cpp; expected lines are compared without spaces, in any order.
void expect_changes(const std::string& before, const std::string& after, std::vector<std::string> expected);
void expect_changes(const StatementMap& map, std::vector<std::string> expected);

std::string without_spaces(std::string text);

}  // namespace heddle
