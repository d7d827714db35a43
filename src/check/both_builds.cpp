#include "check/both_builds.h"

#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "support/interruption.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

// Less than the objects of a small program take.
constexpr uintmax_t kNoRoom = uintmax_t{1} << 20;

std::string lack_of_room(const fs::path& store) {
  std::error_code failed;
  const fs::space_info space = fs::space(store, failed);
  if (failed || space.available >= kNoRoom) return "";
  return fmt::format("\nthe disk is full: {} KB are left for {}", space.available / 1024, store.string());
}

}  // namespace

std::string name_to_build(const Revision& revision) {
  const std::string commit = revision.commit.substr(0, 12);
  if (!revision.is_working_tree || revision.is_as_committed) return commit;
  return fmt::format("a working tree that differs from {}", commit);
}

Expected<ProjectBuild> build_revision(const Builder::Options& options, const Repository& repository,
                                      const Project& project, const Revision& revision) {
  Expected<ProjectBuild> built = Builder(options).build(repository, revision, project);
  if (!built && !was_interrupted()) built.error().message += lack_of_room(options.store);
  return built;
}

Expected<BothBuilds> build_both(const Builder::Options& options, const Repository& repository,
                                const Project& project, const RevisionPair& revisions, WithoutBase rule) {
  BothBuilds builds;
  const std::optional<ProjectBuild> head_before = Builder(options).find(repository, revisions.head, project);
  Expected<ProjectBuild> base = build_revision(options, repository, project, revisions.base);
  if (!base && (rule == WithoutBase::kFails || was_interrupted())) return tl::unexpected(base.error());
  if (base) {
    builds.base = std::move(*base);
  } else {
    builds.base.revision = revisions.base;
    builds.base_failure = base.error().message;
    if (options.progress)
      options.progress(fmt::format("{} does not build, why is told at the end; {} is tried without it",
                                   revisions.base.name, revisions.head.name));
  }
  Expected<ProjectBuild> head = build_revision(options, repository, project, revisions.head);
  if (!head) {
    // One reason for both is told once.
    Error error = head.error();
    if (!builds.base_failure.empty() && builds.base_failure != error.message && !was_interrupted())
      error.message = builds.base_failure + "\n" + error.message;
    return tl::unexpected(error);
  }
  builds.head = std::move(*head);
  return builds;
}

}  // namespace heddle
