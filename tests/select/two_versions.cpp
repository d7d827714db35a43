#include "two_versions.h"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "../program/small_project.h"
#include "change/statements.h"
#include "program/compile_unit.h"
#include "select/effects.h"
#include "select/held_locks.h"
#include "select/locator.h"
#include "select/structure_store.h"

namespace heddle::select {
namespace {

// What tests include of the standard library. Reading it is most of what compiling a small unit takes: it is
// compiled once, and clang finds that next to the header.
constexpr const char* kHeaders[] = {"atomic", "condition_variable", "functional", "map",    "memory",
                                    "mutex",  "shared_mutex",       "string",     "thread", "vector"};

// The flags of a unit for which the headers are ready.
std::string flags_with_headers() {
  static const program::SmallProject project;
  static const std::string flags = [] {
    std::string text;
    for (const char* name : kHeaders) text += fmt::format("#include <{}>\n", name);
    project.write("headers.h", text);
    const std::string header = (project.root() / "headers.h").string();
    const program::UnitCommand unit{project.root(), header, program::UnitLanguage::kCxx, {"-std=c++20"}};
    std::vector<std::string> command = {program::LoadOptions().clang};
    for (const std::string& word :
         program::clang_arguments(unit, {"-x", "c++-header", header, "-o", header + ".pch"}))
      command.push_back(word);
    const auto result = program::run_command(command, project.root(), project.root() / "log");
    if (!result || result->exit_code != 0) throw std::runtime_error("the headers cannot be compiled");
    return "-std=c++20 -include " + header;
  }();
  return flags;
}

program::Program load(const Sources& sources) {
  program::SmallProject project;
  for (const auto& [path, text] : sources) {
    if (path.ends_with(".cpp")) {
      project.add_unit(path, text, flags_with_headers());
    } else {
      project.write(path, text);
    }
  }
  program::LoadReport report;
  Expected<program::Program> loaded = project.load(&report);
  if (!loaded) throw std::runtime_error(loaded.error().message);
  for (const std::string& unit : report.degraded_units) ADD_FAILURE() << unit;
  return std::move(*loaded);
}

SourceChange compare(const Sources& before, const Sources& after) {
  StatementMap::Files files;
  SourceChange change;
  for (const auto& [path, text] : before) files.base.push_back(parse_source(path, text));
  for (const auto& [path, text] : after) {
    files.head.push_back(parse_source(path, text));
    const auto old_text = before.find(path);
    if (old_text == before.end() || old_text->second != text)
      change.files.push_back({old_text == before.end() ? "" : path, path, false});
  }
  change.statements = StatementMap(std::move(files));
  return change;
}

}  // namespace

TwoVersions::TwoVersions(const Sources& before, const Sources& after) {
  const program::Program base = load(before);
  const program::Program head = load(after);
  // As it would be read from a file.
  const auto structure = decode_structure(encode_structure(AnalysedProgram(base)), base);
  const AnalysedProgram analysed(head);
  const program::Escape escape(head, analysed.points_to);
  Effects effects(analysed, escape);
  changed_ = analyse_impact(*structure, analysed, compare(before, after), locate(analysed, effects));
  note_held_locks(analysed, changed_.variables);
}

std::vector<std::string> TwoVersions::variables(const std::string& file) const {
  std::vector<std::string> lines;
  for (const SharedVariable& variable : changed_.variables) {
    if (variable.file != file || variable.is_own_construction) continue;
    const std::string old =
        variable.old_block == kNone ? "-" : fmt::format("{}", changed_.old_blocks[variable.old_block].line);
    lines.push_back(
        fmt::format("{} {} {} <- {} {}{}", variable.is_write ? "write" : "read", variable.name, variable.line,
                    variable.old_function, old,
                    variable.is_impacted() ? fmt::format(" rule {}", static_cast<int>(variable.rule)) : ""));
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

}  // namespace heddle::select
