// The tables and bars of what the campaigns have found.
#pragma once

#include <string>
#include <vector>

#include "campaigns.h"
#include "common/bar.h"

namespace heddle::bench {

std::string print_subjects(const std::vector<SubjectFigures>& figures, bool markdown);
std::string print_errors(const std::vector<SubjectFigures>& figures, bool markdown);
std::string print_inputs(const std::vector<SubjectFigures>& figures, bool markdown);
std::vector<Bar> bars(const std::vector<SubjectFigures>& figures);

}  // namespace heddle::bench
