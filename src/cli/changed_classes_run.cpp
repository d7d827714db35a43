#include "cli/changed_classes_run.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/command_line.h"
#include "cli/generate_run.h"
#include "cli/project_store.h"
#include "generate/database_sources.h"
#include "generate/folder_lock.h"
#include "generate/identifiers.h"
#include "generate/read_class.h"
#include "report/text.h"
#include "support/interruption.h"

namespace heddle {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;

// Less is not worth the time that it takes to begin.
constexpr std::chrono::milliseconds kLeastBudget{2'000};

constexpr size_t kLongestReason = 240;

std::string in_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return cut_text(text, kLongestReason);
}

fs::path class_reader() {
  return own_folder() / "heddle-class-reader";
}

}  // namespace

Expected<generate::ClassSources> ChangedClassesRun::sources_in(const ProjectBuild& build,
                                                               const ChangedClass& one) const {
  generate::ClassSources sources;
  sources.headers = {(build.source / one.header).string()};
  sources.compiler = options_.compiler;
  if (const Expected<void> added = generate::add_from_database(build.compile_commands, &sources); !added)
    return tl::unexpected(added.error());
  generate::place_headers(&sources);
  return sources;
}

Expected<generate::Driver> ChangedClassesRun::driver_in(const ProjectBuild& build, const ChangedClass& one,
                                                        const std::string& version) const {
  const Expected<generate::ClassSources> sources = sources_in(build, one);
  if (!sources) return tl::unexpected(sources.error());
  return generate::build_driver(
      one.name, *sources,
      {.folder = options_.store / "generate" / generate::identifier(one.name) / version,
       .compilers = own_folder(),
       .pools = {},
       .step = options_.step});
}

void ChangedClassesRun::leave_out(const std::string& name, const std::string& why) {
  const std::string reason = in_one_line(why);
  say(fmt::format("no tests are made for {}: {}", name, reason));
  result_.own["left_out"].push_back({{"class", name}, {"reason", reason}});
}

// Null: the base does not have the class, or it cannot be used there. Then all that it does is new.
Expected<std::unique_ptr<generate::OtherVersion>> ChangedClassesRun::base_version(
    const ChangedClass& one, const fs::path& folder) const {
  Expected<generate::Driver> driver = driver_in(base_, one, "base");
  if (!driver) {
    say(fmt::format("{} cannot be used in {}, so all that it does counts as new: {}", one.name,
                    base_.revision.name, in_one_line(driver.error().message)));
    return nullptr;
  }
  return generate::OtherVersion::start(std::move(*driver), folder / "base" / "plan", report_.symbolizer());
}

Expected<void> ChangedClassesRun::look_into(const ChangedClass& one, std::chrono::milliseconds budget) {
  say(fmt::format("making up concurrent tests for {}", one.name));
  const Clock::time_point began = Clock::now();
  const fs::path folder = options_.store / "generate" / generate::identifier(one.name);
  const Expected<generate::FolderLock> lock = generate::FolderLock::take(folder);
  if (!lock) {
    leave_out(one.name, lock.error().message);
    return {};
  }
  Expected<generate::Driver> driver = driver_in(head_, one, "head");
  if (!driver) {
    leave_out(one.name, driver.error().message);
    return {};
  }
  const Expected<generate::ClassSources> sources = sources_in(head_, one);
  if (!sources) return tl::unexpected(sources.error());
  const Expected<std::unique_ptr<generate::OtherVersion>> base = base_version(one, folder);
  if (!base) return tl::unexpected(base.error());
  built_ += std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - began);
  const Clock::time_point deadline = Clock::now() + budget;
  const auto is_known = [&](const generate::FoundFailure& found) -> Expected<bool> {
    if (*base == nullptr) return false;
    return (*base)->fails_like(found.failure, driver->operations, options_.seed, deadline);
  };
  const Expected<generate::TestWriter::Options> tests = test_writer_options(*sources, folder / "tests");
  if (!tests) return tl::unexpected(tests.error());
  GenerateRun generating(*driver, output_, report_,
                         {.folder = folder,
                          .budget = budget,
                          .seed = options_.seed,
                          .threads = options_.threads,
                          .most_failures = options_.most_failures,
                          .tests = *tests,
                          .is_known = is_known});
  Expected<RunResult> result = generating.run();
  if (!result) return tl::unexpected(result.error());
  result_.executions += result->executions;
  result_.complete = result_.complete && result->complete;
  result_.own["classes"].push_back(std::move(result->own));
  if (options_.looked) options_.looked(one.name, result->complete);
  return {};
}

Expected<void> ChangedClassesRun::run(const SourceChange& change, const std::set<std::string>& functions) {
  const Clock::time_point began = Clock::now();
  result_ = {};
  built_ = {};
  result_.command = "generate";
  result_.complete = true;
  result_.own["classes"] = nlohmann::ordered_json::array();
  result_.own["left_out"] = nlohmann::ordered_json::array();
  const ChangedClasses changed =
      changed_classes(change, functions, head_.source, [&](const fs::path& header) {
        Expected<generate::ClassSources> sources =
            sources_in(head_, {.name = {}, .header = header.lexically_relative(head_.source)});
        if (!sources) return std::vector<std::string>();
        return generate::list_classes(*sources, class_reader()).value_or(std::vector<std::string>());
      });
  for (const std::string& other : changed.others)
    leave_out(other, "nothing in it synchronises, so it makes no promise to several threads");
  if (changed.classes.empty()) say("the change touches no class that is meant for several threads");
  for (size_t i = 0; i < changed.classes.size() && !was_interrupted(); ++i) {
    if (options_.is_wanted && !options_.is_wanted(changed.classes[i].name)) continue;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(began + options_.budget + built_ -
                                                                            Clock::now());
    const std::chrono::milliseconds share = left / static_cast<int64_t>(changed.classes.size() - i);
    if (share < kLeastBudget) {
      leave_out(changed.classes[i].name, "there was no time left");
      result_.complete = false;
      continue;
    }
    if (const Expected<void> looked = look_into(changed.classes[i], share); !looked) return looked;
  }
  return {};
}

RunResult ChangedClassesRun::take_result() {
  result_.seconds = report_.seconds();
  result_.findings = report_.findings();
  for (Finding& finding : result_.findings) finding.status = FindingStatus::kNew;
  return std::move(result_);
}

}  // namespace heddle
