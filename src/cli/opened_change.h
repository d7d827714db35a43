// The change that a command is asked about, in the project of the current folder.
#pragma once

#include <filesystem>
#include <string>

#include "change/project.h"
#include "change/revision.h"
#include "cli/revision_options.h"
#include "support/error.h"

namespace heddle {

struct OpenedChange {
  Repository repository;
  Project project;
  std::filesystem::path store;  // heddle's own folder
  RevisionPair revisions;
};

// `store` is the folder that the user chose, or empty.
Expected<OpenedChange> open_change(const RevisionOptions& options, const std::string& store);

}  // namespace heddle
