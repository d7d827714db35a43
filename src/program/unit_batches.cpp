#include "program/unit_batches.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "change/file_scope.h"

namespace heddle::program {
namespace {

// Batches that are open for further units of their group.
constexpr size_t kOpen = 16;

std::string without_anonymous(std::string name) {
  constexpr std::string_view kAnonymous = "(anonymous namespace)::";
  for (size_t at = name.find(kAnonymous); at != std::string::npos; at = name.find(kAnonymous))
    name.erase(at, kAnonymous.size());
  return name;
}

// Names that the unit's own file gives to something outside functions.
std::vector<std::string> names_of(const SourceFile& file) {
  std::vector<std::string> names;
  for (const SourceFunction& function : file.functions) names.push_back(without_anonymous(function.name));
  for (const SourceDeclaration& declaration : file.declarations)
    if (declaration.kind != DeclarationKind::kFunction && declaration.kind != DeclarationKind::kField)
      names.push_back(without_anonymous(declaration.name));
  return names;
}

// What a thread has of its own is made ready by one function for the whole text.
bool has_thread_locals(const SourceFile& file) {
  const auto says_so = [](const std::string& text) { return text.find("thread_local") != std::string::npos; };
  return std::ranges::any_of(file.declarations, says_so, &SourceDeclaration::text) ||
         std::ranges::any_of(file.functions, [&](const SourceFunction& function) {
           return std::ranges::any_of(function.statements, says_so, &SourceStatement::text);
         });
}

bool is_in_function(const SourceFile& file, uint32_t line) {
  return std::ranges::any_of(file.functions, [&](const SourceFunction& function) {
    return function.range.first_line <= line && line <= function.range.last_line;
  });
}

// "template class Filter<int>;": what nobody here uses is nevertheless made, for others.
bool instantiates(const std::string& line) {
  constexpr std::string_view kTemplate = "template ";
  const size_t first = line.find_first_not_of(" \t");
  if (first == std::string::npos || line.compare(first, kTemplate.size(), kTemplate) != 0) return false;
  const size_t next = line.find_first_not_of(" \t", first + kTemplate.size());
  return next != std::string::npos && line[next] != '<';
}

// Directives of the file that hold to the end of the text: such units go together only with their like.
// Nothing: it goes with no other at all.
std::optional<std::string> lasting_directives(const std::filesystem::path& path, const SourceFile& text) {
  if (has_thread_locals(text)) return std::nullopt;
  std::ifstream stream(path);
  std::set<std::string> found;
  std::string line;
  for (uint32_t number = 1; std::getline(stream, line); ++number) {
    const size_t first = line.find_first_not_of(" \t");
    if (first != std::string::npos && line[first] == '#') {
      const bool is_pragma = line.find("pragma") != std::string::npos;
      const bool is_harmless =
          line.find("diagnostic") != std::string::npos || line.find("once") != std::string::npos;
      if (is_pragma && !is_harmless) return std::nullopt;
    }
    if (instantiates(line)) return std::nullopt;
    const size_t at = line.find("using namespace");
    if (at != std::string::npos && !is_in_function(text, number))
      found.insert(line.substr(at, line.find(';', at) - at));
  }
  std::string all;
  for (const std::string& one : found) all += one + ";";
  return all;
}

// Made by a build system of several source files: names of its own file are not all that it defines, and it
// has most of what a batch could save already.
bool collects_sources(const UnitCommand& command, const IncludedHeaders& includes) {
  return std::ranges::any_of(includes.reachable, [&](const std::filesystem::path& path) {
    return path != command.file && is_unit_file(path.string());
  });
}

// What the units of a batch have taken.
class OpenBatch {
 public:
  bool takes(const std::vector<std::string>& names, const IncludedHeaders& includes,
             IncludeScan& scan) const {
    for (const std::string& name : names) {
      if (defined_.contains(name) || hidden_.contains(name)) return false;
      bool is_free = true;
      for_each_outer(name, [&](const std::string& outer) { is_free = is_free && !defined_.contains(outer); });
      if (!is_free) return false;
    }
    for (const std::string& name : names)
      if (is_others_macro(name.substr(name.rfind(':') + 1), includes)) return false;
    for (const std::filesystem::path& path : includes.reachable) {
      if (files_.contains(path)) continue;
      for (const std::string& macro : scan.macros(path))
        if (macros_.contains(macro)) return false;
      for (const std::string& word : scan.conditions(path))
        if (is_others_macro(word, includes)) return false;
    }
    return true;
  }

