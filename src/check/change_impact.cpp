#include "check/change_impact.h"

#include <algorithm>

#include <fmt/format.h>

#include "check/source_names.h"
#include "execute/fork_server.h"

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
  Builder builder({.store = options.store, .compilers = options.compilers, .progress = options.step});
  Expected<ProjectBuild> base = builder.build(repository, revisions.base, project);
  if (!base) return tl::unexpected(base.error());
  Expected<ProjectBuild> head = builder.build(repository, revisions.head, project);
  if (!head) return tl::unexpected(head.error());
  result.base_build_ = std::move(*base);
  result.head_build_ = std::move(*head);
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
  if (base_suite_.find(name) != nullptr)
    return usage_error(fmt::format("the test {} is not in {}, only in {}", name, head_build_.revision.name,
                                   base_build_.revision.name));
  return usage_error(fmt::format("there is no test {} in {}; `heddle select --base {} --all` lists them",
                                 name, head_build_.revision.name, base_build_.revision.name));
}

StatementsOfBoth ChangeImpact::statements() const {
  return {.base = statements_of_base(change_.statements, names_in(base_build_)),
          .head = statements_of_head(change_.statements, names_in(head_build_))};
}

Expected<VersionOfTest> ChangeImpact::execute(const SuiteTest& test) const {
  Expected<ForkServer> server = ForkServer::start(test.command);
  if (!server) return tl::unexpected(server.error());
  RecordingOptions options;
  options.timeout = test.timeout ? std::min<std::chrono::milliseconds>(*test.timeout, project_.test_timeout)
                                 : project_.test_timeout;
  Expected<Recording> recording = record_test(*server, options);
  if (!recording) return tl::unexpected(recording.error());
  Expected<std::optional<Divergence>> divergence = repeat(*server, *recording);
  if (!divergence) return tl::unexpected(divergence.error());
  return VersionOfTest{
      .server = std::move(*server), .recording = std::move(*recording), .divergence = std::move(*divergence)};
}

Expected<std::unique_ptr<TestImpact>> ChangeImpact::look_at(const TestOfBoth& test,
                                                            Symbolizer& symbolizer) const {
  auto result = std::make_unique<TestImpact>();
  if (test.base != nullptr) {
    Expected<VersionOfTest> base = execute(*test.base);
    if (!base) return tl::unexpected(base.error());
    result->base = std::move(*base);
  }
  Expected<VersionOfTest> head = execute(*test.head);
  if (!head) return tl::unexpected(head.error());
  result->head = std::move(*head);
  result->base.symbols = std::make_unique<TraceSymbols>(result->base.recording.trace(), symbolizer);
  result->head.symbols = std::make_unique<TraceSymbols>(result->head.recording.trace(), symbolizer);
  result->base.names = names_in_base(*result->base.symbols, change_.statements, names_in(base_build_));
  result->head.names = names_in_head(*result->head.symbols, change_.statements, names_in(head_build_));
  result->impact = find_impact(result->base.recording.trace(), result->base.names,
                               result->head.recording.trace(), result->head.names);
  return result;
}

}  // namespace heddle
