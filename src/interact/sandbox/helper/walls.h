// The walls around runs, which are put up once for all runs of a sandbox.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::sandbox {

struct Walls {
  uint32_t lacks = 0;  // wire::Lack
  int error = 0;
  std::string root;               // folders of runs are made in it
  std::vector<std::string> kept;  // entries of `root` that belong to others
  int last_number = -1;           // file that decides on the next process number
  int file_rules = -1;            // a Landlock ruleset that each run submits to
  bool in_namespaces = false;     // this is the first process of one
};

// Moves into namespaces. True in the process that is the first of them, which makes the folders next; the
// caller's own process waits for that one and never comes back. False: there are none here.
bool enter_namespaces(Walls* walls);
// False if that is not allowed here: then this process is of no use any more.
bool make_folders(Walls* walls, const std::vector<std::string>& visible);

// This process keeps its capabilities; what it starts has none, root or not.
bool drop_privileges_of_runs();

// What can be done without namespaces.
void make_rules(Walls* walls, const std::string& folder);
// To be called by a run's process: submits to the rules.
bool submit(const Walls& walls);

}  // namespace heddle::sandbox
