// What it takes to compare a pair of long traces, of which the second lacks a lock, and to predict from what
// is new.
#pragma once

#include <cstdint>
#include <filesystem>

#include "common/process.h"

namespace heddle::bench {

Expected<Usage> compare_long_traces(const std::filesystem::path& heddle, const std::filesystem::path& folder,
                                    uint64_t events);

}  // namespace heddle::bench
