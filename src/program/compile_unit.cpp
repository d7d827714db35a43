#include "program/compile_unit.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "execute/shell_words.h"
#include "program/read_text.h"

extern char** environ;  // NOLINT: POSIX names it so

namespace heddle::program {
namespace {

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  for (std::string_view one : words)
    if (word == one) return true;
  return false;
}

bool starts_with_one_of(std::string_view word, std::initializer_list<std::string_view> prefixes) {
  for (std::string_view prefix : prefixes)
    if (word.starts_with(prefix)) return true;
  return false;
}

UnitLanguage language_of(std::string_view name) {
  if (is_one_of(name, {"c", "c-header", "cpp-output"})) return UnitLanguage::kC;
  if (is_one_of(name, {"c++", "c++-header", "c++-cpp-output"})) return UnitLanguage::kCxx;
  return UnitLanguage::kOther;
}

UnitLanguage language_of_file(const std::filesystem::path& file) {
  const std::string end = file.extension().string();
  if (is_one_of(end, {".c", ".i"})) return UnitLanguage::kC;
  if (is_one_of(end, {".cc", ".cp", ".cxx", ".cpp", ".CPP", ".c++", ".C", ".ii", ".cppm", ".ixx", ".tcc"}))
    return UnitLanguage::kCxx;
  return UnitLanguage::kOther;
}

// Flags that change what the text means, and that clang understands as gcc does.
bool decides_meaning(std::string_view flag) {
  if (starts_with_one_of(flag, {"-std=",
                                "--std=",
                                "-stdlib=",
                                "--sysroot=",
                                "-isysroot",
                                "--target=",
                                "-target=",
                                "--gcc-toolchain=",
                                "--gcc-install-dir=",
                                "-nostdinc",
                                "-march=",
                                "-msse",
                                "-mno-sse",
                                "-mavx",
                                "-mno-avx",
                                "-mfma",
                                "-mbmi",
                                "-maes",
                                "-mpclmul",
                                "-mpopcnt",
                                "-mlzcnt",
                                "-mcx16",
                                "-mrdrnd",
                                "-mrdseed",
                                "-mf16c",
                                "-mmovbe",
                                "-msha",
                                "-madx",
                                "-mxsave",
                                "-mrtm",
                                "-mclflush",
                                "-mclwb",
                                "-mwaitpkg",
                                "-mgfni",
                                "-mvaes",
                                "-mvpclmulqdq"}))
    return true;
  if (is_one_of(flag, {"-ansi", "-trigraphs", "-pthread", "-undef", "-m32", "-m64", "-mx32"})) return true;
  if (starts_with_one_of(flag, {"-fno-builtin", "-ftemplate-depth=", "-fconstexpr-depth=",
                                "-fconstexpr-steps=", "-fopenmp", "-fms-"}))
    return true;
  return is_one_of(flag, {"-fexceptions",
                          "-fno-exceptions",
                          "-frtti",
                          "-fno-rtti",
                          "-fcxx-exceptions",
                          "-fno-cxx-exceptions",
                          "-fchar8_t",
                          "-fno-char8_t",
                          "-fsigned-char",
                          "-funsigned-char",
                          "-fno-signed-char",
                          "-fno-unsigned-char",
                          "-fshort-enums",
                          "-fno-short-enums",
                          "-fshort-wchar",
                          "-fno-short-wchar",

                          "-fhosted",
                          "-fno-threadsafe-statics",
                          "-fthreadsafe-statics",
                          "-fgnu89-inline",
                          "-fno-gnu89-inline",
                          "-fblocks",
                          "-fno-operator-names",
                          "-fno-access-control",
                          "-faligned-allocation",
                          "-fno-aligned-allocation",
                          "-fsized-deallocation",
                          "-fno-sized-deallocation",
                          "-frelaxed-template-template-args",
                          "-fasm",
                          "-fno-asm",
                          "-fdeclspec",
                          "-fwrapv"});
}

class Translator {
 public:
  explicit Translator(const CompileCommand& command) : command_(command) {}

