// A history as one file that can be carried elsewhere: a cache of a CI system, an artifact, another machine.
#pragma once

#include <string>

#include "history/history.h"
#include "support/error.h"

namespace heddle {

// All that the history knows at one moment, while others go on writing. The file appears under its name when
// it is complete, and replaces one that is there; it is compressed (zstd) if the name ends in .zst.
Expected<void> export_history(History& history, const std::string& file);

// Adds what an exported file, or the history.db of another project's folder, knows. Whether it is compressed
// is seen from what it contains. An error leaves the history as it was.
Expected<void> import_history(History& history, const std::string& file);

}  // namespace heddle
