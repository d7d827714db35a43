#include "interact/versions/fuzz_function.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "interact/versions/program_form.h"
#include "program/compile_unit.h"
#include "support/process.h"

namespace heddle::interact {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFunction = "LLVMFuzzerTestOneInput";

struct UnitSymbols {
  std::set<std::string> defined;
  std::set<std::string> wanted;
};

program::UnitLanguage language_of_unit(const ProgramUnit& unit) {
  return program::translate_command({unit.call.directory, unit.source, unit.call.arguments}).language;
}

size_t common_folders(const fs::path& one, const fs::path& other) {
  const auto [end, unused] = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
  return static_cast<size_t>(std::distance(one.begin(), end));
}

bool is_same(const ProgramUnit& one, const ProgramUnit& other) {
  return one.source == other.source && one.object == other.object;
}

// Optimised at the time of linking: what the object has in it is the compiler's business.
bool is_code(const fs::path& object, const ProgramUnit& unit) {
  std::error_code failed;
  return !object.empty() && fs::exists(object, failed) &&
         std::none_of(unit.call.arguments.begin(), unit.call.arguments.end(),
                      [](const std::string& word) { return word.starts_with("-flto"); });
}

// The objects as the build has left them; what it compiled and linked in one step is compiled again.
Expected<std::vector<UnitSymbols>> symbols_of(const std::vector<ProgramUnit>& units,
                                              const fs::path& scratch) {
  FormRequest missing;
  missing.folder = scratch;
  std::vector<fs::path> objects;
  std::vector<size_t> compiled;
  for (size_t i = 0; i < units.size(); ++i) {
    objects.push_back(units[i].object);
    if (is_code(units[i].object, units[i])) continue;
    missing.units.push_back(units[i]);
    compiled.push_back(i);
  }
  const Expected<std::vector<fs::path>> made = compile_units(missing);
  if (!made) return tl::unexpected(made.error());
  for (size_t i = 0; i < compiled.size(); ++i) objects[compiled[i]] = (*made)[i];

  std::map<std::string, size_t> by_object;
  ProcessRequest listing;
  listing.argv = {"nm", "-A", "-g", "--format=posix"};
  for (size_t i = 0; i < objects.size(); ++i) {
    by_object[objects[i].string()] = i;
    listing.argv.push_back(objects[i].string());
  }
  const Expected<CapturedProcess> listed = capture_process(listing);
  if (!listed) return tl::unexpected(listed.error());
  std::vector<UnitSymbols> symbols(units.size());
  std::istringstream lines(listed->out);
  for (std::string line; std::getline(lines, line);) {
    // "dir/a.o: name T 0 1f"
    const size_t colon = line.find(".o: ");
    if (colon == std::string::npos) continue;
    const auto unit = by_object.find(line.substr(0, colon + 2));
    std::istringstream words(line.substr(colon + 4));
    std::string name;
    char type = 0;
    if (unit == by_object.end() || !(words >> name >> type)) continue;
    if (type == 'U') symbols[unit->second].wanted.insert(name);
    if (type != 'U' && type != 'w' && type != 'v') symbols[unit->second].defined.insert(name);
  }
  return symbols;
}

class FunctionSearch {
 public:
  explicit FunctionSearch(const FuzzFunctionRequest& request) : request_(request) {}

  Expected<ProgramParts> run() {
    units_ = all_units(request_.log);
    if (const std::optional<fs::path> left_out = left_out_source()) {
      const Expected<ProgramUnit> unit = compiled_as_nearest(*left_out);
      if (!unit) return tl::unexpected(unit.error());
      units_.push_back(*unit);
    }
    Expected<std::vector<UnitSymbols>> symbols = symbols_of(units_, request_.scratch);
    if (!symbols) return tl::unexpected(symbols.error());
    symbols_ = std::move(*symbols);
    const Expected<size_t> unit = unit_with_function();
    if (!unit) return tl::unexpected(unit.error());
    ProgramParts parts = parts_with(*unit);
    if (parts.linker.empty()) parts.linker = parts.units.front().call.arguments.front();
    // Functions of C are called as well as those of C++, but not the other way round.
    for (const ProgramUnit& one : parts.units) {
      if (parts.is_cxx || language_of_unit(one) != program::UnitLanguage::kCxx) continue;
      parts.is_cxx = true;
      parts.linker = one.call.arguments.front();
    }
    return parts;
  }

 private:
  // A source of the project that it does not compile now.
  std::optional<fs::path> left_out_source() const {
    const fs::path file = (request_.source / request_.name).lexically_normal();
    std::error_code failed;
    if (!fs::is_regular_file(file, failed) || !file.has_extension()) return std::nullopt;
    if (std::any_of(units_.begin(), units_.end(), [&](const auto& unit) { return unit.source == file; }))
      return std::nullopt;
    if (request_.programs.find_one(request_.name) != nullptr) return std::nullopt;
    return file;
  }

  Expected<ProgramUnit> compiled_as_nearest(const fs::path& source) const {
    const program::UnitLanguage language =
        program::translate_command({source.parent_path(), source, {"cc"}}).language;
    const ProgramUnit* nearest = nullptr;
    for (const ProgramUnit& unit : units_) {
      if (language_of_unit(unit) != language) continue;
      if (nearest == nullptr || common_folders(unit.source, source) > common_folders(nearest->source, source))
        nearest = &unit;
    }
    if (language == program::UnitLanguage::kOther || nearest == nullptr)
      return usage_error(fmt::format(
          "the project's build compiles nothing in the language of {}, so heddle does not know how",
          request_.name));
    ProgramUnit unit = *nearest;
    unit.source = source;
    unit.object.clear();
    unit.call.arguments.back() = source.string();
    return unit;
  }

