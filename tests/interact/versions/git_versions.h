// A project in a git repository of the test's own, and the versions that are made of it.
#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "interact/concolic/program_input.h"
#include "interact/versions/program_version.h"

namespace heddle::interact {

struct Ran {
  int exit_code = -1;
  std::string out;  // both streams
};

class GitVersions : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  void write(const std::string& path, const std::string& text) const;
  void commit() const;
  // A heddle.toml with these commands.
  void build_by(const std::string& command) const;

  VersionMaker maker(const std::string& program, bool is_function = false);
  // Ends the test if it cannot be made.
  ProgramVersion make(const std::string& program, bool is_function = false,
                      const std::string& revision = "HEAD");
  // The error, or "" if there is none.
  std::string error_of(const std::string& program, bool is_function = false,
                       const std::string& revision = "HEAD");
  std::filesystem::path recordable(const ProgramVersion& version, const std::string& program,
                                   bool is_function = false,
                                   const std::vector<concolic::WatchedLine>& watched = {});
  // What a recordable program wrote, and how many branches on its input it told of.
  struct Recorded {
    std::string out;
    int exit_code = -1;
    size_t branches = 0;
    size_t marks = 0;
  };
  Recorded record(const std::filesystem::path& program, const concolic::ProgramInput& input) const;
  // Runs `program`, then `words`, by a shell.
  Ran run(const std::filesystem::path& program, const std::string& words = "") const;

  std::filesystem::path project() const { return folder_ / "project"; }
  std::vector<std::string> said() const { return said_; }
  void forget_said() { said_.clear(); }
  static std::vector<std::string> unit_names(const ProgramVersion& version);

  std::filesystem::path folder_;

 private:
  Expected<ProgramVersion> try_to_make(const std::string& program, bool is_function,
                                       const std::string& revision);

  std::mutex mutex_;
  std::vector<std::string> said_;
};

}  // namespace heddle::interact
