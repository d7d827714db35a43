// The change map of a report: which lines and functions of which files a change touches.
#pragma once

#include <vector>

#include "change/source_change.h"
#include "report/report.h"
#include "report/source_line.h"

namespace heddle {

std::vector<ReportedFile> change_map(const SourceChange& change);

// The same for those who mark lines. What is removed leaves no line: the statement after it stands for it.
ChangedLines changed_lines(const std::vector<ReportedFile>& change);

}  // namespace heddle
