// Which programs of a build a change is in, beside its tests: tools that a person calls with arguments.
#pragma once

#include <string>
#include <vector>

#include "change/project_build.h"
#include "change/source_change.h"
#include "suite/test_suite.h"

namespace heddle {

// Executables of the build, named by their paths below its folder, that no test starts and whose debug
// information names a file in which a function differs. In the order of their names. Whether one can come to
// what has changed is for others to find out: it takes its program.
std::vector<std::string> changed_programs(const ProjectBuild& head, const SourceChange& change,
                                          const TestSuite& tests);

}  // namespace heddle
