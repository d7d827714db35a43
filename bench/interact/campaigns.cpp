#include "campaigns.h"

#include <algorithm>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "change/project.h"
#include "interact/campaign/campaign.h"
#include "interact/campaign/loop_settings.h"
#include "interact/campaign/preparation.h"
#include "support/cpu_time.h"
#include "support/interruption.h"

namespace heddle::bench {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr uint64_t kMostAgainstItself = 2'000;
// Wall time for each second of the budget, on a machine that others use, too.
constexpr int kMostWait = 30;

size_t count_lines(const fs::path& folder) {
  size_t lines = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const fs::path extension = entry.path().extension();
    if (extension != ".c" && extension != ".h" && extension != ".cpp") continue;
    std::ifstream stream(entry.path());
    for (std::string line; std::getline(stream, line);) ++lines;
  }
  return lines;
}

size_t count_nodes(const interact::ChangeGraph& graph, interact::ChangeNode::Kind kind) {
  return static_cast<size_t>(std::ranges::count_if(
      graph.nodes, [&](const interact::ChangeNode& node) { return node.kind == kind; }));
}

// A golden version tells an error by a failure of its name.
std::string failure_of(const Revision& golden) {
  return "not as " + golden.name;
}

class SubjectCampaigns {
 public:
  SubjectCampaigns(const ProgramSubject& subject, const CampaignSettings& settings)
      : subject_(subject), settings_(settings), store_(settings.work / subject.name / "store") {}

  Expected<SubjectFigures> run() {
    const Expected<ProgramRevisions> revisions =
        make_revisions(subject_, settings_.work / subject_.name / "repository");
    if (!revisions) return tl::unexpected(revisions.error());
    Expected<Project> project = read_project(revisions->repository.root());
    if (!project) return tl::unexpected(project.error());
    std::error_code ignored;
    fs::create_directories(store_, ignored);
    Expected<interact::ChangedVersions> versions =
        interact::prepare_versions({.repository = revisions->repository,
                                    .project = *project,
                                    .revisions = {revisions->base, revisions->head},
                                    .golden = revisions->golden,
                                    .store = store_,
                                    .compilers = settings_.compilers,
                                    .program = subject_.name,
                                    .graph = {.past_outputs = true},
                                    .progress = {}});
    if (!versions) return tl::unexpected(versions.error());
    Expected<interact::InputShape> shape = interact::make_shape(
        {.arguments = subject_.arguments, .standard_input = subject_.standard_input, .file = {}},
        versions->words);
    if (!shape) return tl::unexpected(shape.error());

    SubjectFigures figures{.subject = subject_};
    const interact::ChangeGraph& graph = versions->graph.graph;
    figures.lines = count_lines(subject_.folder / "base");
    figures.changes = count_nodes(graph, interact::ChangeNode::Kind::kChange);
    figures.interactions = count_nodes(graph, interact::ChangeNode::Kind::kInteraction);
    figures.outputs = count_nodes(graph, interact::ChangeNode::Kind::kOutput);
    figures.edges = graph.edges.size();
    for (const uint64_t seed : settings_.seeds) {
      for (const interact::Tier tier : settings_.tiers) {
        for (const interact::Guide guide : settings_.guides) {
          if (was_interrupted()) return figures;
          Expected<CampaignFigures> campaign = run_campaign(*versions, *shape, tier, guide, seed);
          if (!campaign) return tl::unexpected(campaign.error());
          tell(*campaign);
          figures.campaigns.push_back(std::move(*campaign));
        }
      }
    }
    if (settings_.against_itself == 0) return figures;
    if (const Expected<void> tried = try_against_itself(*versions, *shape, &figures); !tried)
      return tl::unexpected(tried.error());
    if (const Expected<void> tried = execute_against_itself(*versions, *shape, &figures); !tried)
      return tl::unexpected(tried.error());
    return figures;
  }

 private:
  Expected<std::unique_ptr<interact::Engines>> engines(const interact::ChangedVersions& versions,
                                                       const interact::InputShape& shape, interact::Tier tier,
                                                       interact::Guide guide, uint64_t seed) const {
    interact::SearchOptions searching;
    searching.guide = guide;
    searching.seed = seed;
    return interact::Engines::create(versions, shape,
                                     {.store = store_,
                                      .compilers = settings_.compilers,
                                      .program = subject_.name,
                                      .search = searching,
                                      .tier = tier,
                                      .ignored = {},
                                      .progress = {}});
  }