  void add(size_t unit, const std::vector<std::string>& names, const IncludedHeaders& includes,
           IncludeScan& scan) {
    units.push_back(unit);
    for (const std::string& name : names) {
      defined_.insert(name);
      for_each_outer(name, [&](const std::string& outer) { hidden_.insert(outer); });
    }
    for (const std::filesystem::path& path : includes.reachable)
      if (files_.insert(path).second)
        for (const std::string& macro : scan.macros(path)) macros_.emplace(macro, path);
  }

  std::vector<size_t> units;

 private:
  // Whether units before have defined it, and this one would not.
  bool is_others_macro(const std::string& word, const IncludedHeaders& includes) const {
    const auto found = macros_.find(word);
    return found != macros_.end() && !includes.reachable.contains(found->second);
  }

  // "a::b::f" → "a::f", "f": a call of f that means the one may find the other.
  template <typename Visit>
  static void for_each_outer(const std::string& name, Visit visit) {
    const size_t last = name.rfind("::");
    if (last == std::string::npos) return;
    const std::string own = name.substr(last + 2);
    for (size_t end = last; end != std::string::npos && end > 0;) {
      end = name.rfind("::", end - 1);
      visit(end == std::string::npos ? own : name.substr(0, end + 2) + own);
    }
  }

  std::unordered_set<std::string> defined_;
  std::unordered_set<std::string> hidden_;  // names in the namespaces around
  std::set<std::filesystem::path> files_;
  std::unordered_map<std::string, std::filesystem::path> macros_;  // with the file that defines it
};

}  // namespace

UnitBatches::UnitBatches(const std::filesystem::path& source, const std::vector<BatchUnit>& units,
                         size_t largest)
    : scan_(source), units_(units) {
  std::map<std::vector<std::string>, std::vector<OpenBatch>> groups;  // the last ones of each are open
  for (size_t i = 0; i < units.size(); ++i) {
    const UnitCommand& command = *units[i].command;
    includes_.push_back(scan_.scan(command));
    own_macros_.push_back(scan_.macros(command.file));
    const IncludedHeaders& includes = includes_.back();
    reached_.insert(includes.reachable.begin(), includes.reachable.end());
    std::optional<std::string> lasting;
    const bool is_plain = largest > 1 && command.language == UnitLanguage::kCxx && units[i].text != nullptr &&
                          scan_.keeps_macros_to_itself(command.file) && !collects_sources(command, includes);
    if (is_plain) lasting = lasting_directives(command.file, *units[i].text);
    if (!lasting) {
      batches_.push_back({i});
      continue;
    }
    std::vector<std::string> key = command.flags;
    key.push_back(command.directory.string());
    key.push_back(*lasting);
    std::vector<OpenBatch>& group = groups[key];
    const std::vector<std::string> names = names_of(*units[i].text);
    OpenBatch* place = nullptr;
    for (size_t b = group.size() > kOpen ? group.size() - kOpen : 0; b < group.size() && place == nullptr;
         ++b)
      if (group[b].units.size() < largest && group[b].takes(names, includes, scan_)) place = &group[b];
    if (place == nullptr) place = &group.emplace_back();
    place->add(i, names, includes, scan_);
  }
  for (auto& [key, group] : groups)
    for (OpenBatch& batch : group) batches_.push_back(std::move(batch.units));
}

std::string UnitBatches::text_of(const std::vector<size_t>& batch) const {
  std::string text;
  for (size_t unit : batch) {
    text += "#include \"" + units_[unit].command->file.string() + "\"\n";
    for (const std::string& macro : own_macros_[unit]) text += "#undef " + macro + "\n";
  }
  return text;
}

bool UnitBatches::reaches(size_t unit, const std::filesystem::path& path) const {
  return includes_[unit].reachable.contains(path);
}

}  // namespace heddle::program
