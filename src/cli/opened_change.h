// The change that a command is asked about, in the project of the current folder.
#pragma once

#include <filesystem>
#include <string>

#include "change/project.h"
#include "change/revision.h"
#include "cli/revision_options.h"
#include "report/suppressions.h"
#include "support/error.h"

namespace heddle {

struct OpenedChange {
  Repository repository;
  Project project;
  std::filesystem::path store;  // heddle's own folder
  RevisionPair revisions;
};

// From the file that the user chose, or that of the project.
Expected<Suppressions> read_suppressions(const std::string& chosen, const Project& project,
                                         const std::filesystem::path& root);

// `store` is the folder that the user chose, or empty.
Expected<OpenedChange> open_change(const RevisionOptions& options, const std::string& store);

}  // namespace heddle
