#include "interact/campaign/preparation.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "interact/campaign/loop_settings.h"
#include "program/program.h"
#include "support/interruption.h"

namespace heddle::interact {
namespace {

namespace fs = std::filesystem;

// Of a program whose paths are recorded (docs/concolic.md, Cost).
constexpr int kRecordedSlowness = 5;

// Beside base and head, in zones of their own.
constexpr size_t kMostGoldenInProcess = fast::kMostVersions - 2;

void tell(const std::function<void(const std::string&)>& progress, const std::string& text) {
  if (progress) progress(text);
}

VersionMaker::Options maker_options(const fs::path& store, const fs::path& compilers,
                                    const std::string& program, bool is_function,
                                    std::function<void(const std::string&)> progress) {
  return {.store = store,
          .compilers = compilers,
          .program = program,
          .is_function = is_function,
          .progress = std::move(progress)};
}

// The texts of the program's own files, headers included.
OptionWords words_of(const ProgramVersion& version, const ProgramStatements& statements) {
  std::set<fs::path> files;
  for (const program::UnitCommand& unit : version.recipe.units) files.insert(unit.directory / unit.file);
  for (StatementIndex s = 0; s < statements.size(); ++s)
    if (statements[s].is_own()) files.insert(version.source / statements[s].file);
  OptionWords words;
  for (const fs::path& file : files) {
    std::ifstream stream(file);
    std::ostringstream text;
    text << stream.rdbuf();
    add_option_words(text.str(), &words);
  }
  return words;
}

VersionPrograms programs_of(const ProgramVersion& version) {
  return {.name = version.revision.name, .plain = version.plain, .guarded = version.guarded};
}

constexpr std::string_view kScratchPrefix = "run-";

// Folders of heddles that were killed: their names tell whose they were.
void remove_left_over(const fs::path& parent) {
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(parent, failed)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kScratchPrefix)) continue;
    const pid_t owner = static_cast<pid_t>(std::strtol(name.c_str() + kScratchPrefix.size(), nullptr, 10));
    if (owner > 0 && kill(owner, 0) != 0 && errno == ESRCH) fs::remove_all(entry.path(), failed);
  }
}

Expected<fs::path> make_scratch_folder(const fs::path& parent) {
  std::error_code failed;
  fs::create_directories(parent, failed);
  remove_left_over(parent);
  std::string pattern = (parent / fmt::format("{}{}-XXXXXX", kScratchPrefix, getpid())).string();
  if (failed || mkdtemp(pattern.data()) == nullptr)
    return internal_error(
        fmt::format("no folder could be made in {} to run the program in", parent.string()));
  return fs::path(pattern);
}

}  // namespace

Expected<ChangedVersions> prepare_versions(const ChangedProgramRequest& request) {
  VersionMaker maker(maker_options(request.store, request.compilers, request.program, request.is_function,
                                   request.progress));
  const auto make = [&](const Revision& revision) {
    tell(request.progress, "builds " + revision.name);
    return maker.make(request.repository, request.project, revision);
  };
  Expected<SourceChange> change =
      compare_sources(request.repository, request.revisions.base, request.revisions.head);
  if (!change) return tl::unexpected(change.error());
  Expected<ProgramVersion> base = make(request.revisions.base);
  if (!base) return tl::unexpected(base.error());
  Expected<ProgramVersion> head = make(request.revisions.head);
  if (!head) return tl::unexpected(head.error());
  std::vector<ProgramVersion> golden;
  for (const Revision& revision : request.golden) {
    Expected<ProgramVersion> version = make(revision);
    if (!version) return tl::unexpected(version.error());
    golden.push_back(std::move(*version));
  }

  tell(request.progress, "reads the program");
  program::LoadReport report;
  const Expected<program::Program> program =
      program::load_program({.compile_commands = head->compile_commands,
                             .source = head->source,
                             .cache = request.store / "facts",
                             .progress = request.progress},
                            &report);
  if (!program) return tl::unexpected(program.error());
  tell(request.progress, "finds where changes meet");
  Expected<ProgramGraph> graph = build_program_graph(
      *program, change->statements,
      {.entries = {request.is_function ? "LLVMFuzzerTestOneInput" : "main"}, .graph = request.graph});
  if (!graph) return tl::unexpected(graph.error());
  OptionWords words = words_of(*head, graph->statements);
  return ChangedVersions{.base = std::move(*base),
                         .head = std::move(*head),
                         .golden = std::move(golden),
                         .change = std::move(*change),
                         .graph = std::move(*graph),
                         .words = std::move(words),
                         .not_understood = std::move(report.degraded_units)};
}

