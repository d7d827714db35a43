#include "execute/binary.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>

#include "execute/elf_file.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> split_folders(const char* list) {
  std::vector<std::string> folders;
  for (std::string_view rest = list == nullptr ? "" : list; !rest.empty();) {
    const size_t colon = std::min(rest.find(':'), rest.size());
    folders.emplace_back(rest.substr(0, colon));
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  return folders;
}

bool is_tsan_hook(std::string_view name) {
  // gcc and clang mark every unit with a call of __tsan_init, also those without a single access.
  return name.starts_with("__tsan_");
}

bool is_tsan_library(std::string_view name) {
  return name.starts_with("libtsan.so") || name.starts_with("libclang_rt.tsan");
}

// Libraries of the project itself: those found where the binary or the user says to look. The system's own
// are not searched, since nobody instruments them.
std::vector<std::string> project_libraries(const ElfFile& file) {
  std::vector<std::string> folders = file.search_folders();
  for (std::string& folder : split_folders(std::getenv("LD_LIBRARY_PATH")))
    folders.push_back(std::move(folder));
  std::vector<std::string> found;
  for (const std::string& name : file.needed()) {
    if (is_tsan_library(name)) continue;
    for (const std::string& folder : folders) {
      std::error_code ignored;
      const std::string path = (fs::path(folder) / name).string();
      if (!fs::is_regular_file(path, ignored)) continue;
      found.push_back(path);
      break;
    }
  }
  return found;
}

void read_symbols(const ElfFile& file, BinaryInfo& info) {
  for (const ElfSymbol& symbol : file.symbols()) {
    if (is_tsan_hook(symbol.name)) info.instrumented = true;
    if (symbol.defined && symbol.name == "__tsan_init") info.static_tsan = true;
    if (symbol.name.starts_with("__sanitizer_cov_trace_pc")) info.has_coverage = true;
  }
  // A runtime that is linked in has the hooks, whether or not anything calls them.
  if (info.static_tsan) info.has_coverage = file.has_section("__sancov_guards");
}

void read_libraries(const ElfFile& program, BinaryInfo& info) {
  std::vector<std::string> queue = project_libraries(program);
  std::set<std::string> seen(queue.begin(), queue.end());
  for (size_t i = 0; i < queue.size(); ++i) {
    const Expected<ElfFile> library = ElfFile::open(queue[i]);
    if (!library) continue;
    BinaryInfo of_library;
    read_symbols(*library, of_library);
    if (of_library.instrumented) info.instrumented_libraries.push_back(queue[i]);
    for (std::string& next : project_libraries(*library)) {
      if (seen.insert(next).second) queue.push_back(std::move(next));
    }
  }
  if (!info.instrumented_libraries.empty()) info.instrumented = true;
  info.project_libraries = std::move(queue);
}

}  // namespace

Expected<std::string> resolve_program(const TestCommand& command) {
  if (command.argv.empty() || command.argv[0].empty()) return usage_error("no program was given");
  const std::string& name = command.argv[0];
  std::error_code failed;
  const fs::path directory = fs::absolute(command.directory.empty() ? "." : command.directory, failed);
  if (!fs::is_directory(directory, failed)) {
    return usage_error(fmt::format("the test's directory {} does not exist", directory.string()));
  }
  if (name.find('/') != std::string::npos) {
    const fs::path path = (directory / name).lexically_normal();
    if (!fs::exists(path, failed))
      return usage_error(fmt::format("program {} does not exist", path.string()));
    return path.string();
  }
  for (const std::string& folder : split_folders(std::getenv("PATH"))) {
    const fs::path path = (directory / folder / name).lexically_normal();
    if (fs::is_regular_file(path, failed) && ::access(path.c_str(), X_OK) == 0) return path.string();
  }
  if (fs::exists(directory / name, failed)) {
    return usage_error(
        fmt::format("program {0} is not in PATH; for the one in this directory, say ./{0}", name));
  }
  return usage_error(fmt::format("program {} does not exist and is not in PATH", name));
}

Expected<BinaryInfo> inspect_binary(const std::string& path) {
  std::error_code failed;
  if (!fs::exists(path, failed)) return usage_error(fmt::format("program {} does not exist", path));
  const Expected<ElfFile> file = ElfFile::open(path);
  if (!file) return tl::unexpected(file.error());
  if (!file->is_executable()) {
    return usage_error(fmt::format("{} is an object file, not a program; link it first", path));
  }
  if (::access(path.c_str(), X_OK) != 0) {
    return usage_error(fmt::format("{} cannot be executed: {}", path, std::strerror(errno)));
  }

  BinaryInfo info;
  info.path = fs::absolute(path, failed).string();
  info.build_id = file->build_id();
  info.statically_linked = !file->has_interpreter();
  info.has_debug_info = file->has_section(".debug_info") || file->has_section(".zdebug_info");
  for (const std::string& name : file->needed()) {
    if (is_tsan_library(name)) info.tsan_library = name;
  }
  read_symbols(*file, info);
  read_libraries(*file, info);
  return info;
}

Expected<void> check_runnable(const BinaryInfo& info) {
  if (info.static_tsan) {
    return usage_error(fmt::format(
        "{} has ThreadSanitizer's own runtime linked in, so heddle cannot take its place; link it "
        "with -shared-libsan, or with `heddle cc` or `heddle c++`",
        info.path));
  }
  if (info.statically_linked) {
    return usage_error(fmt::format(
        "{} is statically linked, so heddle's runtime cannot be loaded; link it without -static", info.path));
  }
  if (!info.instrumented) {
    return usage_error(fmt::format(
        "{} is not instrumented; compile and link it with -fsanitize=thread -g, or with `heddle cc` "
        "or `heddle c++`",
        info.path));
  }
  return {};
}

}  // namespace heddle
