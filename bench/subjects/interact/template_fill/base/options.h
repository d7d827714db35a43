// The command line.
#pragma once

#include <string>
#include <vector>

enum ExitCode { kExitGood = 0, kExitFailed = 1, kExitUsage = 2 };

enum class Rounding { kDown, kUp };

struct Options {
  Rounding rounding = Rounding::kDown;  // of numbers with a unit
  std::string suffix;                   // behind each number
  bool lines = false;                   // end each use of the format with a line feed
  std::string format;
  std::vector<std::string> arguments;
};

// Exits with a message if the command line is wrong.
Options read_options(int count, char** arguments);
