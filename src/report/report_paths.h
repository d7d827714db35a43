// Paths of a report as other tools want them.
#pragma once

#include <optional>
#include <string>

#include "report/report.h"

namespace heddle {

// Relative to the project's root, if the file is below it.
std::optional<std::string> below_root(const Report& report, const std::string& file);

// As the path of a URI: everything but letters, digits and -._~/ is percent-encoded.
std::string uri_path(const std::string& path);

// Where the finding is for somebody who looks at the project: its first place in a file of the project, else
// its first place in any file; null if there is none.
const FindingSite* main_site(const Report& report, const Finding& finding);

}  // namespace heddle
