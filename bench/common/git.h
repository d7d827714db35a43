// git, for repositories that benchmarks make.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "support/error.h"

namespace heddle::bench {

// What a user has configured is none of a benchmark's business, and the same files give the same commits.
Expected<void> git(const std::filesystem::path& folder, std::vector<std::string> words);
// One after the other, until one fails.
Expected<void> git_each(const std::filesystem::path& folder,
                        const std::vector<std::vector<std::string>>& commands);

}  // namespace heddle::bench
