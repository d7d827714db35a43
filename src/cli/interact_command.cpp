// `heddle interact`: inputs that show how changes work together, and what they have broken.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>

#include <fmt/format.h>

#include "cli/budget.h"
#include "cli/command_line.h"
#include "cli/interact_report.h"
#include "cli/opened_change.h"
#include "cli/progress.h"
#include "cli/project_store.h"
#include "cli/reports.h"
#include "cli/revision_options.h"
#include "generate/test_folder.h"
#include "interact/campaign/campaign.h"
#include "interact/campaign/preparation.h"
#include "interact/campaign/regression_test.h"
#include "interact/fuzz/dictionary.h"
#include "interact/graph_text.h"
#include "report/text.h"
#include "support/interruption.h"
#include "trace/atomic_file.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct InteractCommandOptions : RevisionOptions {
  std::vector<std::string> golden;
  std::string program;
  std::string function;
  std::string arguments;
  bool has_arguments = false;
  std::optional<uint32_t> standard_input;
  std::string file;
  std::string budget = "5m";
  std::string run_timeout = "2s";
  std::string guide = "csg";
  std::string tier = "both";
  std::string dictionary;
  uint64_t seed = 1;
  size_t most_differences = 100;
  bool graph_only = false;
  bool all_locations = false;
  std::string dot;
  std::string out;
  bool force = false;
  std::vector<std::string> ignored;
  std::string store;
  ReportOptions report;
};

interact::Guide guide_of(const std::string& name) {
  if (name == "isolated") return interact::Guide::kIsolated;
  return name == "none" ? interact::Guide::kUndirected : interact::Guide::kGraph;
}

interact::Tier tier_of(const std::string& name) {
  if (name == "fast") return interact::Tier::kFast;
  return name == "symbolic" ? interact::Tier::kSymbolic : interact::Tier::kBoth;
}

Expected<std::vector<std::string>> read_dictionary(const std::string& path) {
  std::vector<std::string> words;
  if (path.empty()) return words;
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) return usage_error(fmt::format("--dict: cannot read {}", path));
  Expected<std::vector<std::string>> parsed = fuzz::parse_dictionary(text.str());
  if (!parsed) return usage_error(fmt::format("--dict {}: {}", path, parsed.error().message));
  return parsed;
}

Expected<void> write_text(const std::string& path, const std::string& text) {
  Expected<trace::AtomicFile> file = trace::AtomicFile::create(path);
  if (!file) return tl::unexpected(file.error());
  const Expected<void> written = file->write(text);
  return written ? file->commit() : written;
}

class InteractRun {
 public:
  InteractRun(const InteractCommandOptions& options, const Reports& reports, const OpenedChange& opened,
              std::chrono::milliseconds budget, std::chrono::milliseconds run_timeout)
      : options_(options), reports_(reports), opened_(opened), budget_(budget), run_timeout_(run_timeout) {}

  Expected<int> run() {
    if (const Expected<void> checked = check_options(); !checked) return tl::unexpected(checked.error());
    std::optional<generate::TestFolder> tests;
    if (!options_.out.empty() && !options_.graph_only) {
      Expected<generate::TestFolder> folder = generate::TestFolder::open(options_.out, options_.force);
      if (!folder) return tl::unexpected(folder.error());
      tests = std::move(*folder);
    }
    end_jobs_on_interruption();
    Expected<interact::ChangedVersions> versions = prepare();
    progress_.clear();
    if (was_interrupted()) return interrupted();
    if (!versions) return tl::unexpected(versions.error());
    if (const Expected<void> told = tell_graph(*versions); !told) return tl::unexpected(told.error());

    interact::CampaignResult result;
    const bool has_changes = has_reached_change(versions->graph.graph);
    if (!has_changes) say_why_nothing_is_done(*versions);
    result.complete = !has_changes;
    if (!options_.graph_only && has_changes) {
      Expected<interact::CampaignResult> found = look_for_inputs(*versions);
      progress_.clear();
      if (!found && was_interrupted()) return interrupted();
      if (!found) return tl::unexpected(found.error());
      result = std::move(*found);
    }
    return finish(*versions, result, tests);
  }

 private:
  static int interrupted() {
    say("interrupted");
    return exit_code::kInterrupted;
  }

  static bool has_reached_change(const interact::ChangeGraph& graph) { return !graph.starts.empty(); }

