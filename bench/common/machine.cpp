#include "common/machine.h"

#include <gnu/libc-version.h>
#include <sys/utsname.h>

#include <cstdio>
#include <fstream>
#include <thread>

#include <fmt/format.h>

namespace heddle::bench {
namespace {

std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown processor";
}

}  // namespace

std::string first_line_of(const std::string& command) {
  std::FILE* output = popen(command.c_str(), "r");
  if (output == nullptr) return command + ": not available";
  char line[256] = {};
  const bool read = std::fgets(line, sizeof line, output) != nullptr;
  pclose(output);
  std::string text = read ? line : command + ": not available";
  text.erase(text.find_last_not_of('\n') + 1);
  return text;
}

std::vector<std::string> describe_machine(const std::vector<std::string>& compilers) {
  utsname kernel{};
  uname(&kernel);
  std::vector<std::string> lines{
      fmt::format("{}, {} cores", processor(), std::thread::hardware_concurrency()),
      fmt::format("{} {}, glibc {}", kernel.sysname, kernel.release, gnu_get_libc_version()),
  };
  for (const std::string& compiler : compilers) lines.push_back(first_line_of(compiler + " --version"));
  return lines;
}

}  // namespace heddle::bench
