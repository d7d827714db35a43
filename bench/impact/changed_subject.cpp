#include "changed_subject.h"

#include <fmt/format.h>

namespace heddle::bench {

Expected<ChangedSubject> ChangedSubject::prepare(const Subject& subject, const std::filesystem::path& work,
                                                 const std::filesystem::path& compilers) {
  const std::filesystem::path folder = work / subject.name;
  Expected<SubjectRepository> made = SubjectRepository::make(subject, folder / "repository");
  if (!made) return tl::unexpected(made.error());
  ChangedSubject result(subject.name, std::move(*made));
  result.options_ = {.store = folder / "store", .compilers = compilers, .step = {}};
  std::error_code ignored;
  std::filesystem::create_directories(result.options_.store, ignored);
  const Repository& repository = result.repository_.repository();
  Expected<Project> project = read_project(repository.root());
  if (!project) return tl::unexpected(project.error());
  result.project_ = std::move(*project);
  Expected<Revision> base = result.repository_.base();
  if (!base) return tl::unexpected(base.error());
  result.base_ = std::move(*base);
  const Expected<std::vector<std::string>> files = repository.files(result.base_);
  if (!files) return tl::unexpected(files.error());
  for (const std::string& file : *files) {
    if (!file.ends_with(".cpp") && !file.ends_with(".h")) continue;
    Expected<std::string> text = repository.read(result.base_, file);
    if (!text) return tl::unexpected(text.error());
    result.sources_.emplace(file, std::move(*text));
  }
  Builder builder({.store = result.options_.store, .compilers = compilers, .progress = {}, .says = {}});
  Expected<ProjectBuild> build = builder.build(repository, result.base_, result.project_);
  if (!build) return tl::unexpected(build.error());
  result.base_build_ = std::move(*build);
  Expected<TestSuite> suite =
      discover_tests(result.project_, result.base_build_.source, result.base_build_.folder);
  if (!suite) return tl::unexpected(suite.error());
  result.base_suite_ = std::move(*suite);
  return result;
}

Expected<std::optional<ChangeImpact>> ChangedSubject::change(const std::map<std::string, std::string>& texts,
                                                             const std::string& message) {
  const Expected<Revision> head = repository_.commit(texts, message);
  if (!head) return tl::unexpected(head.error());
  const Repository& repository = repository_.repository();
  Builder builder({.store = options_.store, .compilers = options_.compilers, .progress = {}, .says = {}});
  BuildFailure failure;
  const Expected<ProjectBuild> build = builder.build(repository, *head, project_, &failure);
  if (!build && !failure.step.empty()) {
    fmt::print(stderr, "{}: {} does not compile: {}\n", name_, message, failure.words);
    return std::nullopt;
  }
  if (!build) return tl::unexpected(build.error());
  Expected<ChangeImpact> change =
      ChangeImpact::prepare(repository, project_, {.base = base_, .head = *head}, options_);
  if (!change) return tl::unexpected(change.error());
  return std::optional<ChangeImpact>(std::move(*change));
}

}  // namespace heddle::bench
