#include "cli/opened_change.h"

#include "cli/project_store.h"
#include "cli/test_options.h"

namespace heddle {

Expected<Suppressions> read_suppressions(const std::string& chosen, const Project& project,
                                         const std::filesystem::path& root) {
  TestOptions reading;
  reading.suppressions =
      chosen.empty() && !project.suppressions.empty() ? (root / project.suppressions).string() : chosen;
  return reading.read_suppressions();
}

Expected<OpenedChange> open_change(const RevisionOptions& options, const std::string& store) {
  Expected<Repository> repository = Repository::open(std::filesystem::current_path());
  if (!repository) return tl::unexpected(repository.error());
  Expected<Project> project = read_project(repository->root());
  if (!project) return tl::unexpected(project.error());
  Expected<std::filesystem::path> folder = prepare_store(store, repository->root());
  if (!folder) return tl::unexpected(folder.error());
  Expected<RevisionPair> revisions = resolve_change(*repository, options.base, options.head);
  if (!revisions) return tl::unexpected(revisions.error());
  return OpenedChange{std::move(*repository), std::move(*project), std::move(*folder), std::move(*revisions)};
}

}  // namespace heddle