  void say_why_nothing_is_done(const interact::ChangedVersions& versions) const {
    if (!versions.change.is_reworded) {
      say("no statement has changed, so no input is looked for");
    } else {
      say("the program cannot come to a changed statement, so no input is looked for");
    }
    if (!versions.change.opaque.empty())
      say(fmt::format("what is no C or C++ is not followed, though it has changed: {}",
                      join_words(versions.change.opaque)));
  }

  Expected<void> check_options() const {
    if (!options_.program.empty() && !options_.function.empty())
      return usage_error("--program and --function exclude each other: one program is looked at");
    if (!options_.function.empty() && (options_.has_arguments || !options_.file.empty()))
      return usage_error(
          "what --function names takes its input as bytes (--stdin N): leave out --args and --file");
    if (const Expected<void> ignored = interact::check({options_.ignored}); !ignored) return ignored;
    // Before anything is built.
    if (const auto words = read_dictionary(options_.dictionary); !words) return tl::unexpected(words.error());
    const Expected<interact::InputShape> inputs = shape({});
    return inputs ? Expected<void>() : tl::unexpected(inputs.error());
  }

  std::function<void(const std::string&)> step() {
    return [this](const std::string& text) { progress_.update([&] { return text; }); };
  }

  const std::string& unit_or_program() const {
    return options_.function.empty() ? options_.program : options_.function;
  }

  Expected<interact::ChangedVersions> prepare() {
    interact::ChangedProgramRequest request{
        .repository = opened_.repository,
        .project = opened_.project,
        .revisions = opened_.revisions,
        .golden = {},
        .store = opened_.store,
        .compilers = own_folder(),
        .program = unit_or_program(),
        .is_function = !options_.function.empty(),
        .graph = {.with_unimportant = options_.all_locations, .past_outputs = true},
        .progress = step()};
    for (const std::string& name : options_.golden) {
      const Expected<Revision> revision = opened_.repository.resolve(name);
      if (!revision) return tl::unexpected(revision.error());
      request.golden.push_back(*revision);
    }
    return interact::prepare_versions(request);
  }

  Expected<void> tell_graph(const interact::ChangedVersions& versions) const {
    for (const std::string& unit : versions.not_understood) say("not understood: " + unit);
    if (options_.graph_only && !reports_.takes_standard_output())
      fmt::print("{}", interact::describe_graph(versions.graph));
    if (!options_.graph_only) say(summarize_graph(versions.graph));
    if (options_.dot.empty()) return {};
    return write_text(options_.dot, interact::draw_graph(versions.graph));
  }

  Expected<interact::InputShape> shape(const interact::OptionWords& words) const {
    interact::ShapeRequest request{
        .arguments = {}, .standard_input = options_.standard_input, .file = options_.file};
    if (options_.has_arguments) request.arguments = options_.arguments;
    if (!options_.function.empty()) {
      request.arguments = "";
      if (!request.standard_input) request.standard_input = 64;
    }
    return interact::make_shape(request, words);
  }

