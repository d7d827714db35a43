#include "check/changed_programs.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string_view>

namespace heddle {
namespace {

namespace fs = std::filesystem;

// Larger ones are not read.
constexpr uintmax_t kLargestProgram = uintmax_t{1} << 30;

std::set<std::string> changed_files(const SourceChange& change) {
  std::set<std::string> names;
  for (const FunctionChange& function : change.statements.functions())
    if (function.new_function) names.insert(fs::path(function.new_function->file).filename().string());
  return names;
}

// An ELF file that a person could start; no library, no object file.
bool is_program(const fs::directory_entry& entry) {
  std::error_code failed;
  if (!entry.is_regular_file(failed) || entry.is_symlink(failed)) return false;
  const std::string name = entry.path().filename().string();
  return ::access(entry.path().c_str(), X_OK) == 0 && name.find(".so") == std::string::npos &&
         entry.file_size(failed) <= kLargestProgram;
}

// Tables of lines name files without their folders, each name by itself.
bool names_one_of(const fs::path& program, const std::set<std::string>& files) {
  std::ifstream in(program, std::ios::binary);
  const std::string content((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (!std::string_view(content).starts_with("\177ELF")) return false;
  return std::ranges::any_of(
      files, [&](const std::string& file) { return content.find(file + '\0') != std::string::npos; });
}

}  // namespace

std::vector<std::string> changed_programs(const ProjectBuild& head, const SourceChange& change,
                                          const TestSuite& tests) {
  const std::set<std::string> files = changed_files(change);
  std::vector<std::string> programs;
  if (files.empty()) return programs;
  std::error_code failed;
  std::set<fs::path> of_tests;
  for (const SuiteTest& test : tests.tests) of_tests.insert(fs::weakly_canonical(test.program, failed));
  const auto options = fs::directory_options::skip_permission_denied;
  for (auto at = fs::recursive_directory_iterator(head.folder, options, failed);
       !failed && at != fs::recursive_directory_iterator(); at.increment(failed)) {
    const fs::path& path = at->path();
    if (at->is_directory(failed)) {
      // What CMake compiles to find out about the compiler is not the project's.
      if (path.filename() == "CMakeFiles") at.disable_recursion_pending();
      continue;
    }
    if (!is_program(*at) || of_tests.contains(fs::weakly_canonical(path, failed))) continue;
    if (names_one_of(path, files)) programs.push_back(path.lexically_relative(head.folder).string());
  }
  std::sort(programs.begin(), programs.end());
  return programs;
}

}  // namespace heddle
