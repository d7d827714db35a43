// heddle-recorder: stands in for every compiler that a build calls, calls it, and notes what it did.
//
// By which name it was called says which compiler is meant: heddle-cc and heddle-c++ are those of HEDDLE_CC
// and HEDDLE_CXX, gcc is the next gcc in PATH behind the folder that this one lies in. Compilation is not
// changed; executables and shared libraries get a map from the linker, beside. Whatever goes wrong with
// notes, the build goes on.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "execute/compiler_arguments.h"
#include "execute/shell_words.h"
#include "interact/versions/call_log.h"
#include "interact/versions/recorder_names.h"
#include "trace/hash.h"

extern char** environ;  // NOLINT: POSIX names it so

namespace heddle::interact {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Without the folder of stand-ins: what the compiler calls is the compiler's.
std::string own_path(const std::string& stand_ins) {
  std::string path;
  std::string_view rest = variable("PATH");
  const std::string all = variable("PATH");
  rest = all;
  for (bool more = true; more;) {
    const size_t end = rest.find(':');
    const std::string_view folder = rest.substr(0, end);
    more = end != std::string_view::npos;
    if (more) rest.remove_prefix(end + 1);
    if (folder == stand_ins) continue;
    if (!path.empty()) path += ':';
    path += folder;
  }
  return path;
}

std::string in_path(const std::string& name, const std::string& path) {
  if (name.find('/') != std::string::npos) return name;
  std::string_view rest = path;
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
    const fs::path file = fs::path(folder.empty() ? "." : folder) / name;
    std::error_code failed;
    if (fs::is_regular_file(file, failed) && ::access(file.c_str(), X_OK) == 0) return file.string();
  }
  return "";
}

// The compiler, and what the user has it called with.
std::vector<std::string> meant_compiler(const std::string& called, const std::string& path) {
  std::vector<std::string> words = {called};
  if (called == kRecordedC) words = split_words(variable("HEDDLE_CC"));
  if (called == kRecordedCxx) words = split_words(variable("HEDDLE_CXX"));
  if (words.empty()) words = {called == kRecordedC ? "gcc" : "g++"};
  words.front() = in_path(words.front(), path);
  return words;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

[[noreturn]] void become(std::vector<std::string> command) {
  ::execv(command.front().c_str(), pointers_to(command).data());
  std::fprintf(stderr, "heddle-recorder: cannot start %s: %s\n", command.front().c_str(),
               std::strerror(errno));
  std::exit(127);
}

// As a shell would see it.
int run(std::vector<std::string> command) {
  pid_t child = 0;
  if (const int error = ::posix_spawn(&child, command.front().c_str(), nullptr, nullptr,
                                      pointers_to(command).data(), environ);
      error != 0) {
    std::fprintf(stderr, "heddle-recorder: cannot start %s: %s\n", command.front().c_str(),
                 std::strerror(error));
    return 127;
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    ::signal(WTERMSIG(status), SIG_DFL);
    ::raise(WTERMSIG(status));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

bool is_of_system(const fs::path& file, const std::string& project) {
  const std::string path = file.string();
  if (!project.empty() && path.starts_with(project)) return false;
  return path.starts_with("/usr/") || path.starts_with("/lib");
}

void note_content(const fs::path& file, CallRecord* record) {
  if (std::optional<FileContent> content = content_of(file)) record->files[file.string()] = *content;
}

void note_files(const std::string& project, CallRecord* record) {
  const CallParts& parts = record->parts;
  if (!parts.is_linked()) {
    for (const LinkWord& word : parts.link)
      if (!word.path.empty()) note_content(parts.object_of(word, record->call), record);
    return;
  }
  note_content(parts.output, record);
  for (const LinkWord& word : parts.link) {
    if (word.kind == LinkWord::Kind::kFile && !is_of_system(word.path, project))
      note_content(word.path, record);
    if (word.kind != LinkWord::Kind::kLibrary) continue;
    for (const fs::path& file : parts.candidates_of(word)) {
      std::error_code failed;
      if (!fs::exists(file, failed)) continue;
      if (!is_of_system(file, project)) note_content(file, record);
      break;
    }
  }
}

int record_call(const std::vector<std::string>& arguments) {
  const std::string called = fs::path(arguments.front()).filename().string();
  const std::string path = own_path(variable(kStandInsVariable));
  std::vector<std::string> command = meant_compiler(called, path);
  if (command.front().empty()) {
    std::fprintf(stderr, "heddle-recorder: compiler %s was not found\n", called.c_str());
    return 127;
  }
  ::setenv("PATH", path.c_str(), 1);
  const size_t compiler_words = command.size();
  command.insert(command.end(), arguments.begin() + 1, arguments.end());
  const fs::path build = variable("HEDDLE_BUILD_DIR");
  if (build.empty()) become(std::move(command));

  CallRecord record;
  record.call.directory = fs::current_path();
  record.call.arguments = expand_response_files(command, record.call.directory);
  record.parts = parts_of(record.call);
  if (record.parts.result == CallParts::Result::kNothing) become(std::move(command));
  const fs::path log = call_log_of(build);
  std::error_code failed;
  fs::create_directories(log.parent_path(), failed);
  if (record.parts.result == CallParts::Result::kExecutable ||
      record.parts.result == CallParts::Result::kSharedLibrary) {
    char name[17];
    std::snprintf(name, sizeof(name), "%016lx", trace::fnv1a(std::string_view(record.parts.output.native())));
    record.link_map = (log.parent_path() / (std::string(name) + ".map")).string();
    // In front: the user's own wins.
    command.insert(command.begin() + static_cast<std::ptrdiff_t>(compiler_words),
                   {"-Xlinker", "-Map=" + record.link_map});
  }
  const int code = run(std::move(command));
  if (code != 0) return code;
  try {
    note_files(fs::path(variable("HEDDLE_SOURCE_DIR")).parent_path().string(), &record);
    append_to_log(log, record);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "heddle-recorder: %s\n", error.what());
  }
  return 0;
}

}  // namespace
}  // namespace heddle::interact

int main(int argc, char** argv) {
  return heddle::interact::record_call({argv, argv + argc});
}
