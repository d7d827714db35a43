// The program that is made around LLVMFuzzerTestOneInput: which units belong to it.
#pragma once

#include <filesystem>
#include <string>

#include "interact/versions/program_parts.h"
#include "interact/versions/project_programs.h"
#include "support/error.h"

namespace heddle::interact {

struct FuzzFunctionRequest {
  const CallLog& log;
  const ProjectPrograms& programs;
  std::string name;               // of the unit's source, its target, or an executable
  std::filesystem::path source;   // the project's
  std::filesystem::path scratch;  // for objects; it is there
};

// If a program of the project contains the unit, it is what that one is made of, without its main(); else the
// unit, and of all that the project compiles what it needs. A source that the build leaves out is compiled as
// the one nearest to it.
Expected<ProgramParts> parts_of_function(const FuzzFunctionRequest& request);

}  // namespace heddle::interact
