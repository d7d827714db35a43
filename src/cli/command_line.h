// What the subcommands share: how they are registered, how they end, and how they speak to the user.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "support/error.h"

namespace heddle {

namespace exit_code {
inline constexpr int kClean = 0;
inline constexpr int kFindings = 1;
inline constexpr int kUsage = 2;
inline constexpr int kInternal = 3;
inline constexpr int kInterrupted = 130;  // as shells have it: Ctrl-C, or a signal that asks to end
}  // namespace exit_code

// One invocation of heddle: filled by the parser, then executed.
struct Invocation {
  std::vector<std::string> words;         // after `--`: the command line of the test
  bool has_words = false;                 // `--` was given
  std::function<Expected<int>()> action;  // of the chosen subcommand; returns the exit code
};

// Each adds one subcommand, whose action it stores in the invocation if it is chosen.
void add_generate_command(CLI::App& app, Invocation& invocation);
void add_check_command(CLI::App& app, Invocation& invocation);
void add_change_command(CLI::App& app, Invocation& invocation);
void add_program_command(CLI::App& app, Invocation& invocation);
void add_record_command(CLI::App& app, Invocation& invocation);
void add_impact_command(CLI::App& app, Invocation& invocation);
void add_interact_command(CLI::App& app, Invocation& invocation);
void add_select_command(CLI::App& app, Invocation& invocation);
void add_test_command(CLI::App& app, Invocation& invocation);
void add_list_command(CLI::App& app, Invocation& invocation);
void add_init_command(CLI::App& app, Invocation& invocation);
void add_run_command(CLI::App& app, Invocation& invocation);
void add_explore_command(CLI::App& app, Invocation& invocation);
void add_detect_command(CLI::App& app, Invocation& invocation);
void add_predict_command(CLI::App& app, Invocation& invocation);
void add_replay_command(CLI::App& app, Invocation& invocation);
void add_report_command(CLI::App& app, Invocation& invocation);
void add_trace_command(CLI::App& app, Invocation& invocation);
void add_history_command(CLI::App& app, Invocation& invocation);
void add_merge_command(CLI::App& app, Invocation& invocation);
void add_tell_races_command(CLI::App& app, Invocation& invocation);  // for the runtime, not for people
void add_doctor_command(CLI::App& app, Invocation& invocation);
// For the help text only: their arguments belong to the compiler and never meet the parser.
void add_compiler_commands(CLI::App& app);

// Checks of option values. CLI11's own accept what a careful reader would not: negative and too large
// numbers.
CLI::Validator whole_number(uint64_t least = 0);
CLI::Validator seconds();

// A line on stderr, marked as heddle's own.
void say(const std::string& text);

// A command line for people to read, shortened if need be.
std::string one_line(const std::vector<std::string>& words);

// The test's command line, or what to write instead.
Expected<std::vector<std::string>> test_words(const Invocation& invocation, const std::string& subcommand);

}  // namespace heddle
