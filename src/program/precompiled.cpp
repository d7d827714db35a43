#include "program/precompiled.h"

#include <algorithm>
#include <fstream>
#include <map>

#include <fmt/format.h>

#include "program/read_text.h"

namespace heddle::program {
namespace {

// A precompiled header costs about what three units save that would read all of it.
constexpr size_t kMinUnits = 4;
// For a set of libraries to get a header apart from the others of its group, which costs as much and saves
// less.
constexpr size_t kMinUnitsOfSet = 8;
// Part of a group's units (in percent) that use a library, for it to be given to all of them.
constexpr size_t kCommonLibraryShare = 25;
// Part of a group's units (in percent) that include a header of the standard library, for all to get it:
// reading it costs nothing while nobody uses it, but it must be compiled once.
constexpr size_t kMinShare = 5;
// The same for headers of the project, which are worth it only for those who include them.
constexpr size_t kMinProjectShare = 15;

bool is_standard(const std::string& name) {
  // <iostream> defines a variable in each unit that includes it.
  return name.find_first_of("./") == std::string::npos && name != "iostream";
}

// Headers of C and of the system are quick to read; they often depend on what was defined before.
bool is_library(const std::string& name) {
  if (is_standard(name)) return false;
  for (const char* folder : {"sys/", "linux/", "asm/", "net/", "netinet/", "arpa/", "bits/", "gnu/"})
    if (name.starts_with(folder)) return false;
  return name == "iostream" || name.find('/') != std::string::npos || name.ends_with(".hpp") ||
         name.ends_with(".hh") || name.ends_with(".hxx");
}

// Read in no time: a precompiled header of nothing else would cost more than it saves.
bool is_light(const std::string& name) {
  static const std::set<std::string> kLight = {
      "atomic",           "bit",         "compare", "concepts",        "limits",  "new",
      "initializer_list", "type_traits", "utility", "source_location", "version", "exception"};
  // <cstdint> and its like are C's.
  return kLight.contains(name) ||
         (name.starts_with('c') && name != "chrono" && name != "charconv" && name != "complex" &&
          name != "condition_variable" && name != "codecvt" && name != "coroutine");
}

std::string macro_of(const std::string& flag) {
  return flag.substr(2, flag.find('=') - 2);
}

// Flags that must be equal for units to share a header. Macros with texts and CMake's foo_EXPORTS hardly ever
// mean something to a library: whether they do is looked up in its text (fits).
bool is_essential(const std::string& flag) {
  if (flag.starts_with("-I")) return false;
  if (!flag.starts_with("-D")) return true;
  return flag.find('"') == std::string::npos && flag.find('/') == std::string::npos &&
         !macro_of(flag).ends_with("_EXPORTS");
}

}  // namespace

PrecompiledHeaders::PrecompiledHeaders(std::string clang, std::filesystem::path folder,
                                       const std::filesystem::path& source,
                                       const std::vector<const UnitCommand*>& units)
    : clang_(std::move(clang)),
      folder_(std::move(folder)),
      source_(source.lexically_normal()),
      scan_(source),
      units_(units) {
  std::map<std::vector<std::string>, std::vector<size_t>> groups;
  for (size_t i = 0; i < units_.size(); ++i) {
    includes_.push_back(scan_.scan(*units_[i]));
    if (units_[i]->language != UnitLanguage::kCxx) continue;
    std::vector<std::string> essential;
    for (const std::string& flag : units_[i]->flags)
      if (is_essential(flag)) essential.push_back(flag);
    groups[essential].push_back(i);
  }
  for (const auto& [flags, group] : groups)
    if (group.size() >= kMinUnits) plan_group(group);
  header_of_.assign(units_.size(), headers_.size());
}

void PrecompiledHeaders::plan_group(const std::vector<size_t>& group) {
  std::map<std::string, size_t> users;
  for (size_t unit : group)
    for (const std::string& name : includes_[unit].library) ++users[name];
  std::vector<std::string> common;
  for (const auto& [name, count] : users)
    if (is_standard(name) && count >= kMinUnits && count * 100 >= kMinShare * group.size())
      common.push_back(name);

  for (const auto& [name, count] : users)
    if (is_library(name) && name != "iostream" && count >= kMinUnits &&
        count * 100 >= kCommonLibraryShare * group.size())
      common.push_back(name);
  if (std::ranges::all_of(common, is_light)) common.clear();

  // Units by the other libraries that they use: each set that is used often enough gets a header; the others
  // take the largest one that brings nothing they do not include.
  std::vector<std::set<std::string>> libraries(units_.size());
  std::map<std::set<std::string>, std::vector<size_t>> classes;
  for (size_t unit : group) {
    for (const std::string& name : includes_[unit].library)
      if (is_library(name) && users[name] >= kMinUnitsOfSet &&
          std::ranges::find(common, name) == common.end())
        libraries[unit].insert(name);
    classes[libraries[unit]].push_back(unit);
  }
  std::set<std::set<std::string>> wanted;
  wanted.insert(std::set<std::string>{});
  for (const auto& [set, units] : classes) {
    if (units.size() >= kMinUnitsOfSet) wanted.insert(set);
    for (const std::string& name : set) wanted.insert(std::set<std::string>{name});
  }
  std::vector<std::set<std::string>> chosen(wanted.begin(), wanted.end());
  std::ranges::stable_sort(chosen, std::ranges::greater{}, [](const auto& set) { return set.size(); });
  std::vector<bool> is_planned(units_.size());
  for (const std::set<std::string>& set : chosen) {
    std::vector<size_t> members;
    for (size_t unit : group)
      if (!is_planned[unit] && std::ranges::includes(libraries[unit], set)) members.push_back(unit);
    if (members.size() < (set.empty() ? kMinUnits : kMinUnitsOfSet)) continue;
    for (size_t unit : members) is_planned[unit] = true;
    plan_header(members, set, common);
  }
}

void PrecompiledHeaders::plan_header(const std::vector<size_t>& units, const std::set<std::string>& extras,
                                     const std::vector<std::string>& common) {
  if (extras.empty() && common.empty()) return;
  Header header;
  std::map<std::filesystem::path, size_t> users;
  for (size_t unit : units)
    for (const std::filesystem::path& path : includes_[unit].project) ++users[path];
  // In an order that some unit has: a header may need those before it.
  std::set<std::filesystem::path> taken;
  for (size_t unit : units)
    for (const std::filesystem::path& path : includes_[unit].project)
      if (users[path] >= kMinUnits && users[path] * 100 >= kMinProjectShare * units.size() &&
          taken.insert(path).second)
        header.project.push_back(path);
  header.units = units;
  header.includes = common;
  header.includes.insert(header.includes.end(), extras.begin(), extras.end());
  // Flags in the order of the first unit; those that not all have (folders of their own) are left out.
  for (const std::string& flag : units_[units.front()]->flags) {
    const bool is_shared = is_essential(flag) || std::ranges::all_of(units, [&](size_t unit) {
                             return std::ranges::find(units_[unit]->flags, flag) != units_[unit]->flags.end();
                           });
    if (is_shared) header.ordered_flags.push_back(flag);
  }
  header.flags.insert(header.ordered_flags.begin(), header.ordered_flags.end());
  header.file = folder_ / fmt::format("header{}.pch", headers_.size());
  headers_.push_back(std::move(header));
}

void PrecompiledHeaders::build(size_t index) {
  Header& header = headers_[index];
  // Headers of a project may not go together: those of two programs in one build.
  header.is_built = build(index, true) || (!header.project.empty() && build(index, false));
}

bool PrecompiledHeaders::build(size_t index, bool with_project) {
  Header& header = headers_[index];
  const std::string stem = (folder_ / fmt::format("header{}", index)).string();
  {
    std::ofstream text(stem + ".h");
    for (const std::string& name : header.includes)
      text << "#if __has_include(<" << name << ">)\n#include <" << name << ">\n#endif\n";
    if (with_project)
      for (const std::filesystem::path& path : header.project)
        text << "#include \"" << path.string() << "\"\n";
  }
  const UnitCommand& first = *units_[header.units.front()];
  UnitCommand unit{first.directory, stem + ".h", first.language, header.ordered_flags};
  std::vector<std::string> command = {clang_};
  for (std::string& word : clang_arguments(unit, {})) command.push_back(std::move(word));
  command[2] = "c++-header";  // after "-x"
  // Templates that the headers use themselves are then ready for all units.
  command.insert(command.end(), {"-fpch-instantiate-templates", stem + ".h", "-o", header.file.string(),
                                 "-MD", "-MF", stem + ".d"});
  const Expected<RunResult> result = run_command(command, unit.directory, stem + ".log");
  if (!result || result->exit_code != 0) return false;
  for (const std::string& file : read_dependencies(read_text(stem + ".d")))
    if (file != stem + ".h") header.files.insert((unit.directory / file).lexically_normal());
  return true;
}

bool PrecompiledHeaders::fits(const Header& header, size_t unit, const std::string& text) {
  const auto is_spoken_of = [&](const std::string& macro) { return text.find(macro) != std::string::npos; };
  for (const std::string& flag : units_[unit]->flags)
    if ((flag.starts_with("-D") || flag.starts_with("-U")) && !header.flags.contains(flag) &&
        is_spoken_of(macro_of(flag)))
      return false;
  return std::ranges::none_of(includes_[unit].reachable, [&](const std::filesystem::path& path) {
    return !header.files.contains(path) && std::ranges::any_of(scan_.macros(path), is_spoken_of);
  });
}

void PrecompiledHeaders::assign() {
  for (size_t h = 0; h < headers_.size(); ++h) {
    const Header& header = headers_[h];
    if (!header.is_built) continue;
    std::string text;
    for (const std::filesystem::path& file : header.files) text += read_text(file) + "\n";
    for (size_t unit : header.units)
      if (fits(header, unit, text)) header_of_[unit] = h;
  }
}

bool PrecompiledHeaders::is_foreign(size_t index, const std::filesystem::path& file) const {
  const size_t header = header_of_[index];
  const std::filesystem::path path = file.lexically_normal();
  return header < headers_.size() && headers_[header].files.contains(path) &&
         path.string().starts_with(source_.string()) && !includes_[index].reachable.contains(path);
}

std::vector<std::string> PrecompiledHeaders::arguments_for(size_t index) const {
  const size_t header = header_of_[index];
  if (header >= headers_.size()) return {};
  return {"-include-pch", headers_[header].file.string()};
}

}  // namespace heddle::program