  Expected<CampaignFigures> run_campaign(const interact::ChangedVersions& versions,
                                         const interact::InputShape& shape, interact::Tier tier,
                                         interact::Guide guide, uint64_t seed) const {
    const Expected<std::unique_ptr<interact::Engines>> used = engines(versions, shape, tier, guide, seed);
    if (!used) return tl::unexpected(used.error());
    const double cpu_before = cpu_time_with_children().count();
    interact::CampaignOptions options;
    options.deadline = Clock::now() + kMostWait * std::chrono::ceil<std::chrono::seconds>(settings_.budget);
    options.seeds = shape.seeds;
    std::set<std::string> wanted;
    for (const interact::ProgramVersion& golden : versions.golden) {
      options.golden.push_back(golden.revision.name);
      wanted.insert(failure_of(golden.revision));
    }
    options.is_of_shape = [&](const concolic::ProgramInput& input) { return interact::fits(input, shape); };
    options.is_enough = [&](const interact::CampaignResult& result) {
      if (cpu_time_with_children().count() - cpu_before >= settings_.budget.count()) return true;
      std::set<std::string> found;
      for (const interact::KeptInput& kept : result.kept)
        for (const uint32_t failure : kept.failures) found.insert(result.failures[failure]);
      return std::ranges::includes(found, wanted);
    };
    const Expected<interact::CampaignResult> result =
        interact::run_campaign(versions.graph, (*used)->tiers(), (*used)->differential(), options);
    if (!result) return tl::unexpected(result.error());

    CampaignFigures figures{.tier = tier, .guide = guide, .seed = seed};
    for (const interact::ProgramVersion& golden : versions.golden)
      figures.errors.push_back(first_of(*result, failure_of(golden.revision)));
    figures.cpu_seconds = cpu_time_with_children().count() - cpu_before;
    figures.executions = result->search.executions + result->fast.executions;
    figures.solver_calls = result->search.solver.solver_calls;
    figures.tried = result->inputs_tried;
    figures.differing = result->inputs_differing;
    figures.failing = result->inputs_failing;
    figures.on_critical = result->on_critical_sequences;
    figures.failing_on_critical = result->failing_on_critical_sequences;
    figures.interaction_errors = result->interaction_errors.size();
    figures.reached_edges = result->reached_edges;
    figures.predicted = result->search.predicted;
    figures.elsewhere = result->search.elsewhere;
    return figures;
  }

  static std::optional<Found> first_of(const interact::CampaignResult& result, const std::string& failure) {
    for (const interact::KeptInput& kept : result.kept)
      for (const uint32_t index : kept.failures)
        if (result.failures[index] == failure)
          return Found{kept.found_at_cpu.count(), kept.found_at_execution, kept.found_at_solver_call};
    return {};
  }

  Expected<void> try_against_itself(const interact::ChangedVersions& versions,
                                    const interact::InputShape& shape, SubjectFigures* figures) const {
    const Expected<std::unique_ptr<interact::Engines>> used =
        engines(versions, shape, interact::Tier::kSymbolic, interact::Guide::kGraph, settings_.seeds.front());
    if (!used) return tl::unexpected(used.error());
    const interact::VersionPrograms base{
        .name = versions.base.revision.name, .plain = versions.base.plain, .guarded = versions.base.guarded};
    Expected<interact::Differential> differential = interact::Differential::create(
        {.base = base, .head = base, .golden = {}, .folder = store_ / "itself", .limits = {}, .ignored = {}});
    if (!differential) return tl::unexpected(differential.error());
    const Clock::time_point deadline =
        Clock::now() + std::chrono::ceil<std::chrono::seconds>(settings_.budget);
    while (figures->tried_against_itself < kMostAgainstItself && !was_interrupted()) {
      const Expected<std::optional<interact::SearchedInput>> next = (*used)->search().next(deadline);
      if (!next) return tl::unexpected(next.error());
      if (!*next) break;
      Expected<interact::Differing> tried = differential->try_input((*next)->input);
      if (!tried) return tl::unexpected(tried.error());
      ++figures->tried_against_itself;
      if (tried->aspects.empty()) continue;
      const Expected<interact::Difference> confirmed = differential->confirm(&*tried);
      if (!confirmed) return tl::unexpected(confirmed.error());
      if (*confirmed == interact::Difference::kDiffers || *confirmed == interact::Difference::kError)
        ++figures->false_differences;
    }
    return {};
  }

