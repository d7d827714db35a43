// A project of a few files in a folder of its own, and its facts.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "program/program.h"

namespace heddle::program {

class SmallProject {
 public:
  SmallProject() {
    const char* parent = std::getenv("TEST_TMPDIR");
    std::string name = std::string(parent != nullptr ? parent : "/tmp") + "/project-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) std::abort();
    root_ = std::filesystem::canonical(name);
  }
  ~SmallProject() {
    std::error_code error;
    std::filesystem::remove_all(root_, error);
  }
  SmallProject(const SmallProject&) = delete;
  SmallProject& operator=(const SmallProject&) = delete;

  const std::filesystem::path& root() const { return root_; }

  void write(const std::string& file, const std::string& text) const { std::ofstream(root_ / file) << text; }
  // A unit with the flags of gcc's that projects use.
  void add_unit(const std::string& file, const std::string& text, const std::string& flags = "-std=c++20") {
    write(file, text);
    units_.push_back({file, flags});
  }

  Expected<Program> load(LoadReport* report = nullptr) const {
    const std::filesystem::path source = root_ / folder;
    const std::filesystem::path build = built_in.empty() ? source : root_ / built_in;
    std::filesystem::create_directories(build);
    std::ofstream commands(build / "compile_commands.json");
    commands << "[";
    for (size_t i = 0; i < units_.size(); ++i)
      commands << fmt::format(
          R"({}{{"directory": "{}", "file": "{}", "command": "/usr/bin/{} -O2 -g -Wall -I. {} -o x.o -c {}"}})",
          i == 0 ? "" : ",\n", build.string(), file_of(source, i),
          units_[i].first.ends_with(".c") ? "cc" : "c++", units_[i].second, file_of(source, i));
    commands << "]";
    commands.close();
    LoadOptions options;
    options.compile_commands = build / "compile_commands.json";
    options.source = source;
    if (!cache.empty()) options.cache = root_ / cache;
    options.jobs = 1;
    options.together = together;
    options.known = known;
    return load_program(options, report);
  }

  unsigned together = LoadOptions().together;
  std::string cache = "cache";  // empty: none
  std::string folder;           // of the sources, below the root
  std::string built_in;         // below the root; empty: where the sources are
  std::shared_ptr<KnownUnits> known;

 private:
  // As build systems name it.
  std::string file_of(const std::filesystem::path& source, size_t unit) const {
    return built_in.empty() ? units_[unit].first : (source / units_[unit].first).string();
  }

  std::filesystem::path root_;
  std::vector<std::pair<std::string, std::string>> units_;
};

// The facts of one unit: what most tests look at.
class UnitFacts {
 public:
  explicit UnitFacts(const std::string& text, const std::string& file = "unit.cpp",
                     const std::string& flags = "-std=c++20") {
    SmallProject project;
    project.add_unit(file, text, flags);
    LoadReport report;
    Expected<Program> loaded = project.load(&report);
    EXPECT_TRUE(loaded.has_value()) << (loaded ? "" : loaded.error().message);
    EXPECT_TRUE(report.degraded_units.empty()) << report.degraded_units.front();
    if (loaded) program_.emplace_back(std::move(*loaded));
  }

  const Program& program() const { return program_.front(); }
  const Unit& unit() const { return program().units().front(); }
  FunctionIndex index(const std::string& name) const {
    const std::vector<FunctionIndex> found = program().find(name);
    EXPECT_FALSE(found.empty()) << "no function " << name;
    return found.empty() ? 0 : found.front();
  }
  const Function& function(const std::string& name) const { return program().function(index(name)); }

  std::vector<Op> ops(const std::string& name, OpKind kind) const {
    std::vector<Op> found;
    for (const Block& block : function(name).blocks)
      for (const Op& op : block.ops)
        if (op.kind == kind) found.push_back(op);
    return found;
  }
  // Names of the functions that are called directly.
  std::vector<std::string> calls(const std::string& name) const {
    std::vector<std::string> found;
    for (const Op& op : ops(name, OpKind::kCall))
      found.push_back(op.symbol == kNone ? "?" : unit().symbols[op.symbol].name);
    return found;
  }
  const Type* type(const std::string& name) const {
    for (const Type& one : unit().types)
      if (one.name == name) return &one;
    return nullptr;
  }
  const Symbol* symbol(const std::string& name) const {
    for (const Symbol& one : unit().symbols)
      if (one.name == name) return &one;
    return nullptr;
  }

 private:
  std::vector<Program> program_;
};

}  // namespace heddle::program
