#include "cli/interact_stage.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "check/changed_programs.h"
#include "check/stages/stage_memory.h"
#include "cli/interact_report.h"
#include "interact/campaign/campaign.h"
#include "interact/campaign/preparation.h"
#include "report/text.h"
#include "support/interruption.h"

namespace heddle {
namespace {

using Clock = std::chrono::steady_clock;

// A program that hangs is executed several times before that is believed.
constexpr std::chrono::milliseconds kRunTimeout{1'000};

// A program, its versions made, its inputs tried.
class ProgramLook {
 public:
  ProgramLook(CheckState& state, std::string program) : state_(state), program_(std::move(program)) {}

  // Compiles all of its forms.
  Expected<void> prepare() {
    Expected<interact::ChangedVersions> versions =
        interact::prepare_versions({.repository = state_.repository,
                                    .project = state_.project,
                                    .revisions = {state_.result.base, state_.result.head},
                                    .golden = {},
                                    .store = state_.options.store,
                                    .compilers = state_.options.compilers,
                                    .program = program_,
                                    .is_function = false,
                                    .graph = {.with_unimportant = false, .past_outputs = true},
                                    .progress = state_.listener.build});
    if (!versions) return tl::unexpected(versions.error());
    versions_ = std::make_unique<interact::ChangedVersions>(std::move(*versions));
    if (!is_reached()) return {};
    const Expected<interact::InputShape> inputs = interact::make_shape({}, versions_->words);
    if (!inputs) return tl::unexpected(inputs.error());
    inputs_ = *inputs;
    interact::SearchOptions searching;
    searching.seed = state_.options.order_seed;
    Expected<std::unique_ptr<interact::Engines>> engines =
        interact::Engines::create(*versions_, inputs_,
                                  {.store = state_.options.store,
                                   .compilers = state_.options.compilers,
                                   .program = program_,
                                   .is_function = false,
                                   .search = searching,
                                   .ignored = {},
                                   .run_timeout = kRunTimeout,
                                   .progress = state_.listener.build});
    if (!engines) return tl::unexpected(engines.error());
    engines_ = std::move(*engines);
    return {};
  }

  // Whether the program can come to what has changed.
  bool is_reached() const { return !versions_->graph.graph.starts.empty(); }

  Expected<interact::CampaignResult> run(Clock::time_point deadline) {
    interact::CampaignOptions campaign;
    campaign.deadline = deadline;
    campaign.seeds = inputs_.seeds;
    campaign.is_of_shape = [&](const concolic::ProgramInput& input) {
      return interact::fits(input, inputs_);
    };
    campaign.progress = [&](const interact::CampaignResult& so_far) {
      if (state_.listener.build)
        state_.listener.build(fmt::format("{}: {} tried, {} differ", program_,
                                          count_of(so_far.inputs_tried, "input"), so_far.inputs_differing));
    };
    return interact::run_campaign(versions_->graph, engines_->tiers(), engines_->differential(), campaign);
  }

  const interact::ChangedVersions& versions() const { return *versions_; }

 private:
  CheckState& state_;
  const std::string program_;
  std::unique_ptr<interact::ChangedVersions> versions_;
  interact::InputShape inputs_;
  std::unique_ptr<interact::Engines> engines_;
};

class InteractStage final : public Stage {
 public:
  std::string name() const override { return "interact"; }
  double weight() const override { return 3; }

  std::string idle(const CheckState& state) const override {
    if (!state.has_base()) return "the base does not build";
    if (state.result.selection.is_empty_change) return "nothing that is compiled means anything else";
    if (programs(state).empty()) return "the change is in no program that is not a test";
    return {};
  }

  Expected<void> run(CheckState& state, Deadline deadline, StageReport* report) override {
    report->own["programs"] = nlohmann::ordered_json::array();
    StageMemory memory(state, this->name(), state.options.order_seed);
    const std::vector<std::string>& all = programs(state);
    for (size_t i = 0; i < all.size() && !was_interrupted(); ++i) {
      const std::string& program = all[i];
      if (!state.options.shard.has(program)) continue;
      if (memory.recall(program, nullptr)) {
        ++report->reused;
        continue;
      }
      if (Clock::now() >= deadline) {
        report->not_reached.push_back(program);
        continue;
      }
      state.say(fmt::format("making up inputs for {}", program));
      const size_t before = state.result.findings.size();
      const Expected<bool> complete = look_into(state, program, deadline, all.size() - i, report);
      if (complete)
        memory.keep(program, nullptr, before, *complete);
      else if (!was_interrupted())
        report->notes.push_back(
            fmt::format("no inputs were made for {}: {}", program, complete.error().message));
    }
    return {};
  }

 private:
  // Asked of a state whose change stays as it is.
  const std::vector<std::string>& programs(const CheckState& state) const {
    if (!are_known_) {
      are_known_ = true;
      const Expected<SourceChange> change =
          compare_sources(state.repository, state.result.base, state.result.head);
      if (change) programs_ = changed_programs(state.result.head_build, *change, state.head_suite);
    }
    return programs_;
  }

  // What it takes to compile the program's forms is no part of the budget. Gives whether nothing is left to
  // try.
  static Expected<bool> look_into(CheckState& state, const std::string& program, Deadline& deadline,
                                  size_t programs_left, StageReport* report) {
    const Clock::time_point began = Clock::now();
    ProgramLook look(state, program);
    const Expected<void> prepared = look.prepare();
    const auto built = Clock::now() - began;
    report->built += std::chrono::duration_cast<std::chrono::milliseconds>(built);
    deadline += built;
    if (!prepared) return tl::unexpected(prepared.error());
    if (!look.is_reached()) {
      report->own["programs"].push_back({{"name", program}, {"reached", false}});
      return true;
    }
    const Clock::time_point now = Clock::now();
    const Expected<interact::CampaignResult> result =
        look.run(now + (deadline - now) / static_cast<int64_t>(programs_left));
    if (!result) return tl::unexpected(result.error());
    state.result.executions += result->search.executions + result->fast.executions;
    const InteractStory story{look.versions(), *result, program,
                              std::vector<std::string>(result->kept.size())};
    size_t differences = 0;
    for (Finding& finding : findings_of(story)) {
      // That a changed program does something else is what changes are for; that it breaks is not.
      if (finding.kind == "output-difference")
        ++differences;
      else
        add(story, std::move(finding), state);
    }
    nlohmann::ordered_json own = {{"name", program}, {"reached", true}};
    own.update(own_fields(story));
    report->own["programs"].push_back(std::move(own));
    report->notes.push_back(fmt::format("{}: {} tried, {} to which it answers otherwise than in {}", program,
                                        count_of(result->inputs_tried, "input"),
                                        count_of(result->inputs_differing, "input"), state.result.base.name));
    if (differences > 0 && result->kept.size() > 0)
      report->notes.push_back(fmt::format("`heddle interact --base {} --program {}` shows them",
                                          state.result.base.name, program));
    return result->complete;
  }

  // One failure may show after many sequences of changes; it is told with its first input.
  static void add(const InteractStory& story, Finding finding, CheckState& state) {
    const std::string failure = finding.identity.empty() ? "" : finding.identity.front();
    const std::string sameness = fmt::format("{} {} {}", story.program, finding.kind, failure);
    const bool is_there = std::ranges::any_of(
        state.result.findings, [&](const CheckFinding& other) { return other.found.sameness == sameness; });
    if (is_there) return;
    for (const interact::InteractionError& error : story.result.interaction_errors) {
      if (story.result.failures[error.failure] != failure || error.critical.size() < 2) continue;
      std::vector<std::string> changes;
      for (const interact::StatementIndex statement : error.critical)
        changes.push_back(statement_text(story.versions.graph, statement));
      finding.message += fmt::format("; it takes these changes together: {}", join_words(changes));
    }
    CheckFinding& added = state.result.findings.emplace_back();
    added.found.sameness = sameness;
    added.found.finding = std::move(finding);
  }

  mutable bool are_known_ = false;
  mutable std::vector<std::string> programs_;
};

}  // namespace

std::unique_ptr<Stage> make_interact_stage() {
  return std::make_unique<InteractStage>();
}

}  // namespace heddle
