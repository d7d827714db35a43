#include "footprint.h"

#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace heddle::bench {
namespace {

namespace fs = std::filesystem;

struct Process {
  uint64_t parent = 0;
  uint64_t resident_kb = 0;
  uint64_t threads = 0;
};

Process read_process(const fs::path& folder) {
  Process process;
  std::ifstream status(folder / "status");
  for (std::string key; status >> key;) {
    if (key == "PPid:") status >> process.parent;
    if (key == "VmRSS:") status >> process.resident_kb;
    if (key == "Threads:") status >> process.threads;
    std::getline(status, key);
  }
  return process;
}

std::map<uint64_t, Process> read_processes() {
  std::map<uint64_t, Process> processes;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    uint64_t id = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), id);
    if (error == std::errc() && end == name.data() + name.size()) processes[id] = read_process(entry.path());
  }
  return processes;
}

bool descends_from(const std::map<uint64_t, Process>& processes, uint64_t id, uint64_t ancestor) {
  while (id != ancestor) {
    const auto found = processes.find(id);
    if (found == processes.end()) return false;
    id = found->second.parent;
  }
  return true;
}

using File = std::pair<dev_t, ino_t>;

// Counts the descriptors of a process, and the memory of files that have no name and so are only memory.
void add_descriptors(uint64_t process, Footprint& footprint, std::set<File>& seen) {
  std::error_code ignored;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(fs::path("/proc") / std::to_string(process) / "fd", ignored)) {
    footprint.descriptors++;
    struct stat info{};
    if (::stat(entry.path().c_str(), &info) != 0 || !S_ISREG(info.st_mode) || info.st_nlink != 0) continue;
    if (seen.insert({info.st_dev, info.st_ino}).second)
      footprint.shared_kb += static_cast<uint64_t>(info.st_blocks) / 2;
  }
}

}  // namespace

Footprint measure_footprint() {
  const auto self = static_cast<uint64_t>(::getpid());
  const std::map<uint64_t, Process> processes = read_processes();
  Footprint footprint;
  std::set<File> seen;
  for (const auto& [id, process] : processes) {
    if (!descends_from(processes, id, self)) continue;
    (id == self ? footprint.tool_kb : footprint.others_kb) += process.resident_kb;
    footprint.processes += id == self ? 0 : 1;
    footprint.threads += process.threads;
    add_descriptors(id, footprint, seen);
  }
  return footprint;
}

}  // namespace heddle::bench
