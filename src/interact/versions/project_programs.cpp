#include "interact/versions/project_programs.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "interact/versions/program_parts.h"
#include "support/edit_distance.h"

namespace heddle::interact {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostNames = 12;

bool is_below(const fs::path& file, const fs::path& folder) {
  const fs::path relative = file.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

// Build tools leave what was built of targets that another revision had; CMake lists those of this one.
class CurrentTargets {
 public:
  explicit CurrentTargets(const fs::path& build) {
    std::ifstream list(build / "CMakeFiles" / "TargetDirectories.txt");
    for (std::string line; std::getline(list, line);) folders_.insert(line);
  }

  bool has_all_of(const CallRecord& link) const {
    return folders_.empty() ||
           std::all_of(link.parts.link.begin(), link.parts.link.end(), [&](const LinkWord& word) {
             const std::string folder = folder_of_target(word.path);
             return folder.empty() || folders_.count(folder) != 0;
           });
  }

 private:
  // "…/CMakeFiles/tool.dir" of an object below it.
  static std::string folder_of_target(const fs::path& object) {
    for (fs::path folder = object.parent_path(); folder.has_relative_path(); folder = folder.parent_path())
      if (folder.extension() == ".dir" && folder.parent_path().filename() == "CMakeFiles")
        return folder.string();
    return "";
  }

  std::set<std::string> folders_;
};

// Of all objects, also those of object libraries.
std::set<std::string> own_targets(const CallRecord& link) {
  std::set<std::string> targets;
  for (const LinkWord& word : link.parts.link) {
    if (word.kind != LinkWord::Kind::kFile || word.path.extension() != ".o") continue;
    targets.merge(cmake_targets(word.path));
  }
  return targets;
}

}  // namespace

bool ends_with_path(const fs::path& path, const fs::path& end) {
  const std::string all = path.lexically_normal().string();
  const std::string wanted = end.lexically_normal().string();
  if (wanted.empty() || !all.ends_with(wanted)) return false;
  return all.size() == wanted.size() || all[all.size() - wanted.size() - 1] == '/';
}

std::string nearest_first(const std::string& name, std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const std::string wanted = fs::path(name).filename().string();
  const auto distance = [&](const std::string& one) {
    return edit_distance(wanted, fs::path(one).filename().string());
  };
  std::stable_sort(names.begin(), names.end(), [&](const std::string& one, const std::string& other) {
    return distance(one) < distance(other);
  });
  const size_t more = names.size() > kMostNames ? names.size() - kMostNames : 0;
  names.resize(names.size() - more);
  std::string text = fmt::format("{}", fmt::join(names, ", "));
  return more == 0 ? text : text + fmt::format(" and {} more", more);
}

ProjectPrograms::ProjectPrograms(const CallLog& log, fs::path source, fs::path build)
    : log_(log), source_(std::move(source)), build_(std::move(build)) {
  std::map<std::string, const CallRecord*> latest;
  for (const CallRecord& record : log.records())
    if (record.parts.result == CallParts::Result::kExecutable) latest[record.parts.output.string()] = &record;
  const CurrentTargets current(build_);
  for (const auto& [path, link] : latest) {
    std::error_code failed;
    if (is_probe(path) || !fs::is_regular_file(path, failed) || !current.has_all_of(*link)) continue;
    programs_.push_back({path, shown(path), own_targets(*link), link});
  }
}

std::string ProjectPrograms::shown(const fs::path& file) const {
  for (const fs::path& folder : {build_, source_})
    if (is_below(file, folder)) return file.lexically_relative(folder).string();
  return file.string();
}

std::vector<const ProjectProgram*> ProjectPrograms::matching(const std::string& name) const {
  std::vector<const ProjectProgram*> found;
  const auto look = [&](auto&& fits) {
    for (const ProjectProgram& program : programs_)
      if (found.size() < programs_.size() && fits(program)) found.push_back(&program);
    return !found.empty();
  };
  const fs::path path = fs::path(name).lexically_normal();
  look([&](const ProjectProgram& program) {
    return program.file == path || program.file == build_ / path || program.file == source_ / path;
  }) ||
      look([&](const ProjectProgram& program) { return ends_with_path(program.file, path); }) ||
      // What all that it is made of belongs to, before what it only uses.
      look([&](const ProjectProgram& program) {
        return program.targets.size() == 1 && program.targets.count(name) != 0;
      }) ||
      look([&](const ProjectProgram& program) { return program.targets.count(name) != 0; });
  // A path in the user's own build folder, which may have another name.
  for (fs::path rest = path; found.empty() && std::distance(rest.begin(), rest.end()) > 1;) {
    rest = rest.lexically_relative(*rest.begin());
    look([&](const ProjectProgram& program) { return ends_with_path(program.file, rest); });
  }
  return found;
}

const ProjectProgram* ProjectPrograms::find_one(const std::string& name) const {
  const std::vector<const ProjectProgram*> found = matching(name);
  return found.size() == 1 ? found.front() : nullptr;
}

// What was moved, copied or stripped since it was linked.
Expected<ProjectProgram> ProjectPrograms::find_copy(const std::string& name) const {
  for (const fs::path& folder : {build_, source_}) {
    const fs::path file = (folder / name).lexically_normal();
    const std::optional<FileContent> content = content_of(file);
    if (!content) continue;
    const CallRecord* named_so = nullptr;
    for (const CallRecord& record : log_.records()) {
      if (record.parts.result != CallParts::Result::kExecutable) continue;
      const auto made = record.files.find(record.parts.output.string());
      if (made != record.files.end() && made->second.content == content->content)
        return ProjectProgram{file, shown(file), {}, &record};
      if (record.parts.output.filename() == file.filename()) named_so = &record;
    }
    if (named_so != nullptr) return ProjectProgram{file, shown(file), {}, named_so};
  }
  return usage_error("there is no such file");
}

Expected<ProjectProgram> ProjectPrograms::find(const std::string& name) const {
  const std::vector<const ProjectProgram*> found = matching(name);
  if (found.size() == 1) return *found.front();
  std::vector<std::string> names;
  for (const ProjectProgram* program : found) names.push_back(program->shown);
  if (!names.empty())
    return usage_error(fmt::format("several programs of the project are called {}: {}; name one by its path",
                                   name, nearest_first(name, names)));
  if (Expected<ProjectProgram> copy = find_copy(name)) return copy;
  for (const ProjectProgram& program : programs_) names.push_back(program.shown);
  if (name.empty() && programs_.size() == 1) return programs_.front();
  if (name.empty() && !names.empty())
    return usage_error(fmt::format("which program? The project builds {}", nearest_first(name, names)));
  if (!names.empty())
    return usage_error(
        fmt::format("the project builds no program {}; there are {}", name, nearest_first(name, names)));
  return usage_error(
      "the project's build links no program, or by a compiler that heddle does not see: it stands in for "
      "those "
      "in PATH, and for CC and CXX");
}

}  // namespace heddle::interact
