#include "check/compile_flags.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "program/compile_unit.h"
#include "support/replace_text.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

// Flags by file, both as they would be named wherever the build lies.
Expected<std::map<std::string, std::vector<std::string>>> flags_of(const ProjectBuild& build) {
  std::map<std::string, std::vector<std::string>> flags;
  if (build.compile_commands.empty()) return flags;
  const auto commands = program::read_compile_commands(build.compile_commands);
  if (!commands) return tl::unexpected(commands.error());
  const auto named = [&](const std::string& text) {
    return replaced(replaced(text, build.folder.string(), "<build>"), build.source.string(), "<source>");
  };
  for (const program::CompileCommand& command : *commands) {
    const program::UnitCommand unit = program::translate_command(command);
    std::vector<std::string>& of_unit = flags[unit.file.lexically_relative(build.source).string()];
    for (const std::string& flag : unit.flags) of_unit.push_back(named(flag));
  }
  return flags;
}

std::string difference(const std::vector<std::string>& before, const std::vector<std::string>& after) {
  const std::set<std::string> old_flags(before.begin(), before.end());
  const std::set<std::string> new_flags(after.begin(), after.end());
  for (const std::string& flag : after)
    if (!old_flags.contains(flag)) return fmt::format("it is now compiled with {}", flag);
  for (const std::string& flag : before)
    if (!new_flags.contains(flag)) return fmt::format("it is no longer compiled with {}", flag);
  return "its compiler's flags stand in another order";
}

}  // namespace

Expected<std::map<std::string, std::string>> changed_compile_flags(const ProjectBuild& base,
                                                                   const ProjectBuild& head) {
  const auto before = flags_of(base);
  if (!before) return tl::unexpected(before.error());
  const auto after = flags_of(head);
  if (!after) return tl::unexpected(after.error());
  std::map<std::string, std::string> changed;
  for (const auto& [file, flags] : *after) {
    const auto old_flags = before->find(file);
    if (old_flags != before->end() && old_flags->second != flags)
      changed.emplace(file, difference(old_flags->second, flags));
  }
  return changed;
}

}  // namespace heddle
