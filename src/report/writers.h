// The writers behind reporter.cpp, a file each.
#pragma once

#include <ostream>
#include <string>

#include "report/report.h"
#include "report/terminal.h"

namespace heddle {

std::string write_sarif(const Report& report);
std::string write_junit(const Report& report);
std::string write_github(const Report& report);
std::string write_console(const Report& report);

// As a person reads it: the verdict, the findings, the gravest first, and what limits the result.
void render_report(std::ostream& out, const Report& report, const TerminalOptions& options);

}  // namespace heddle
