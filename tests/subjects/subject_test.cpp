// Holds the heddle binary to what one subject of this folder expects of it.
//
//   subject_test HEDDLE SOURCE BINARY FOLDER
//
// About a correct program `detect`, `predict` and `run --detect race`, the latter with many schedules, must
// be silent. A buggy program must pass under the default schedule, so that finding its bug is an achievement,
// every expectation in its source must be met, and what was found must show again when it is replayed.
// Results are left in FOLDER.
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "execute/shell_words.h"
#include "expectation.h"

namespace heddle::subjects {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kSeeds = 20;  // schedules of `run --detect race` in which a correct program must be silent

std::string describe(const json& findings) {
  std::string text;
  for (const json& finding : findings) {
    text +=
        fmt::format("    {} ({}): {}\n", finding.at("kind").get<std::string>(),
                    finding.at("confirmation").get<std::string>(), finding.at("message").get<std::string>());
  }
  return text.empty() ? "    nothing\n" : text;
}

class SubjectTest {
 public:
  SubjectTest(std::string heddle, std::string binary, fs::path folder)
      : heddle_(std::move(heddle)), binary_(std::move(binary)), folder_(std::move(folder)) {}

  // What is not as it should be, in words; empty if all is well.
  Expected<std::string> check_correct() {
    std::string wrong;
    for (const std::string& command : {std::string("detect"), std::string("predict"),
                                       fmt::format("run --detect race --seeds 1-{} --keep-going", kSeeds)}) {
      const auto findings = findings_of(command);
      if (!findings) return tl::unexpected(findings.error());
      wrong += alarms(command, *findings);
    }
    return wrong;
  }

  Expected<std::string> check_buggy(const std::vector<Expectation>& expectations) {
    if (expectations.empty()) return usage_error("the source says nothing about what heddle must find");
    std::string wrong;
    const auto failures = findings_of("run --policy nonpreemptive");
    if (!failures) return tl::unexpected(failures.error());
    wrong += alarms("run --policy nonpreemptive", *failures);
    std::map<std::string, json> results;  // by command
    for (const Expectation& expectation : expectations) {
      if (!results.contains(expectation.command)) {
        auto findings = findings_of(expectation.command);
        if (!findings) return tl::unexpected(findings.error());
        for (const json& finding : *findings) wrong += does_not_replay(finding);
        results[expectation.command] = std::move(*findings);
      }
      wrong += misses(expectation, results[expectation.command]);
    }
    return wrong;
  }

 private:
  static std::string alarms(const std::string& command, const json& findings) {
    json reports = json::array();
    for (const json& finding : findings)
      if (is_report(finding)) reports.push_back(finding);
    return reports.empty()
               ? ""
               : fmt::format("  heddle {} must be silent, and says\n{}", command, describe(reports));
  }

  static std::string misses(const Expectation& expectation, const json& findings) {
    if (expectation.kinds.empty()) return alarms(expectation.command, findings);
    for (const json& finding : findings)
      if (expectation.is_met_by(finding)) return "";
    return fmt::format("  expected: {}\n  but heddle {} says\n{}", expectation.text, expectation.command,
                       describe(findings));
  }

  std::string does_not_replay(const json& finding) const {
    const json schedule = finding.value("schedule", json());
    if (!schedule.is_string() || !is_report(finding)) return "";
    const std::string line =
        fmt::format("cd {} && {} replay {} >>replays.txt 2>&1", shell_quoted(folder_.string()),
                    shell_quoted(heddle_), shell_quoted(schedule.get<std::string>()));
    const int status = std::system(line.c_str());
    if (WIFEXITED(status) && WEXITSTATUS(status) == 1) return "";
    return fmt::format("  heddle replay {} ends with status {}, for\n{}", schedule.get<std::string>(),
                       WEXITSTATUS(status), describe(json::array({finding})));
  }

  Expected<json> findings_of(const std::string& command) {
    const fs::path result = folder_ / fmt::format("{}.json", ++commands_);
    // What the last command or test has confirmed must be found by this one, too.
    const std::string alone = command.starts_with("run") ? command : command + " --no-store";
    const std::string line = fmt::format("cd {} && {} {} --json {} -- {} >{}.txt 2>&1",
                                         shell_quoted(folder_.string()), shell_quoted(heddle_), alone,
                                         shell_quoted(result.string()), shell_quoted(binary_), commands_);
    const int status = std::system(line.c_str());
    std::ifstream file(result);
    if (!file)
      return internal_error(fmt::format("heddle {} ended with status {} and no result", command, status));
    const json parsed = json::parse(file, nullptr, /*allow_exceptions=*/false);
    if (parsed.is_discarded()) return internal_error(fmt::format("{} is not JSON", result.string()));
    return parsed.at("findings");
  }

  std::string heddle_;
  std::string binary_;
  fs::path folder_;
  int commands_ = 0;
};

Expected<std::string> test_subject(char** arguments) {
  const std::string source = arguments[2];
  const fs::path folder = arguments[4];
  fs::remove_all(folder);
  fs::create_directories(folder);
  const auto expectations = read_expectations(source);
  if (!expectations) return tl::unexpected(expectations.error());
  SubjectTest test(arguments[1], arguments[3], folder);
  const bool is_correct = fs::path(source).parent_path().filename() == "correct";
  return is_correct ? test.check_correct() : test.check_buggy(*expectations);
}

}  // namespace
}  // namespace heddle::subjects

int main(int argc, char** argv) {
  if (argc != 5) {
    fmt::print(stderr, "usage: subject_test HEDDLE SOURCE BINARY FOLDER\n");
    return 2;
  }
  const auto wrong = heddle::subjects::test_subject(argv);
  if (wrong && wrong->empty()) return 0;
  fmt::print(stderr, "{}:\n{}\n  what heddle printed is in {}\n", argv[3],
             wrong ? *wrong : wrong.error().message, argv[4]);
  return 1;
}
