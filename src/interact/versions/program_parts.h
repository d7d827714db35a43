// ProgramParts: what an executable is made of, down to the units of the project's own libraries.
//
// Of a static library only the members count that the linker took (its map tells). A shared library of the
// project is put together with the program as if it were static, in the order in which the dynamic linker
// initializes; of several functions with one name the first is called.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "interact/versions/call_log.h"

namespace heddle::interact {

struct ProgramUnit {
  CompilerCall call;  // compiles it, and nothing else: "-c" and the source are its last words
  std::filesystem::path source;
  std::filesystem::path object;  // as the build made it; empty if it was compiled and linked in one step
  bool is_assembler = false;
};

struct ProgramParts {
  std::vector<ProgramUnit> units;
  std::vector<std::string> link_arguments;  // behind the objects; all paths are absolute
  std::string linker;                       // the compiler that links
  bool is_cxx = false;                      // it links the C++ library
};

ProgramUnit unit_of(const CallRecord& record, const LinkWord& source);

// `link` made an executable.
ProgramParts parts_of_program(const CallLog& log, const CallRecord& link);

// Every source that the build has compiled, as it was compiled last for each object. Sources that are gone
// are left out.
std::vector<ProgramUnit> all_units(const CallLog& log);

// What CMake makes to find out what the compiler can do.
bool is_probe(const std::filesystem::path& file);

// Targets of CMake that the linked objects belong to: "tool" of CMakeFiles/tool.dir/main.c.o.
std::set<std::string> cmake_targets(const std::filesystem::path& object);

}  // namespace heddle::interact