  Expected<interact::CampaignResult> look_for_inputs(const interact::ChangedVersions& versions) {
    const Expected<interact::InputShape> inputs = shape(versions.words);
    if (!inputs) return tl::unexpected(inputs.error());
    Expected<std::vector<std::string>> dictionary = read_dictionary(options_.dictionary);
    if (!dictionary) return tl::unexpected(dictionary.error());
    interact::SearchOptions searching;
    searching.guide = guide_of(options_.guide);
    searching.seed = options_.seed;
    Expected<std::unique_ptr<interact::Engines>> engines =
        interact::Engines::create(versions, *inputs,
                                  {.store = opened_.store,
                                   .compilers = own_folder(),
                                   .program = unit_or_program(),
                                   .is_function = !options_.function.empty(),
                                   .search = searching,
                                   .tier = tier_of(options_.tier),
                                   .dictionary = std::move(*dictionary),
                                   .ignored = {options_.ignored},
                                   .run_timeout = run_timeout_,
                                   .progress = step()});
    progress_.clear();
    if (!engines) return tl::unexpected(engines.error());
    say("inputs: " + interact::describe_shape(*inputs));
    if (!(*engines)->fast_trouble().empty()) say((*engines)->fast_trouble());
    const Clock::time_point began = Clock::now();
    interact::CampaignOptions campaign;
    campaign.deadline = began + budget_;
    campaign.most_kept = options_.most_differences;
    campaign.seeds = inputs->seeds;
    campaign.is_enough = [&](const interact::CampaignResult& so_far) {
      return so_far.kept.size() >= options_.most_differences;
    };
    for (const interact::ProgramVersion& golden : versions.golden)
      campaign.golden.push_back(golden.revision.name);
    campaign.is_of_shape = [&](const concolic::ProgramInput& input) {
      return interact::fits(input, *inputs);
    };
    campaign.progress = [&](const interact::CampaignResult& so_far) {
      progress_.update([&] {
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - began).count();
        std::string text =
            fmt::format("{} s: {} tried, {} of {} edges of the graph, {} differ, {} kept", seconds,
                        count_of(so_far.inputs_tried, "input"), so_far.reached_edges,
                        versions.graph.graph.edges.size(), so_far.inputs_differing, so_far.kept.size());
        if (so_far.fast.executions > 0)
          text += fmt::format("; fast: {:.0f}/s, corpus {}, {} edges of the code",
                              static_cast<double>(so_far.fast.executions) / so_far.fast.seconds.count(),
                              so_far.fast.corpus, so_far.fast.edges);
        return text;
      });
    };
    const std::string program = versions.head.plain.filename().string();
    campaign.kept = [&](const interact::KeptInput& kept) {
      progress_.clear();
      say(tell_found(kept, program, std::chrono::duration<double>(Clock::now() - began).count()));
    };
    return interact::run_campaign(versions.graph, (*engines)->tiers(), (*engines)->differential(), campaign);
  }

  Expected<std::vector<std::string>> write_tests(const interact::ChangedVersions& versions,
                                                 const interact::CampaignResult& result,
                                                 std::optional<generate::TestFolder>& folder) const {
    std::vector<std::string> files, names;
    for (const interact::KeptInput& kept : result.kept) {
      if (!folder) {
        files.emplace_back();
        continue;
      }
      const std::string program = versions.head.plain.filename().string();
      const interact::RegressionTestRequest request{.name = fmt::format("{}_{}", program, names.size() + 1),
                                                    .program = program,
                                                    .file_name = file_name(),
                                                    .base = versions.base.revision.name,
                                                    .golden = options_.golden};
      if (!interact::can_be_tested(kept, request)) {
        files.emplace_back();
        continue;
      }
      names.push_back(request.name);
      const fs::path file = folder->path() / (names.back() + ".sh");
      if (const Expected<void> written = folder->write(file, interact::regression_test(kept, request));
          !written)
        return tl::unexpected(written.error());
      files.push_back(file.string());
    }
    if (folder && !names.empty()) {
      const Expected<void> written =
          folder->write(folder->path() / "CMakeLists.txt",
                        interact::regression_test_list(names, versions.head.plain.filename().string()));
      if (!written) return tl::unexpected(written.error());
    }
    return files;
  }

  std::string file_name() const { return options_.file.substr(0, options_.file.rfind(':')); }

  Expected<int> finish(const interact::ChangedVersions& versions, const interact::CampaignResult& result,
                       std::optional<generate::TestFolder>& tests) const {
    const Expected<std::vector<std::string>> files = write_tests(versions, result, tests);
    if (!files) return tl::unexpected(files.error());
    const InteractStory story{versions, result, versions.head.plain.filename().string(), *files};
    RunResult told{.command = "interact",
                   .seconds = std::chrono::duration<double>(Clock::now() - began_).count(),
                   .executions = result.search.executions + result.fast.executions,
                   .learning_executions = {},
                   .blocked_executions = {},
                   // What is not recorded, and what only the base decides, is never looked at.
                   .complete = result.complete && result.inputs_tried == 0,
                   .findings = findings_of(story),
                   .own = own_fields(story)};
    if (!reports_.takes_standard_output())
      fmt::print("{}{}", tell_kept(story), tell_interaction_errors(story));
    if (!options_.graph_only) say(summarize(story));
    if (!options_.graph_only) say_what_is_missing(versions, result);
    if (const Expected<void> written = reports_.write(told); !written) return tl::unexpected(written.error());
    if (was_interrupted()) return interrupted();
    return told.findings.empty() ? exit_code::kClean : exit_code::kFindings;
  }

  static void say_what_is_missing(const interact::ChangedVersions& versions,
                                  const interact::CampaignResult& result) {
    if (!result.not_executed.empty()) {
      say(fmt::format("{} of the changes were executed by no input:", result.not_executed.size()));
      size_t told = 0;
      for (const interact::StatementIndex statement : result.not_executed) {
        if (++told > kMostNotExecuted) {
          say(fmt::format("  and {} more", result.not_executed.size() - kMostNotExecuted));
          break;
        }
        say("  " + statement_text(versions.graph, statement));
      }
    }
    if (result.complete && result.inputs_tried > 0)
      say("no branch of the head is left to try; what depends on input without being recorded, and branches "
          "of the "
          "base alone, were not looked at (docs/interact.md)");
  }

  static constexpr size_t kMostNotExecuted = 8;

  const InteractCommandOptions& options_;
  const Reports& reports_;
  const OpenedChange& opened_;
  const std::chrono::milliseconds budget_;
  const std::chrono::milliseconds run_timeout_;  // of one execution
  const Clock::time_point began_ = Clock::now();
  Progress progress_;
};