  UnitCommand run() {
    result_.directory = command_.directory;
    result_.file = command_.file;
    result_.language = language_of_file(command_.file);
    size_t begin = 0;
    // ccache g++ …: what stands in front of the compiler is not a part of its command.
    while (begin + 1 < command_.arguments.size() && is_launcher(command_.arguments[begin])) ++begin;
    const std::string compiler = begin < command_.arguments.size()
                                     ? std::filesystem::path(command_.arguments[begin]).filename().string()
                                     : "";
    if (result_.language == UnitLanguage::kC && compiler.find("++") != std::string::npos)
      result_.language = UnitLanguage::kCxx;
    words_.assign(command_.arguments.begin() +
                      static_cast<std::ptrdiff_t>(std::min(begin + 1, command_.arguments.size())),
                  command_.arguments.end());
    expand_response_files();
    while (next_ < words_.size()) step();
    return std::move(result_);
  }

 private:
  static bool is_launcher(const std::string& word) {
    const std::string name = std::filesystem::path(word).filename().string();
    return is_one_of(name, {"ccache", "sccache", "distcc", "icecc", "env", "time", "nice"});
  }

  void expand_response_files() {
    for (size_t i = 0; i < words_.size() && words_.size() < 100'000; ++i) {
      if (!words_[i].starts_with('@')) continue;
      std::filesystem::path path = words_[i].substr(1);
      if (path.is_relative()) path = command_.directory / path;
      std::error_code error;
      if (!std::filesystem::is_regular_file(path, error)) continue;
      std::vector<std::string> inside = split_words(read_text(path));
      words_.erase(words_.begin() + static_cast<std::ptrdiff_t>(i));
      words_.insert(words_.begin() + static_cast<std::ptrdiff_t>(i), inside.begin(), inside.end());
      --i;
    }
  }

  std::string take() { return next_ < words_.size() ? words_[next_++] : std::string(); }

  void step() {
    std::string word = take();
    if (word == "-Xclang") return step_inner(take());
    // With their value in the next word, or joined to it.
    for (std::string_view flag : {"-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-iprefix",
                                  "-iwithprefixbefore", "-iwithprefix", "-D", "-U", "-I", "-x"}) {
      if (!word.starts_with(flag) || word.starts_with("-include-")) continue;
      std::string value = word == flag ? take() : word.substr(flag.size());
      return keep(flag, std::move(value));
    }
    if (is_one_of(word, {"-target", "-isysroot", "--sysroot", "-arch"})) {
      std::string value = take();
      if (word != "-arch") result_.flags.insert(result_.flags.end(), {word, value});
      return;
    }
    if (is_one_of(word,
                  {"-o", "-MF", "-MT", "-MQ", "-MJ", "-mllvm", "-Xlinker", "-Xassembler", "-Xpreprocessor",
                   "-L", "-l", "-B", "-aux-info", "-dumpbase", "-dumpdir", "--param", "-T", "-u", "-z"})) {
      take();
      return;
    }
    if (word.starts_with("-Wp,-D") || word.starts_with("-Wp,-U"))
      return keep(word.substr(4, 2), word.substr(6));
    // With it, clang's own headers leave out what gcc's keep.
    if (word == "-ffreestanding") word = "-fno-builtin";
    if (decides_meaning(word)) result_.flags.push_back(std::move(word));
  }

  // CMake gives clang its precompiled headers so; the header's text does as well.
  void step_inner(const std::string& word) {
    if (word == "-include-pch") {
      step_value();
    } else if (word == "-include") {
      std::string value = step_value();
      keep("-include", std::move(value));
    }
  }
  std::string step_value() {
    std::string word = take();
    return word == "-Xclang" ? take() : word;
  }

  void keep(std::string_view flag, std::string value) {
    // Needs optimisation, and warns without.
    const bool is_fortify = (flag == "-D" || flag == "-U") && value.starts_with("_FORTIFY_SOURCE");
    if (is_fortify) return;
    if (flag == "-x") {
      const UnitLanguage language = language_of(value);
      if (value != "none") result_.language = language;
      return;
    }
    if (flag == "-D" || flag == "-U" || flag == "-I") {
      result_.flags.push_back(std::string(flag) + value);
    } else {
      result_.flags.emplace_back(flag);
      result_.flags.push_back(std::move(value));
    }
  }

  const CompileCommand& command_;
  std::vector<std::string> words_;
  size_t next_ = 0;
  UnitCommand result_;
};

}  // namespace

