// Where a class is in a project: from its headers and compile_commands.json to what it takes to compile it.
#pragma once

#include <filesystem>
#include <string>

#include "generate/class_sources.h"
#include "support/error.h"

namespace heddle::generate {

// Headers that are files get the name by which code includes them, and a folder in the flags if none of the
// flags finds them. Paths are relative to the current folder.
void place_headers(ClassSources* sources);

// Adds compiler and flags of the entry that belongs to the first header: its source of the same name, else
// the nearest; and, unless the user has named sources, the one of the same name as source and the others of
// the project as what may be needed beside it. `database` is the file or its folder.
Expected<void> add_from_database(const std::filesystem::path& database, ClassSources* sources);

}  // namespace heddle::generate