Expected<std::unique_ptr<Engines>> Engines::create(const ChangedVersions& versions, const InputShape& shape,
                                                   const EngineRequest& request) {
  std::unique_ptr<Engines> engines(new Engines);
  VersionMaker maker(maker_options(request.store, request.compilers, request.program, request.is_function,
                                   request.progress));
  tell(request.progress, "compiles the program so that its paths are recorded");
  const Expected<fs::path> recordable =
      maker.make_recordable(versions.head, watched_lines(versions.graph, versions.head.source.string()));
  if (!recordable) return tl::unexpected(recordable.error());

  Expected<fs::path> folder = make_scratch_folder(request.store / "interact");
  if (!folder) return tl::unexpected(folder.error());
  engines->folder_ = std::move(*folder);
  concolic::RunnerOptions running;
  running.program = *recordable;
  running.folder = engines->folder_ / "recorded";
  running.file_name = shape.file_name;
  running.symbolic = shape.symbolic;
  running.input = shape.limits;
  running.timeout = kRecordedSlowness * request.run_timeout;
  Expected<concolic::ConcolicRunner> runner = concolic::ConcolicRunner::create(std::move(running));
  if (!runner) return tl::unexpected(runner.error());
  engines->runner_ = std::make_unique<concolic::ConcolicRunner>(std::move(*runner));

  SearchOptions searching = request.search;
  searching.solver.input = shape.limits;
  engines->search_ = std::make_unique<DirectedSearch>(versions.graph, *engines->runner_, searching);
  for (const concolic::ProgramInput& seed : shape.seeds) engines->search_->add_seed(seed);

  DifferentialOptions trying{.base = programs_of(versions.base),
                             .head = programs_of(versions.head),
                             .golden = {},
                             .folder = engines->folder_ / "trials",
                             .limits = {},
                             .ignored = request.ignored};
  for (const ProgramVersion& version : versions.golden) trying.golden.push_back(programs_of(version));
  trying.limits.timeout = request.run_timeout;
  trying.limits.file_name = shape.file_name;
  Expected<Differential> differential = Differential::create(std::move(trying));
  if (!differential) return tl::unexpected(differential.error());
  engines->differential_ = std::make_unique<Differential>(std::move(*differential));
  engines->searches_ = request.tier != Tier::kFast;
  if (request.tier != Tier::kSymbolic)
    if (const Expected<void> made = engines->create_fast(maker, versions, shape, request); !made)
      return tl::unexpected(made.error());
  return engines;
}

// Golden versions that find no room are asked for what is looked at one by one.
Expected<void> Engines::create_fast(VersionMaker& maker, const ChangedVersions& versions,
                                    const InputShape& shape, const EngineRequest& request) {
  tell(request.progress, "compiles the versions so that they run in one process");
  const std::vector<concolic::WatchedLine> watched =
      watched_lines(versions.graph, versions.head.source.string());
  fast::FastOptions options;
  const auto add = [&](const ProgramVersion& version, const std::vector<concolic::WatchedLine>& lines) {
    const Expected<fs::path> made = maker.make_fast(version, lines);
    options.versions.push_back({made ? *made : fs::path(), made ? "" : made.error().message, version.plain});
  };
  add(versions.base, {});
  add(versions.head, watched);
  const size_t golden = std::min(versions.golden.size(), kMostGoldenInProcess);
  for (size_t i = 0; i < golden; ++i) add(versions.golden[i], {});
  if (was_interrupted()) return usage_error("interrupted");
  options.folder = folder_ / "fast";
  options.limits.timeout = request.run_timeout;
  options.limits.file_name = shape.file_name;
  options.limits.program_name = versions.base.plain.filename().string();
  const fs::path head = options.versions[fast::kHeadVersion].fast;
  Expected<fuzz::FastTier> tier =
      fuzz::FastTier::create(std::move(options), [&](const std::vector<uint64_t>& offsets) {
        return make_loop_settings({.graph = versions.graph,
                                   .shape = shape,
                                   .watched = watched,
                                   .words = versions.words,
                                   .guide = request.search.guide,
                                   .seed = request.search.seed,
                                   .dictionary = request.dictionary,
                                   .ignored = request.ignored,
                                   .golden = golden,
                                   .head = head,
                                   .edge_offsets = offsets});
      });
  if (!tier) {
    if (request.tier == Tier::kFast) return tl::unexpected(tier.error());
    fast_trouble_ = "inputs are made by the symbolic tier alone: " + tier.error().message;
    return {};
  }
  if (!tier->lives_in_host())
    fast_trouble_ = "the fast tier runs processes, a thousand times slower: " + tier->needs_processes();
  fast_ = std::move(*tier);
  return {};
}

Engines::~Engines() {
  fast_.reset();
  differential_.reset();
  search_.reset();
  runner_.reset();
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

}  // namespace heddle::interact