  // The whole loop, with the base as both versions.
  Expected<void> execute_against_itself(const interact::ChangedVersions& versions,
                                        const interact::InputShape& shape, SubjectFigures* figures) const {
    interact::VersionMaker maker({.store = store_,
                                  .compilers = settings_.compilers,
                                  .program = subject_.name,
                                  .is_function = false,
                                  .progress = {}});
    const Expected<fs::path> fast = maker.make_fast(versions.base, {});
    if (!fast) return tl::unexpected(fast.error());
    const interact::VersionPrograms base{
        .name = versions.base.revision.name, .plain = versions.base.plain, .guarded = versions.base.guarded};
    Expected<interact::Differential> differential = interact::Differential::create(
        {.base = base, .head = base, .golden = {}, .folder = store_ / "itself", .limits = {}, .ignored = {}});
    if (!differential) return tl::unexpected(differential.error());
    fast::FastOptions options;
    options.versions = {{*fast, "", versions.base.plain}, {*fast, "", versions.base.plain}};
    options.folder = store_ / "loop";
    options.limits.program_name = subject_.name;
    Expected<fuzz::FastTier> tier =
        fuzz::FastTier::create(std::move(options), [&](const std::vector<uint64_t>& offsets) {
          return interact::make_loop_settings({.graph = versions.graph,
                                               .shape = shape,
                                               .watched = {},
                                               .words = versions.words,
                                               .dictionary = {},
                                               .ignored = {},
                                               .head = *fast,
                                               .edge_offsets = offsets});
        });
    if (!tier) return tl::unexpected(tier.error());
    Expected<void> status;
    fuzz::FastTier::Handlers handlers;
    handlers.differs = [&](const fuzz::FoundDifference& found) {
      Expected<interact::Differing> tried = differential->try_input(found.input);
      const Expected<interact::Difference> confirmed =
          tried ? differential->confirm(&*tried) : tl::unexpected(tried.error());
      if (!confirmed) status = tl::unexpected(confirmed.error());
      figures->candidates_against_itself += 1;
      if (confirmed &&
          (*confirmed == interact::Difference::kDiffers || *confirmed == interact::Difference::kError))
        ++figures->false_differences;
    };
    handlers.is_interrupted = was_interrupted;
    const Expected<std::optional<fuzz::SliceReport>> report =
        tier->run_slice({.milliseconds = kMostWait * 1000 * 60,
                         .most_executions = settings_.against_itself,
                         .seeds = shape.seeds,
                         .done = {}},
                        handlers);
    if (!report) return tl::unexpected(report.error());
    if (*report) figures->executed_against_itself = (*report)->executions;
    return status;
  }

  void tell(const CampaignFigures& campaign) const {
    if (!settings_.progress) return;
    std::string text = fmt::format("{}: {}, {}, seed {}: {:.1f} CPU s, {} executions;", subject_.name,
                                   name_of(campaign.tier), name_of(campaign.guide), campaign.seed,
                                   campaign.cpu_seconds, campaign.executions);
    for (size_t e = 0; e < campaign.errors.size(); ++e)
      text += campaign.errors[e]
                  ? fmt::format(" {} {:.2f}", subject_.errors[e].name, campaign.errors[e]->cpu_seconds)
                  : fmt::format(" {} -", subject_.errors[e].name);
    settings_.progress(text);
  }

  const ProgramSubject& subject_;
  const CampaignSettings& settings_;
  const fs::path store_;
};

}  // namespace

Expected<SubjectFigures> run_campaigns(const ProgramSubject& subject, const CampaignSettings& settings) {
  return SubjectCampaigns(subject, settings).run();
}

const char* name_of(interact::Tier tier) {
  switch (tier) {
    case interact::Tier::kFast:
      return "fast";
    case interact::Tier::kSymbolic:
      return "symbolic";
    case interact::Tier::kBoth:
      return "both";
  }
  return "";
}

const char* name_of(interact::Guide guide) {
  switch (guide) {
    case interact::Guide::kGraph:
      return "csg";
    case interact::Guide::kIsolated:
      return "isolated";
    case interact::Guide::kUndirected:
      return "none";
  }
  return "";
}

}  // namespace heddle::bench
