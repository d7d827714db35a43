// The tables of a history, and how a database comes to have them.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "history/database.h"

namespace heddle {

struct Table {
  const char* name;
  int columns;
};
const std::vector<Table>& tables();

// Opens a file that may or may not exist yet, to be written. If that is forbidden, `read_only_reason` says
// why, and the result is what can be read: nothing, if there is no file.
Expected<Database> open_database(const std::string& file, std::chrono::milliseconds patience,
                                 std::string* read_only_reason);

// Opens an existing file and does not write to it. One of an older version is read as what it would become.
Expected<Database> read_database(const std::string& file, std::chrono::milliseconds patience);

}  // namespace heddle
