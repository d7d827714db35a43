// Which files others see into.
#pragma once

#include <string>
#include <vector>

#include "change/statements.h"

namespace heddle {

// Whether heddle reads the file as C or C++, by its name.
bool is_source_file(const std::string& path);

// Whether the file is compiled by itself, by its name: no header.
bool is_unit_file(const std::string& path);

// Where a macro that the file defines holds: the file itself if it is a unit that none of `files` includes,
// else everywhere, which is "".
std::string macro_scope(const SourceFile& file, const std::vector<SourceFile>& files);

}  // namespace heddle