Expected<int> run(const InteractCommandOptions& options) {
  const Expected<Reports> reports = Reports::open(options.report);
  if (!reports) return tl::unexpected(reports.error());
  const Expected<std::chrono::milliseconds> budget = parse_budget(options.budget);
  if (!budget) return tl::unexpected(budget.error());
  const Expected<std::chrono::milliseconds> run_timeout = parse_budget(options.run_timeout);
  if (!run_timeout) return usage_error("--timeout: " + run_timeout.error().message);
  const Expected<OpenedChange> opened = open_change(options, options.store);
  if (!opened) return tl::unexpected(opened.error());
  // A program that hangs is executed several times before that is believed.
  constexpr int kPartOfBudget = 20;
  constexpr std::chrono::milliseconds kLeastTimeout{100};
  return InteractRun(options, *reports, *opened, *budget,
                     std::max(kLeastTimeout, std::min(*run_timeout, *budget / kPartOfBudget)))
      .run();
}

}  // namespace

void add_interact_command(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "interact",
      "inputs for which a change makes a program behave differently: heddle interact --base REV "
      "--program NAME");
  auto options = std::make_shared<InteractCommandOptions>();
  add_revision_options(*command, *options);
  command->add_option(
      "--golden", options->golden,
      "revision that is right in what it fixes: tells regressions from progress; may be given again");
  command->add_option("--program", options->program, "target, path or name of the executable");
  command->add_option("--function", options->function,
                      "source file or target with LLVMFuzzerTestOneInput, in place of a program");
  CLI::Option* arguments = command->add_option("--args", options->arguments,
                                               "the command line: @N at the end of a word stands for up to N "
                                               "bytes to choose: \"-w @4 @8\" (default: any)");
  command->add_option("--stdin", options->standard_input,
                      "at most so many bytes of standard input (default: 16)");
  command->add_option("--file", options->file, "NAME:N: a file of at most N bytes in the program's folder");
  command->add_option("--budget", options->budget, "stop looking for inputs after this time: 30s, 5m")
      ->capture_default_str();
  command->add_option("--max-differences", options->most_differences, "stop after so many inputs are kept")
      ->capture_default_str()
      ->check(whole_number(1));
  command->add_option("--timeout", options->run_timeout, "for one execution of the program")
      ->capture_default_str();
  command
      ->add_option("--guide", options->guide,
                   "csg: along the change sequence graph; isolated: to single changes and outputs; none")
      ->capture_default_str()
      ->check(CLI::IsMember({"csg", "isolated", "none"}));
  command
      ->add_option("--tier", options->tier,
                   "what makes inputs: fast: changes them at random; symbolic: solves for branches; both")
      ->capture_default_str()
      ->check(CLI::IsMember({"fast", "symbolic", "both"}));
  command->add_option("--dict", options->dictionary,
                      "file with words to try in inputs, a line each: \"text\" or name=\"text\"");
  command->add_option("--seed", options->seed, "for what is chosen by chance")
      ->capture_default_str()
      ->check(whole_number());
  command->add_flag("--graph", options->graph_only, "only show the change sequence graph");
  command->add_flag("--all-locations", options->all_locations,
                    "also locations that merely depend on one in the graph");
  command->add_option("--dot", options->dot, "file for a drawing of the graph, for graphviz");
  command->add_option("--out", options->out, "folder for a regression test of each input that is kept");
  command->add_flag("--force", options->force, "write into a folder that has files in it");
  command->add_option(
      "--ignore", options->ignored,
      "regular expression: lines of the output that match are not compared; may be given again");
  command->add_option("--store", options->store, "heddle's own folder (default: .heddle)");
  add_report_options(*command, options->report);
  command->callback([&invocation, options, arguments] {
    options->has_arguments = arguments->count() > 0;
    invocation.action = [options] { return run(*options); };
  });
}

}  // namespace heddle
