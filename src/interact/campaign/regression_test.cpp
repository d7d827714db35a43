#include "interact/campaign/regression_test.h"

#include <algorithm>

#include <fmt/format.h>

#include "execute/shell_words.h"
#include "interact/campaign/input_text.h"

namespace heddle::interact {
namespace {

struct Expectation {
  const Behaviour* behaviour = nullptr;
  std::string whose;
};

Expectation expectation_of(const KeptInput& kept, const RegressionTestRequest& request) {
  for (const Judgement wrong : {Judgement::kRegression, Judgement::kIncompleteFix}) {
    const auto at = std::find(kept.judgements.begin(), kept.judgements.end(), wrong);
    const auto index = static_cast<size_t>(at - kept.judgements.begin());
    if (at != kept.judgements.end() && index < kept.differing.golden.size())
      return {&kept.differing.golden[index], request.golden[index]};
  }
  if (gravest(kept.judgements) == Judgement::kProgression)
    return {&kept.differing.head, "the changed version, which the golden one agrees with"};
  return {&kept.differing.base, request.base};
}

constexpr int kTestTimeout = 20;     // seconds; far more than the program had when it was tried
constexpr int kTimeoutStatus = 124;  // of timeout(1), if the program does not end

// What a shell sees of how a process has ended.
int shell_status(const Behaviour& behaviour) {
  if (behaviour.timed_out) return kTimeoutStatus;
  return behaviour.signal != 0 ? 128 + behaviour.signal : behaviour.exit_code;
}

}  // namespace

std::string regression_test(const KeptInput& kept, const RegressionTestRequest& request) {
  const Expectation expected = expectation_of(kept, request);
  const concolic::ProgramInput& input = kept.differing.input;
  concolic::ProgramInput arguments;
  arguments.arguments = input.arguments;
  const int status = shell_status(*expected.behaviour);
  std::string text = fmt::format(
      "#!/bin/sh\n"
      "# {}\n"
      "# Expected is what it does in {}. Usage: sh {}.sh PROGRAM\n"
      "program=$(command -v \"$1\") || {{ echo \"there is no program $1\" >&2; exit 2; }}\n"
      "case $program in /*) ;; *) program=$PWD/$program ;; esac\n"
      "work=$(mktemp -d) || exit 2\n"
      "trap 'rm -rf \"$work\"' EXIT\n"
      "mkdir \"$work/run\" && cd \"$work/run\" || exit 2\n",
      command_line(input, request.program), expected.whose, request.name);
  if (!request.file_name.empty())
    text += fmt::format("printf '{}' > {}\n", printf_format(input.file), shell_quoted(request.file_name));
  text += fmt::format(
      "printf '{}' > \"$work/in\"\n"
      "printf '{}' > \"$work/expected\"\n"
      "LC_ALL=C timeout -k 1 {} {} < \"$work/in\" > \"$work/out\" 2> \"$work/err\"\n"
      "status=$?\n"
      "result=0\n"
      "if ! cmp -s \"$work/expected\" \"$work/out\"; then\n"
      "  echo 'expected output:' && cat \"$work/expected\"\n"
      "  echo 'output:' && cat \"$work/out\" \"$work/err\"\n"
      "  result=1\n"
      "fi\n"
      "if [ $status -ne {} ]; then\n"
      "  echo \"exit code $status instead of {}\"\n"
      "  result=1\n"
      "fi\n"
      "exit $result\n",
      printf_format(input.standard_input), printf_format(expected.behaviour->out), kTestTimeout,
      command_line(arguments, "\"$program\""), status, status);
  return text;
}

bool can_be_tested(const KeptInput& kept, const RegressionTestRequest& request) {
  const Expectation expected = expectation_of(kept, request);
  const Behaviour& head = kept.differing.head;
  if (gravest(kept.judgements) == Judgement::kProgression) return true;  // it keeps what the head does
  return expected.behaviour->out != head.out || shell_status(*expected.behaviour) != shell_status(head);
}

std::string regression_test_list(const std::vector<std::string>& scripts, const std::string& program) {
  std::string text = fmt::format(
      "# Tests that heddle interact has found. In the project: add_subdirectory() of this folder.\n"
      "foreach(script IN ITEMS");
  for (const std::string& script : scripts) text += "\n    " + script;
  text += fmt::format(
      ")\n"
      "  add_test(NAME interact.${{script}} COMMAND sh \"${{CMAKE_CURRENT_SOURCE_DIR}}/${{script}}.sh\" "
      "\"$<TARGET_FILE:{}>\")\n"
      "endforeach()\n",
      program);
  return text;
}

}  // namespace heddle::interact
