// The figures for other programs.
#pragma once

#include <filesystem>
#include <vector>

#include "common/bar.h"
#include "figures.h"
#include "support/error.h"

namespace heddle::bench {

Expected<void> write_json(const std::filesystem::path& file, const GenerateFigures& figures,
                          const GenerateSettings& settings, const std::vector<Bar>& bars);

}  // namespace heddle::bench