  bool has_function(size_t unit) const { return symbols_[unit].defined.count(kFunction) != 0; }

  // By the source's name, or what it was compiled for, or what it was linked into.
  Expected<size_t> unit_with_function() const {
    const ProjectProgram* program = request_.programs.find_one(request_.name);
    std::vector<ProgramUnit> linked;
    if (program != nullptr) linked = parts_of_program(request_.log, *program->link).units;
    std::vector<size_t> found;
    bool is_known = program != nullptr;
    for (size_t i = 0; i < units_.size(); ++i) {
      const bool is_named = ends_with_path(units_[i].source, request_.name) ||
                            cmake_targets(units_[i].object).count(request_.name) != 0 ||
                            std::any_of(linked.begin(), linked.end(),
                                        [&](const auto& unit) { return is_same(unit, units_[i]); });
      is_known |= is_named;
      if (is_named && has_function(i)) found.push_back(i);
    }
    // Compiled for several targets, it is the same function.
    const auto is_same_source = [&](size_t unit) { return units_[unit].source == units_[found[0]].source; };
    if (!found.empty() && std::all_of(found.begin(), found.end(), is_same_source)) return found.front();
    std::vector<std::string> names;
    for (size_t i = 0; i < units_.size(); ++i)
      if (has_function(i) && (found.empty() || std::find(found.begin(), found.end(), i) != found.end()))
        names.push_back(request_.programs.shown(units_[i].source));
    if (!found.empty())
      return usage_error(fmt::format("several sources of {} have {}: {}; name one of them", request_.name,
                                     kFunction, nearest_first(request_.name, names)));
    const std::string what = is_known
                                 ? fmt::format("{} has no function {}", request_.name, kFunction)
                                 : fmt::format("the project has no source or target {} with the function {}",
                                               request_.name, kFunction);
    return usage_error(names.empty()
                           ? what + "; nor has any other that it compiles"
                           : fmt::format("{}; these have: {}", what, nearest_first(request_.name, names)));
  }

  ProgramParts parts_with(size_t function) const {
    std::vector<const CallRecord*> links;
    if (const ProjectProgram* named = request_.programs.find_one(request_.name)) links.push_back(named->link);
    for (const ProjectProgram& program : request_.programs.all()) links.push_back(program.link);
    for (const CallRecord* link : links) {
      ProgramParts parts = parts_of_program(request_.log, *link);
      if (std::none_of(parts.units.begin(), parts.units.end(),
                       [&](const auto& unit) { return is_same(unit, units_[function]); }))
        continue;
      std::erase_if(parts.units, [&](const ProgramUnit& unit) { return is_another_entry(unit, function); });
      return parts;
    }
    ProgramParts parts;
    for (const size_t unit : what_is_needed_by(function)) parts.units.push_back(units_[unit]);
    parts.link_arguments = all_libraries();
    return parts;
  }

  bool is_entry(size_t unit) const { return has_function(unit) || symbols_[unit].defined.count("main") != 0; }

  // With a main() of its own, or the function of another program.
  bool is_another_entry(const ProgramUnit& unit, size_t function) const {
    for (size_t i = 0; i < units_.size(); ++i)
      if (i != function && is_same(units_[i], unit)) return is_entry(i);
    return false;
  }

  // As a linker does with archives, but that of several definitions the nearest is taken.
  std::vector<size_t> what_is_needed_by(size_t function) const {
    std::multimap<std::string, size_t> definitions;
    for (size_t i = 0; i < units_.size(); ++i)
      if (!is_entry(i))
        for (const std::string& name : symbols_[i].defined) definitions.emplace(name, i);
    std::vector<size_t> needed = {function};
    std::set<std::string> defined = symbols_[function].defined;
    for (size_t next = 0; next < needed.size(); ++next) {
      for (const std::string& name : symbols_[needed[next]].wanted) {
        const auto [begin, end] = definitions.equal_range(name);
        if (begin == end || defined.count(name) != 0) continue;
        const auto best = std::max_element(begin, end, [&](const auto& one, const auto& other) {
          return common_folders(units_[one.second].source, units_[function].source) <
                 common_folders(units_[other.second].source, units_[function].source);
        });
        needed.push_back(best->second);
        defined.insert(symbols_[best->second].defined.begin(), symbols_[best->second].defined.end());
      }
    }
    return needed;
  }

  // That any part of the project is linked with.
  std::vector<std::string> all_libraries() const {
    std::vector<std::string> libraries = {"-Wl,--as-needed"};
    for (const CallRecord& record : request_.log.records()) {
      if (!record.parts.is_linked() || is_probe(record.parts.output)) continue;
      for (const std::string& word : parts_of_program(request_.log, record).link_arguments) {
        const bool is_library = word.starts_with("-l") || word.starts_with("-L") || word == "-pthread" ||
                                word.starts_with("-fopenmp") || word.starts_with("-stdlib=") ||
                                word.starts_with("/");
        if (is_library && std::find(libraries.begin(), libraries.end(), word) == libraries.end())
          libraries.push_back(word);
      }
    }
    return libraries;
  }

  const FuzzFunctionRequest& request_;
  std::vector<ProgramUnit> units_;
  std::vector<UnitSymbols> symbols_;
};

}  // namespace

Expected<ProgramParts> parts_of_function(const FuzzFunctionRequest& request) {
  return FunctionSearch(request).run();
}

}  // namespace heddle::interact
