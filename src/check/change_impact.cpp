#include "check/change_impact.h"

#include <algorithm>

#include <fmt/format.h>

#include "check/both_builds.h"
#include "check/source_names.h"

namespace heddle {
namespace {

NameOfFile names_in(const ProjectBuild& build) {
  auto names = std::make_shared<SourceNames>(build.source, build.folder);
  return [names](const std::string& file) { return names->name_of(file); };
}

}  // namespace

Expected<ChangeImpact> ChangeImpact::prepare(const Repository& repository, const Project& project,
                                             const RevisionPair& revisions,
                                             const ChangeImpactOptions& options) {
  ChangeImpact result;
  result.project_ = project;
  Expected<SourceChange> change = compare_sources(repository, revisions.base, revisions.head);
  if (!change) return tl::unexpected(change.error());
  result.change_ = std::move(*change);
  Expected<BothBuilds> builds =
      build_both({.store = options.store, .compilers = options.compilers, .progress = options.step},
                 repository, project, revisions, WithoutBase::kFails);
  if (!builds) return tl::unexpected(builds.error());
  result.base_build_ = std::move(builds->base);
  result.head_build_ = std::move(builds->head);
  Expected<TestSuite> base_suite =
      discover_tests(project, result.base_build_.source, result.base_build_.folder);
  if (base_suite) result.base_suite_ = std::move(*base_suite);  // else all tests are new
  Expected<TestSuite> head_suite =
      discover_tests(project, result.head_build_.source, result.head_build_.folder);
  if (!head_suite) return tl::unexpected(head_suite.error());
  result.head_suite_ = std::move(*head_suite);
  return result;
}

Expected<TestOfBoth> ChangeImpact::find(const std::string& name) const {
  TestOfBoth found;
  found.head = head_suite_.find(name);
  if (found.head != nullptr) {
    found.base = base_suite_.find_same(*found.head);
    return found;
  }
  if (is_gone(name))
    return usage_error(fmt::format("the test {} is not in {}, only in {}", name, head_build_.revision.name,
                                   base_build_.revision.name));
  return usage_error(fmt::format("there is no test {} in {}; `heddle select --base {} --all` lists them",
                                 name, head_build_.revision.name, base_build_.revision.name));
}

bool ChangeImpact::is_gone(const std::string& name) const {
  return head_suite_.find(name) == nullptr && base_suite_.find(name) != nullptr;
}

NameOfFile ChangeImpact::base_files() const {
  return names_in(base_build_);
}

NameOfFile ChangeImpact::head_files() const {
  return names_in(head_build_);
}

StatementsOfBoth ChangeImpact::statements() const {
  return {.base = statements_of_base(change_.statements, base_files()),
          .head = statements_of_head(change_.statements, head_files())};
}

std::chrono::milliseconds ChangeImpact::timeout_of(const SuiteTest& test) const {
  return test.timeout ? std::min<std::chrono::milliseconds>(*test.timeout, project_.test_timeout)
                      : project_.test_timeout;
}

}  // namespace heddle
