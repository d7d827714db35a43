#include "generate/database_sources.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "program/compile_unit.h"

namespace heddle::generate {
namespace fs = std::filesystem;
namespace {

fs::path absolute(const fs::path& path, const fs::path& folder = {}) {
  std::error_code failed;
  return fs::weakly_canonical(folder.empty() ? fs::absolute(path, failed) : folder / path, failed);
}

constexpr const char* kFolderFlags[] = {"-I", "-isystem", "-iquote"};

// The flag's folder, in the same word or the next, with its place in the word; nothing if it names none.
struct FolderFlag {
  size_t word = 0;
  size_t begin = 0;
};
std::optional<FolderFlag> folder_flag(const std::vector<std::string>& flags, size_t word) {
  for (const std::string flag : kFolderFlags) {
    if (!flags[word].starts_with(flag)) continue;
    if (flags[word].size() > flag.size()) return FolderFlag{word, flag.size()};
    if (word + 1 < flags.size()) return FolderFlag{word + 1, 0};
  }
  return std::nullopt;
}

std::vector<fs::path> include_folders(const std::vector<std::string>& flags) {
  std::vector<fs::path> folders;
  for (size_t i = 0; i < flags.size(); ++i) {
    const std::optional<FolderFlag> found = folder_flag(flags, i);
    if (!found) continue;
    folders.push_back(absolute(flags[found->word].substr(found->begin)));
    i = found->word;
  }
  return folders;
}

// Relative to where the compiler was started; the driver is compiled elsewhere.
void make_folders_absolute(std::vector<std::string>* flags, const fs::path& directory) {
  for (size_t i = 0; i < flags->size(); ++i) {
    const std::optional<FolderFlag> found = folder_flag(*flags, i);
    if (!found) continue;
    std::string& word = (*flags)[found->word];
    word = word.substr(0, found->begin) + absolute(word.substr(found->begin), directory).string();
    i = found->word;
  }
}

bool is_in(const fs::path& file, const fs::path& folder) {
  const fs::path relative = file.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

size_t common_parts(const fs::path& one, const fs::path& other) {
  const auto [end, unused] = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
  return static_cast<size_t>(std::distance(one.begin(), end));
}

bool is_cxx(const program::CompileCommand& command) {
  return program::translate_command(command).language == program::UnitLanguage::kCxx;
}

// Heddle's own wrapper stands for the one that it runs.
std::string compiler_of(const program::CompileCommand& command) {
  const std::string& compiler = command.arguments.front();
  if (!fs::path(compiler).filename().string().starts_with("heddle-c")) return compiler;
  constexpr std::string_view kOption = "--heddle-compiler=";
  for (const std::string& word : command.arguments)
    if (word.starts_with(kOption)) return word.substr(kOption.size());
  return "";
}

// cache.cpp to cache.h.
bool belongs_to(const program::CompileCommand& command, const fs::path& header) {
  return command.file.stem() == header.stem();
}

}  // namespace

void place_headers(ClassSources* sources) {
  for (std::string& header : sources->headers) {
    std::error_code failed;
    if (!fs::is_regular_file(header, failed)) continue;
    const fs::path file = absolute(header);
    fs::path longest;
    for (const fs::path& folder : include_folders(sources->flags))
      if (is_in(file, folder) && folder.string().size() > longest.string().size()) longest = folder;
    if (longest.empty()) {
      longest = file.parent_path();
      sources->flags.push_back("-I" + longest.string());
    }
    header = file.lexically_relative(longest).string();
  }
}

Expected<void> add_from_database(const fs::path& database, ClassSources* sources) {
  std::error_code failed;
  const fs::path file = fs::is_directory(database, failed) ? database / "compile_commands.json" : database;
  Expected<std::vector<program::CompileCommand>> commands = program::read_compile_commands(file);
  if (!commands) return tl::unexpected(commands.error());
  std::erase_if(*commands, [](const program::CompileCommand& command) { return !is_cxx(command); });
  if (commands->empty()) return usage_error(fmt::format("{} has no C++ source", file.string()));

  const fs::path header = absolute(sources->headers.front());
  const auto nearer = [&](const program::CompileCommand& one, const program::CompileCommand& other) {
    return std::pair(belongs_to(one, header), common_parts(one.file, header)) <
           std::pair(belongs_to(other, header), common_parts(other.file, header));
  };
  const program::CompileCommand& nearest = *std::max_element(commands->begin(), commands->end(), nearer);
  program::UnitCommand unit = program::translate_command(nearest);
  make_folders_absolute(&unit.flags, unit.directory);
  sources->flags.insert(sources->flags.begin(), unit.flags.begin(), unit.flags.end());
  if (sources->compiler.empty()) sources->compiler = compiler_of(nearest);
  if (!sources->sources.empty()) return {};
  if (belongs_to(nearest, header)) sources->sources.push_back(nearest.file.string());
  const fs::path own = nearest.file;
  for (const program::CompileCommand& command : *commands)
    if (command.file != own || sources->sources.empty())
      sources->more_sources.push_back(command.file.string());
  std::stable_sort(sources->more_sources.begin(), sources->more_sources.end(),
                   [&](const fs::path& one, const fs::path& other) {
                     return common_parts(one, own) > common_parts(other, own);
                   });
  return {};
}

}  // namespace heddle::generate
