// Sandbox: runs programs that nobody has looked at on inputs that nobody has thought of, thousands of times.
//
// A helper process (helper/) puts up the walls once: namespaces of its own in which the machine's files can
// be read and not written, /tmp is memory of limited size, and there is no network and no other process. It
// then starts one run after another, each in an empty folder; whatever a run has started ends with it,
// because the helper is the first process of the namespace and ends all others. Where a machine has no such
// namespaces (many containers), the helper does what it can without them, and lacks() says what is missing.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"

namespace heddle::sandbox {

struct Options {
  std::filesystem::path program;
  std::filesystem::path folder;  // for runs, where there are no namespaces; made if it is not there
  std::vector<std::filesystem::path>
      visible;                      // what else programs need of folders that are hidden, like /tmp
  std::vector<int> files;           // open files that runs can be given
  bool without_namespaces = false;  // as on a machine that has none
};

struct Limits {
  std::chrono::milliseconds timeout{2'000};
  uint64_t memory = 0;       // of the address space; 0: as much as there is
  uint64_t most_output = 0;  // of each stream, and of each file; 0: any
  uint64_t stack = 0;        // 0: as heddle has it
};

// One run. Views must live as long as it takes.
struct Run {
  std::vector<std::string> arguments;    // with the program's own name
  std::vector<std::string> environment;  // HOME and TMPDIR are added
  std::string_view standard_input;
  std::string file_name;  // of the input file; empty: there is none
  std::string_view file;
  std::string folder = "run";    // name of its folder
  unsigned process_number = 0;   // if it can be had; 0: any
  bool fixed_addresses = false;  // no randomisation of the address space
  Limits limits;
  std::optional<size_t> given;  // of Options::files
  int given_as = -1;            // by this number
};

struct End {
  int exit_code = 0;
  int signal = 0;
  bool timed_out = false;
  bool wrote_too_much = false;  // to one of its streams
  bool ended_helper = false;    // it got hold of the process that watched over it
  std::string out;
  std::string err;
  std::map<std::string, std::string> files;  // left in its folder, by path; folders end in "/"
  std::chrono::nanoseconds cpu_time{};
};

class Sandbox {
 public:
  static Expected<Sandbox> create(Options options);
  Sandbox(Sandbox&&) noexcept;
  Sandbox& operator=(Sandbox&&) noexcept;
  ~Sandbox();

  // An error if the program cannot be started at all.
  Expected<End> run(const Run& run);

  // The path that a program sees of a folder for runs.
  std::string path_of(const std::string& folder) const;

  // "" if a run is confined in every respect, else a sentence on what is missing here.
  const std::string& lacks() const;

 private:
  struct State;
  explicit Sandbox(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace heddle::sandbox
