// Which files others see into.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "change/statements.h"

namespace heddle {

// Whether heddle reads the file as C or C++, by its name.
bool is_source_file(const std::string& path);

// Whether the file is compiled by itself, by its name: no header.
bool is_unit_file(const std::string& path);

// Names, without folders, of the files that these include.
std::set<std::string> included_names(const std::vector<SourceFile>& files);

// Where a macro that the file defines holds: the file itself if it is a unit that is not `included`, else
// everywhere, which is "".
std::string macro_scope(const std::string& path, const std::set<std::string>& included);

}  // namespace heddle