Expected<std::vector<CompileCommand>> read_compile_commands(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    return usage_error(
        fmt::format("there is no {}: CMake writes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, other "
                    "build tools through bear",
                    path.string()));
  const nlohmann::json entries = nlohmann::json::parse(read_text(path), nullptr, false);
  const auto damaged = [&](const std::string& what) {
    return usage_error(fmt::format("{} is no list of compile commands: {}", path.string(), what));
  };
  if (!entries.is_array()) return damaged("it is not a JSON array");
  std::vector<CompileCommand> commands;
  for (const nlohmann::json& entry : entries) {
    if (!entry.is_object() || !entry.contains("file") || !entry["file"].is_string())
      return damaged(fmt::format("entry {} names no file", commands.size() + 1));
    CompileCommand command;
    command.directory = entry.contains("directory") && entry["directory"].is_string()
                            ? entry["directory"].get<std::string>()
                            : path.parent_path().string();
    if (command.directory.is_relative()) command.directory = path.parent_path() / command.directory;
    command.file = command.directory / entry["file"].get<std::string>();
    command.file = command.file.lexically_normal();
    if (entry.contains("arguments") && entry["arguments"].is_array()) {
      for (const nlohmann::json& word : entry["arguments"])
        if (word.is_string()) command.arguments.push_back(word.get<std::string>());
    } else if (entry.contains("command") && entry["command"].is_string()) {
      command.arguments = split_words(entry["command"].get<std::string>());
    }
    if (command.arguments.empty()) return damaged(fmt::format("{} has no command", command.file.string()));
    commands.push_back(std::move(command));
  }
  return commands;
}

UnitCommand translate_command(const CompileCommand& command) {
  return Translator(command).run();
}

std::vector<std::string> clang_arguments(const UnitCommand& unit, const std::vector<std::string>& extra) {
  std::vector<std::string> arguments = {"-x", unit.language == UnitLanguage::kC ? "c" : "c++"};
  arguments.insert(arguments.end(), unit.flags.begin(), unit.flags.end());
  // Position independence and passes change nothing that facts say; equal for all, they let units share
  // headers.
  arguments.insert(arguments.end(),
                   {"-O0", "-g", "-fPIC", "-w", "-Wno-everything", "-fno-color-diagnostics",
                    "-fno-crash-diagnostics", "-ferror-limit=1", "-Xclang", "-disable-O0-optnone", "-Xclang",
                    "-disable-llvm-passes", "-Xclang", "-disable-llvm-verifier"});
  arguments.insert(arguments.end(), extra.begin(), extra.end());
  return arguments;
}

Expected<RunResult> run_command(const std::vector<std::string>& command,
                                const std::filesystem::path& directory, const std::filesystem::path& log) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  pid_t child = 0;
  const int error = posix_spawnp(&child, words[0], &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0)
    return usage_error(
        fmt::format("cannot run {} in {}: {}", command[0], directory.string(), std::strerror(error)));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  RunResult result;
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.errors = read_text(log);
  return result;
}

std::string first_error(const std::string& errors) {
  std::istringstream lines(errors);
  std::string line;
  std::string first;
  while (std::getline(lines, line)) {
    if (line.find("error:") != std::string::npos) return line;
    if (first.empty()) first = line;
  }
  return first.empty() ? "the compiler ended without a word" : first;
}

std::string up_to_first_error(const std::string& errors) {
  const size_t error = errors.find("error:");
  return error == std::string::npos ? "" : errors.substr(0, errors.find('\n', error));
}

std::vector<std::string> read_dependencies(const std::string& rule) {
  std::vector<std::string> files;
  size_t position = rule.find(": ");
  position = position == std::string::npos ? rule.size() : position + 2;
  std::string word;
  const auto finish = [&] {
    if (!word.empty()) files.push_back(std::exchange(word, {}));
  };
  for (; position < rule.size(); ++position) {
    const char c = rule[position];
    const char after = position + 1 < rule.size() ? rule[position + 1] : '\0';
    if (c == '\\' && (after == '\n' || after == '\r')) {
      finish();
    } else if ((c == '\\' && (after == ' ' || after == '#')) || (c == '$' && after == '$')) {
      word += after;
      ++position;
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      finish();
    } else {
      word += c;
    }
  }
  finish();
  return files;
}

}  // namespace heddle::program
