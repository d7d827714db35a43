#include "support/cpu_time.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

namespace heddle {
namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

// What /proc says of a process: its own time, and that of those that it has waited for.
double ticks_of(const std::string& process) {
  std::ifstream stat("/proc/" + process + "/stat");
  std::string line;
  std::getline(stat, line);
  const size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return 0;
  std::istringstream fields(line.substr(name_end + 1));
  std::string skipped;
  for (int i = 0; i < 11; ++i) fields >> skipped;  // up to the field before utime
  double total = 0;
  for (int i = 0; i < 4; ++i) {
    double ticks = 0;
    fields >> ticks;
    total += ticks;
  }
  return total;
}

// Children belong to the thread that has started them.
double ticks_below(const std::string& process) {
  double total = 0;
  std::error_code gone;
  for (const auto& thread :
       std::filesystem::directory_iterator(fmt::format("/proc/{}/task", process), gone)) {
    std::ifstream children(thread.path() / "children");
    for (std::string child; children >> child;) total += ticks_of(child) + ticks_below(child);
  }
  return total;
}

}  // namespace

std::chrono::duration<double> cpu_time_with_children() {
  double total = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    if (getrusage(who, &usage) == 0) total += seconds(usage.ru_utime) + seconds(usage.ru_stime);
  }
  return std::chrono::duration<double>(total + ticks_below(std::to_string(getpid())) /
                                                   static_cast<double>(sysconf(_SC_CLK_TCK)));
}

}  // namespace heddle
