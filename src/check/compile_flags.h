// Which units two builds compile differently.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "change/project_build.h"
#include "support/error.h"

namespace heddle {

// Files of the head, with what differs, in words: other flags or compiler. Where the two builds lie does not
// count, nor do warnings and optimisation.
Expected<std::map<std::string, std::string>> changed_compile_flags(const ProjectBuild& base,
                                                                   const ProjectBuild& head);

}  // namespace heddle
