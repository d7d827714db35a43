// Project: how a project is built and tested, from its heddle.toml, if there is one, and its files.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "support/error.h"

namespace heddle {

struct Project {
  std::filesystem::path root;  // of the sources

  // [build]
  std::vector<std::string> build_commands;    // the user's own, run by sh; empty: CMake
  std::filesystem::path source_folder = ".";  // where CMakeLists.txt is, below the root
  std::vector<std::string> cmake_options;     // "-DUSE_X=ON"
  std::vector<std::string> targets;           // empty: all
  std::string c_compiler;                     // empty: the project's
  std::string cxx_compiler;
  std::string flags = "-O1";  // beside instrumentation and debug information
  std::chrono::seconds build_timeout{3600};
  bool clean_builds = true;  // of `build_commands`: many a makefile does not know of all headers

  // [tests]
  std::vector<std::string> test_commands;  // a plain list; empty: ask CTest
  std::vector<std::string> include;        // regular expressions on names; empty: all
  std::vector<std::string> exclude;
  bool split_cases = true;  // each case of a GoogleTest, Catch2 or doctest program is a test
  std::chrono::seconds test_timeout{60};

  // [check]
  std::string budget = "10m";
  std::string suppressions;  // file
};

// Reads `root`/heddle.toml; a project without one has the defaults. Unknown keys and wrong types are errors
// with their line.
Expected<Project> read_project(const std::filesystem::path& root);

// The text of a heddle.toml that says what the defaults are, each key with a comment.
std::string commented_project_file(const std::filesystem::path& root);

}  // namespace heddle
